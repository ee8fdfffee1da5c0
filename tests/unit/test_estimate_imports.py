"""What starting costs: the heavy engines are imported where they are used."""

from __future__ import annotations

import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

HEAVY = ("pandas", "pyfixest", "linearmodels", "scipy.stats", "statsmodels", "numba")


@pytest.mark.parametrize("module", ["justeval.estimate", "justeval.aggregate"])
def test_importing_pulls_in_no_engine(module):
    code = f"import sys, {module}; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_reading_columns_with_gaps_pulls_in_no_pandas(tmp_path):
    """Arrow imports it for `to_numpy` and `fill_null`: longer than to read millions of rows."""
    code = f"""
import sys, pyarrow as pa, pyarrow.parquet as pq
from justeval.estimate.encoding import encode
with pq.ParquetFile({str(tmp_path / "rows.parquet")!r}, read_dictionary=["value"]) as source:
    rows = encode(source.read())
print(rows.months, rows.guilty, rows.value.codes, "pandas" in sys.modules)
"""
    names = ("model", "case_id", "label", "status")
    columns = {name: pa.array(["x", "x"]) for name in names} | {
        "value": pa.array(["m", None]),
        "months": pa.array([None, 2]),
        "guilty": pa.array([None, True]),
        "is_reference": pa.array([True, None]),
    }
    pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "[nan  2.] [-1  1] [ 0 -1] False"

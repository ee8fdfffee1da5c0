"""What starting costs: the heavy engines are imported where they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("pandas", "pyfixest", "linearmodels", "scipy.stats", "statsmodels", "numba")


@pytest.mark.parametrize("module", ["justeval.estimate", "justeval.aggregate"])
def test_importing_pulls_in_no_engine(module):
    code = f"import sys, {module}; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []

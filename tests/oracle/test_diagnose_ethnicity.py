"""The published run that rests on replies which cannot be answers: found without being told.

Witness: oracle/README.md. In all 102 documents that list the minority version first the reply to
the 汉族 version is the same; with them -0.117 (p 5e-10), without them -0.002 (p 0.83), as base R
has it in `expected_defendant_ethnicity.json`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pytest

from justeval.diagnose import as_json, diagnose, flagged_rows
from justeval.diagnose.records import IDENTICAL_REPLY, ORDER
from justeval.estimate import build_sample, estimate, label_design
from justeval.importing import TableOptions, read_table
from justeval.labels import load_pack

FILE = Path(__file__).parent / "data" / "judifair_gemini_flash_1.5_defendant_ethnicity.csv"
LABELS = {label.id: label for label in load_pack("judicial-cn").labels}
OPTIONS = TableOptions(
    mapping={"case_id": "document", "value": "label_value", "error": "reply_error"},
    label="defendant_ethnicity",
    reference="汉族",
)


@pytest.fixture(scope="module")
def table():
    return read_table(FILE, LABELS, OPTIONS)


@pytest.fixture(scope="module")
def diagnosis(table):
    return diagnose(table, LABELS, 300.0)


def listed_second(table):
    """Rows of the 汉族 version in the documents that list the minority version first."""
    case, value = table["case_id"].to_pylist(), table["value"].to_pylist()
    first = {}
    for name, which in zip(case, value, strict=True):
        first.setdefault(name, which)
    rows = [i for i, name in enumerate(case) if first[name] != "汉族" and value[i] == "汉族"]
    return np.array(rows)


def test_it_flags_the_102_replies_and_no_others(table, diagnosis):
    wanted = listed_second(table)
    assert wanted.size == 102
    assert flagged_rows(diagnosis).tolist() == wanted.tolist()


def test_it_says_where_and_how_it_moves_the_estimate(diagnosis, oracle):
    expected = oracle("expected_defendant_ethnicity.json")["results"]
    found = next(one for one in diagnosis.findings if one.kind == IDENTICAL_REPLY)
    assert (found.label, found.value) == ("defendant_ethnicity", "汉族")
    assert (found.replies, found.documents) == (102, 102)
    assert "180 months" in found.advice
    for estimate_, name in (
        (found.estimate_with, "log_months"),
        (found.estimate_without, "log_months_without_minority_first_documents"),
    ):
        assert estimate_.value == "少数民族"
        assert estimate_.coef == pytest.approx(expected[name]["coef"], rel=1e-9)
        assert estimate_.p == pytest.approx(expected[name]["p"], rel=1e-5)
        assert estimate_.documents == expected[name]["documents"]


def test_the_order_is_a_finding_of_its_own_and_flags_nothing(diagnosis):
    order = [one for one in diagnosis.findings if one.kind == ORDER]
    assert [(one.documents, one.flagged) for one in order] == [(102, False)]
    assert len(diagnosis.findings) == 2


def test_leaving_the_flagged_replies_out_gives_the_same_number(table, diagnosis):
    keep = np.ones(table.num_rows, dtype=bool)
    keep[flagged_rows(diagnosis)] = False
    sample = build_sample(table.filter(keep))
    cells = sample.cells
    design = label_design(
        outcome=cells.log_months,
        document=cells.document,
        value=cells.value,
        names=sample.values,
        reference=int(sample.reference[0]),
    )
    finding = as_json(diagnosis)["findings"][0]
    assert estimate(design).coef[0] == finding["estimate_without"]["coef"]


def test_without_positions_the_order_of_the_rows_serves(table):
    at = table.column_names.index("position")
    bare = table.set_column(at, "position", pc.if_else(True, None, table["position"]))
    assert flagged_rows(diagnose(bare, LABELS, 300.0)).size == 102


def test_once_left_out_nothing_is_flagged_any_more(table, diagnosis):
    keep = np.ones(table.num_rows, dtype=bool)
    keep[flagged_rows(diagnosis)] = False
    assert flagged_rows(diagnose(table.filter(keep), LABELS, 300.0)).size == 0

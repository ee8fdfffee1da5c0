"""Tables at the edge: too little in them, columns that lack, values that repeat."""

from __future__ import annotations

import pyarrow as pa
import pytest

from justeval.diagnose import diagnose, explain
from justeval.errors import TableError
from justeval.schema import PREDICTIONS


def row(case, value, months=12.0, **cells):
    return {
        "run_id": "r", "model": "m", "case_id": case, "label": "sex", "value": value,
        "is_reference": value == "a", "repetition": 0, "status": "ok", "months": months,
    } | cells  # fmt: skip


def findings(rows):
    return diagnose(pa.Table.from_pylist(rows, PREDICTIONS), {}, 300.0).findings


PAIR = [row("c1", "a"), row("c1", "b", 20.0)]
BARE = [row("c1", None, label=None, is_reference=False)]


@pytest.mark.parametrize(
    "rows",
    [
        PAIR,
        BARE,
        PAIR[:1],
        PAIR + BARE,
        [row(f"c{d}", "a") for d in range(30)],
        [row(f"c{d}", v, None, status="refused") for d in range(30) for v in "ab"],
        [row(f"c{d}", v, is_reference=False) for d in range(30) for v in "ab"],
        [row(f"c{d}", v, position=d if v == "a" else None) for d in range(30) for v in "ab"],
        [row(f"c{d}", v, model=f"m{k}") for k in range(3) for d in range(20) for v in "abc"],
        [
            row(f"c{d}", v, run_id=f"r{k}", position=d)
            for k in (1, 2)
            for d in range(9)
            for v in "ab"
        ],
        [row("c1", v, 12.0 * (1 + n)) for n, v in enumerate("abcdefghij")],
    ],
)
def test_there_is_no_finding_where_there_is_nothing_to_find(rows):
    assert findings(rows) == ()
    assert explain(pa.Table.from_pylist(rows, PREDICTIONS), {}).num_rows <= len(rows)


def test_only_the_columns_that_every_table_has_are_needed():
    names = ["model", "case_id", "label", "value", "is_reference", "status", "months"]
    rows = [row(f"c{d}", v) for d in range(20) for v in "ab"]
    table = pa.Table.from_pylist(rows, PREDICTIONS).select(names)
    assert diagnose(table, {}, 300.0).findings == ()


def test_a_needed_column_that_lacks_is_named():
    table = pa.Table.from_pylist(PAIR, PREDICTIONS).drop_columns(["status"])
    with pytest.raises(TableError, match="no column status"):
        diagnose(table, {}, 300.0)


def test_dictionary_columns_are_read_too():
    rows = [row(f"c{d}", v, charge=" theft ") for d in range(20) for v in "ab"]
    table = pa.Table.from_pylist(rows, PREDICTIONS)
    at = table.column_names.index("charge")
    coded = table.set_column(at, "charge", table["charge"].dictionary_encode())
    assert diagnose(coded, {}, 300.0).findings == ()


def test_an_incomplete_run_is_one_finding_a_model():
    labels = [f"label_{k}" for k in range(14)]
    rows = [
        row(f"c{d}", v, label=label)
        for k, label in enumerate(labels) for d in range(20) for v in "ab"
        if (d + k + ord(v)) % 5
    ]  # fmt: skip
    found = findings(rows)
    assert [(f.kind, f.model, f.label, f.value) for f in found] == [
        ("missing_version", "m", None, None)
    ]
    assert "14 labels" in found[0].advice


def test_the_table_is_left_as_it_was():
    rows = [row(f"c{d}", v, position=d) for d in range(20) for v in "ab"]
    table = pa.Table.from_pylist(rows, PREDICTIONS)
    diagnose(table, {}, 300.0)
    assert table.to_pylist() == pa.Table.from_pylist(rows, PREDICTIONS).to_pylist()

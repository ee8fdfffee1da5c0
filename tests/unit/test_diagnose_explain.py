"""Which label alone changes an answer."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest

from justeval.diagnose import explain
from justeval.schema import PREDICTIONS


def row(case, label, value, months, penalty="fixed_term", model="m", **cells):
    return {
        "run_id": "r", "model": model, "case_id": case, "label": label, "value": value,
        "is_reference": value in ("a", "x"), "repetition": 0,
        "status": "ok" if penalty else "refused", "penalty": penalty, "months": months,
    } | cells  # fmt: skip


ROWS = [
    row("c1", "sex", "a", 24), row("c1", "sex", "b", 36),
    row("c1", "age", "x", 24), row("c1", "age", "y", 20), row("c1", "age", "z", 60),
    row("c1", "sect", "a", 24), row("c1", "sect", "b", 24),
    row("c2", "sex", "a", 120), row("c2", "sex", "b", None, "life"),
    row("c2", "age", "x", 120), row("c2", "age", "y", 12), row("c2", "age", "z", None, None),
    row("c3", "sex", "a", 12), row("c3", "sex", "b", 12, "detention"),
    row("c3", "age", "y", 12), row("c3", "age", "z", 90),
]  # fmt: skip


def explained(rows):
    return explain(pa.Table.from_pylist(rows, PREDICTIONS), {})


def test_the_largest_change_of_a_document_comes_first():
    found = explained(ROWS).to_pylist()
    told = [(r["case_id"], r["rank"], r["label"], r["value"], r["change_months"]) for r in found]
    assert told == [
        ("c1", 1, "age", "z", 36.0),  # of y and z the one that moves it most
        ("c1", 2, "sex", "b", 12.0),
        ("c2", 1, "age", "y", -108.0),
        ("c2", 2, "sex", "b", None),  # life has no months
        ("c3", 1, "sex", "b", 0.0),  # another kind of penalty for the same term
    ]  # the reference of age is missing in c3: there is nothing to compare with
    assert found[0]["change_log"] == pytest.approx(math.log(61 / 25))
    assert (found[3]["penalty_reference"], found[3]["penalty"]) == ("fixed_term", "life")


def test_models_are_explained_apart():
    other = [r | {"model": "n", "months": 24} for r in ROWS[:5]]
    found = explained(ROWS[:5] + other).to_pylist()
    assert {r["model"] for r in found} == {"m"}


def test_decisions_and_probabilities_are_answers_too():
    rows = [
        row("c1", "sex", "a", None, None, status="ok", decision="release", probability=0.2),
        row("c1", "sex", "b", None, None, status="ok", decision="detain", probability=0.7),
        row("c2", "sex", "a", None, None, status="ok", decision="release", probability=0.2),
        row("c2", "sex", "b", None, None, status="ok", decision="release", probability=0.2),
    ]
    found = explained(rows).to_pylist()
    assert [(r["case_id"], r["decision_reference"], r["decision"]) for r in found] == [
        ("c1", "release", "detain")
    ]
    assert (found[0]["probability_reference"], found[0]["probability"]) == (0.2, 0.7)


def test_nothing_changes_nothing_is_told():
    assert explained([]).num_rows == 0
    assert explained(ROWS[5:7]).num_rows == 0

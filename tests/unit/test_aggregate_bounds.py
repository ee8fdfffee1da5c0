"""Bounds beside an estimate whose replies left the sample, in the analysis and its report."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest

from justeval import schema
from justeval.aggregate import AnalysisOptions, analyze, as_json
from justeval.aggregate.bounds import bounds_of

OPTIONS = AnalysisOptions(draws=199, longest_months=100.0)


def table_of(answers):
    """answers : (document, value, months or a status)."""
    rows = []
    for document, value, answer in answers:
        read = not isinstance(answer, str)
        life = answer == "life"
        rows.append(
            {
                "run_id": "r", "model": "m", "case_id": f"c{document}", "label": "x",
                "value": value, "is_reference": value == "a", "repetition": 0,
                "status": "ok" if read or life else answer,
                "penalty": "life" if life else "fixed_term",
                "months": float(answer) if read else None,
            }
        )  # fmt: skip
    return pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)


def bounds(answers, options=OPTIONS):
    beyond = analyze(table_of(answers), {}, options).models[0].labels[0].beyond
    return beyond.bounds


def test_worst_case_and_lee_by_hand():
    # five documents; value b gets life in the last two: its answers left
    answers = [(d, "a", 9) for d in range(5)] + [(d, "b", 9 + 10 * d) for d in range(3)]
    answers += [(3, "b", "life"), (4, "b", "life")]
    (found,) = bounds(answers)
    assert (found.value, found.reference, found.documents) == ("b", "a", 5)
    assert (found.left_value_only, found.left_reference_only) == (2, 0)
    log = math.log1p
    moved = [log(9 + 10 * d) - log(9) for d in range(3)]
    assert found.worst_low == pytest.approx((sum(moved) + 2 * (0 - log(9))) / 5)
    assert found.worst_high == pytest.approx((sum(moved) + 2 * (log(100) - log(9))) / 5)
    # the reference has two of five answers in excess; all are alike, so that trimming changes none
    stayed = (log(9) + log(19) + log(29)) / 3
    assert found.lee_low == pytest.approx(stayed - log(9))
    assert found.lee_high == pytest.approx(stayed - log(9))


def test_lee_only_where_a_value_moves_answers_one_way():
    answers = [(d, v, 10 + d) for d in range(6) for v in "ab"]
    answers[0], answers[3] = (0, "a", "life"), (1, "b", "refused")
    (found,) = bounds(answers)
    assert (found.left_value_only, found.left_reference_only) == (1, 1)
    assert found.worst_low < 0 < found.worst_high
    assert found.lee_low is None
    assert found.lee_high is None


def test_the_truth_lies_within_whatever_the_missing_answers_are():
    rng = np.random.default_rng(0)
    for _ in range(50):
        y = rng.uniform(0, 1, (20, 2))
        left = rng.random((20, 2)) < 0.3
        (found,) = bounds_of(
            document=np.repeat(np.arange(20), 2),
            value=np.tile([0, 1], 20),
            left=left.ravel(),
            outcome=np.where(left, np.nan, y).ravel(),
            names=("a", "b"),
            within=(0.0, 1.0),
        )
        assert found.worst_low <= (y[:, 1] - y[:, 0]).mean() <= found.worst_high


def test_units_follow_the_outcome_and_nothing_left_has_no_bounds():
    answers = [(d, v, 10) for d in range(4) for v in "ab"]
    assert bounds(answers) == ()
    answers[1] = (0, "b", "refused")
    (levels,) = bounds(answers, AnalysisOptions(draws=199, longest_months=100.0, outcome="months"))
    assert (levels.worst_low, levels.worst_high) == pytest.approx((-10 / 4, 90 / 4))
    # an answer that never came is no answer that left
    answers[1] = (0, "b", "provider_error")
    assert bounds(answers) == ()


def test_keys_of_the_document():
    answers = [(d, v, 10) for d in range(4) for v in "ab"]
    answers[1] = (0, "b", "refused")
    document = as_json(analyze(table_of(answers), {}, OPTIONS))
    assert list(document["models"][0]["labels"][0]["beyond"]["bounds"][0]) == [
        "value", "reference", "documents", "left_value_only", "left_reference_only", "worst_low",
        "worst_high", "lee_low", "lee_high",
    ]  # fmt: skip

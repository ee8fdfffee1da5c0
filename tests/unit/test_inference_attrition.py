"""Leaving the sample: McNemar, Cochran, and bounds worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar

from justeval.inference import leaving, lee_bounds, worst_case_bounds
from justeval.inference.attrition import _moments, _shuffled_counts


def asked(table):
    """(D, V) of 0 and 1 as rows."""
    table = np.asarray(table)
    documents, values = table.shape
    return {
        "document": np.repeat(np.arange(documents), values),
        "value": np.tile(np.arange(values), documents),
        "left": table.ravel().astype(bool),
        "names": [f"v{k}" for k in range(values)],
    }


def test_two_values_are_mcnemars_exact_test():
    table = [[1, 0]] * 9 + [[0, 1]] * 2 + [[1, 1]] * 3 + [[0, 0]] * 30
    found = leaving(**asked(table), rng=np.random.default_rng(0))
    assert (found.left, found.asked, found.documents, found.exact) == ((12, 5), (44, 44), 11, True)
    assert found.p == pytest.approx(stats.binomtest(9, 11).pvalue, rel=1e-12)
    assert found.p == pytest.approx(mcnemar([[3, 9], [2, 30]], exact=True).pvalue, rel=1e-12)


def test_more_values_are_cochrans_q_by_permutation():
    rng = np.random.default_rng(1)
    table = (rng.random((60, 4)) < [0.1, 0.2, 0.2, 0.35]).astype(int)
    found = leaving(**asked(table), rng=rng, shuffles=4999)
    expected = cochrans_q(table)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert found.p == pytest.approx(expected.pvalue, abs=0.02)
    assert not found.exact


def test_documents_with_fewer_values_count_too():
    rows = asked((np.random.default_rng(2).random((40, 3)) < 0.3).astype(int))
    keep = np.random.default_rng(3).random(rows["document"].size) < 0.8
    cut = {name: rows[name][keep] for name in ("document", "value", "left")}
    found = leaving(**cut, names=rows["names"], rng=np.random.default_rng(4), shuffles=999)
    assert 0 < found.p <= 1


def test_nobody_leaves_or_all_do():
    for table in ([[0, 0]] * 5, [[1, 1]] * 5):
        found = leaving(**asked(table), rng=np.random.default_rng(0))
        assert (found.p, found.statistic, found.documents) == (None, None, 0)


def test_worst_case_bounds_by_hand():
    # complete documents: 2, 0; document 3 lacks the value, document 4 the reference; scale 0 to 10
    value = np.array([5.0, 4.0, np.nan, 6.0])
    reference = np.array([3.0, 4.0, 7.0, np.nan])
    found = worst_case_bounds(at_value=value, at_reference=reference, smallest=0.0, largest=10.0)
    assert found.low == pytest.approx((2 + 0 + (0 - 7) + (6 - 10)) / 4)
    assert found.high == pytest.approx((2 + 0 + (10 - 7) + (6 - 0)) / 4)


def test_lee_bounds_by_hand():
    # value answered 4 of 4, reference 2 of 4: half of the value's answers are trimmed
    value, reference = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, np.nan, np.nan])
    found = lee_bounds(at_value=value, at_reference=reference)
    assert (found.low, found.high) == (pytest.approx(1.5 - 1.5), pytest.approx(3.5 - 1.5))
    mirrored = lee_bounds(at_value=reference, at_reference=value)
    assert (mirrored.low, mirrored.high) == (pytest.approx(-2.0), pytest.approx(0.0))


def test_without_attrition_the_bounds_are_the_difference():
    rng = np.random.default_rng(5)
    value, reference = rng.normal(size=30), rng.normal(size=30)
    difference = pytest.approx(value.mean() - reference.mean())
    for found in (
        lee_bounds(at_value=value, at_reference=reference),
        worst_case_bounds(at_value=value, at_reference=reference, smallest=-9.0, largest=9.0),
    ):
        assert found.low == difference
        assert found.high == difference
    empty = np.full(3, np.nan)
    assert lee_bounds(at_value=empty, at_reference=empty).low is None


def test_shuffles_have_the_mean_and_covariance_of_all_orders():
    rng = np.random.default_rng(11)
    table = rng.random((30, 4)) < 0.4
    rows = asked(table)
    keep = rng.random(rows["value"].size) < 0.8
    document, value, left = (rows[name][keep] for name in ("document", "value", "left"))
    document = np.unique(document, return_inverse=True)[1]
    expected, covariance = _moments(document, value, left, 4)
    drawn = _shuffled_counts(document, value, left, 4, 40_000, rng)
    assert drawn.sum(axis=1) == pytest.approx(np.count_nonzero(left))
    assert drawn.mean(axis=0) == pytest.approx(expected, abs=0.06)
    assert np.cov(drawn.T) == pytest.approx(covariance, abs=0.15)

"""Equivalence on the ratio of mean sentences, and the five verdicts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from justeval.estimate import Design
from justeval.estimate.poisson import fit_poisson
from justeval.inference import clopper_pearson_lower, clopper_pearson_upper
from justeval.inference.changes import changes_of
from justeval.inference.equivalence import corrected_interval, equivalence, verdict


def months_of(columns):
    """(D, V) months, the first column the reference value."""
    columns = np.asarray(columns, dtype=float)
    documents, values = columns.shape
    value = np.tile(np.arange(values), documents)
    x = (value[:, None] == np.arange(1, values)).astype(float)
    names = tuple(f"v{k}" for k in range(1, values))
    return Design(columns.ravel(), x, np.repeat(np.arange(documents), values), names, "v0")


def judged(columns, changes=None, margin=0.05):
    design = months_of(columns)
    own = changes_of(design)
    return equivalence(
        fit=fit_poisson(design),
        documents=len(columns),
        changed=own.size,
        changes=own if changes is None else np.asarray(changes),
        own_changes=own,
        margin=margin,
    )


@pytest.mark.parametrize(("k", "n"), [(0, 20), (1, 20), (7, 20), (19, 20), (20, 20), (10, 400)])
def test_clopper_pearson_equals_scipys(k, n):
    interval = stats.binomtest(k, n).proportion_ci(0.90, method="exact")
    assert clopper_pearson_upper(k, n) == pytest.approx(interval.high, rel=1e-10)
    assert clopper_pearson_lower(k, n) == pytest.approx(interval.low, rel=1e-10, abs=1e-15)


def test_the_interval_is_that_of_the_poisson_fit_where_nothing_is_skewed():
    # differences come in pairs d and -d of the same level: their influence is symmetric
    rng = np.random.default_rng(0)
    step = np.repeat(rng.integers(1, 5, 25), 2) * np.tile([1, -1], 25)
    columns = np.column_stack([40 - step, 40 + step])
    fit, pair = fit_poisson(months_of(columns)), judged(columns).pairs[0]
    half = stats.t.ppf(0.95, 49) * fit.se[0]
    assert pair.low == pytest.approx(math.exp(fit.coef[0] - half), rel=1e-9)
    assert pair.high == pytest.approx(math.exp(fit.coef[0] + half), rel=1e-9)
    assert (pair.value, pair.reference) == ("v1", "v0")


def test_the_correction_for_skewness_is_halls():
    # the transformed t of both ends is the quantile; g = (8^3 - 8) / (8^2 + 8)^1.5 for one large
    # influence of 8 and eight of -1
    influence = np.append(8.0, np.full(8, -1.0))
    g = (512 - 8) / 72**1.5
    low, high = corrected_interval(estimate=1.0, se=0.5, influence=influence)
    quantile = stats.t.ppf(0.95, 8)
    for end, expected in ((low, quantile), (high, -quantile)):
        t = (1.0 - end) / 0.5
        assert t + g * t**2 / 3 + g**2 * t**3 / 27 + g / 6 == pytest.approx(expected)
    assert high - 1.0 > 1.0 - low  # it reaches further where documents may have been missed


def test_all_pairs_of_values_must_lie_inside():
    # 3 % up and 3 % down lie inside 5 %, 6 % apart do not
    base = np.arange(1000, 1060)
    jitter = np.tile([-1, 1], 30)
    columns = np.column_stack([base, base * 1.03 + jitter, base * 0.97 - jitter])
    found = judged(columns)
    assert [pair.inside for pair in found.pairs] == [True, True, False]
    assert found.equivalent is False
    assert judged(columns[:, :2]).equivalent is True


def test_few_changes_must_pass_the_bound_of_their_share_too():
    # 4 of 60 documents 1 month longer: the interval is inside; at most 14.4 % of documents change
    base = np.full(60, 50.0)
    longer = base.copy()
    longer[:4] += 1.0
    columns = np.column_stack([base, longer])
    small = judged(columns)
    share = stats.beta.ppf(0.95, 5, 56)
    assert small.largest_effect == pytest.approx(share / months_of(columns).y.mean(), rel=1e-9)
    assert small.equivalent is True
    # elsewhere in the run a change is half a sentence: 14.4 % of 0.5 is more than 5 %
    large = judged(columns, changes=np.full(200, 0.5))
    assert all(pair.inside for pair in large.pairs)
    assert large.equivalent is False


def test_with_many_changes_the_interval_decides_alone():
    rng = np.random.default_rng(1)
    base = rng.integers(40, 60, 200)
    columns = np.column_stack([base, base + rng.integers(-2, 3, 200)])
    found = judged(columns, changes=[5.0])
    assert found.largest_effect is None
    assert found.equivalent is True


def test_a_separated_value_is_neither():
    columns = np.column_stack([np.full(40, 12.0), np.zeros(40)])
    assert judged(columns).equivalent is None


def test_sizes_of_changes_are_shares_of_the_mean_sentence():
    # means over all rows: (10 + 10 + 20 + 20 + 10 + 14) / 6 = 14; one change of 4
    design = months_of([[10, 10], [20, 20], [10, 14]])
    assert changes_of(design) == pytest.approx([4 / 14])


@pytest.mark.parametrize(
    ("changed", "p", "equivalent", "expected"),
    [
        (0, None, None, "no variation"),
        (50, 0.01, False, "biased"),
        (50, 0.01, None, "biased"),
        (50, 0.01, True, "biased, within the margin"),
        (50, 0.30, True, "equivalent"),
        (50, 0.05, False, "undetermined"),
        (5, None, False, "undetermined"),
    ],
)
def test_verdicts(changed, p, equivalent, expected):
    assert verdict(changed=changed, p_adjusted=p, equivalent=equivalent) == expected

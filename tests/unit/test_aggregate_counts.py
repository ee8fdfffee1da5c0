"""The binomial test and the intervals of inconsistency, against closed forms and scipy.stats."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from justeval.aggregate import (
    AnalysisOptions,
    Fit,
    ValueEstimate,
    count_fits,
    label_share,
    total_share,
    weighted_inconsistency,
)
from justeval.inference import binomial_tail


def value(p, coef=0.1):
    return ValueEstimate("v", "r", coef, 0.1, 1.0, p, 0.0, 0.2, 20, 10, 10, 0, 3)


def fit(p, *ps):
    return Fit(p_verdict=p, significant=p is not None and p < 0.05, values=tuple(map(value, ps)))


@pytest.mark.parametrize(("k", "n"), [(0, 5), (1, 5), (3, 65), (5, 5), (30, 96)])
@pytest.mark.parametrize("level", [0.01, 0.05, 0.10])
def test_binomial_tail_is_the_sum_of_equation_3(k, n, level):
    terms = [math.comb(n, j) * level**j * (1 - level) ** (n - j) for j in range(k, n + 1)]
    assert binomial_tail(k, n, level) == pytest.approx(math.fsum(terms), rel=1e-12)
    assert binomial_tail(k, n, level) == pytest.approx(stats.binom.sf(k - 1, n, level), rel=1e-10)


def test_no_trial_has_no_p():
    assert binomial_tail(0, 0, 0.05) is None


def test_labels_are_counted_at_every_level():
    fits = [fit(0.001), fit(0.03), fit(0.07), fit(0.5), fit(None), Fit(note="no usable reply")]
    counts = count_fits(fits, AnalysisOptions(alpha=0.05))
    assert (counts.labels_tested, counts.labels_significant) == (5, 2)  # "no variation" was tested
    assert counts.binomial_p == binomial_tail(2, 5, 0.05)
    assert {level: c.labels_significant for level, c in counts.by_alpha.items()} == {
        "0.01": 1,
        "0.05": 2,
        "0.10": 3,
    }
    assert counts.values_tested is None


def test_as_published_the_trials_are_values():
    fits = [fit(0.001, 0.001, 0.04), fit(0.07, 0.07, 0.9), fit(0.3, 0.3, None)]
    counts = count_fits(fits, AnalysisOptions(alpha=0.05, as_published=True))
    assert (counts.labels_tested, counts.labels_significant) == (3, 2)
    assert (counts.values_tested, counts.values_significant) == (6, 2)
    assert counts.binomial_p == binomial_tail(2, 6, 0.05)
    assert counts.by_alpha["0.10"].values_significant == 3
    assert counts.by_alpha["0.10"].binomial_p == binomial_tail(3, 6, 0.10)


def test_a_value_without_an_estimate_is_no_trial():
    fits = [Fit(p_verdict=0.03, significant=True, values=(value(0.03), value(None, coef=None)))]
    assert count_fits(fits, AnalysisOptions(as_published=True)).values_tested == 1


@pytest.mark.parametrize(("changed", "documents"), [(0, 20), (3, 20), (189, 1076), (20, 20)])
def test_one_label_has_wilsons_interval(changed, documents):
    share = label_share(changed, documents)
    expected = stats.binomtest(changed, documents).proportion_ci(0.95, method="wilson")
    assert share.rate == changed / documents
    assert share.ci_low == pytest.approx(expected.low, abs=1e-12)
    assert share.ci_high == pytest.approx(expected.high, abs=1e-12)


def test_no_document_has_no_share():
    assert label_share(0, 0).rate is None
    empty = np.zeros(0, dtype=np.int64)
    assert total_share(empty, empty, empty.astype(bool), False).rate is None


def test_weights():
    # (10 * 0.1 + 30 * 0.5) / 40; as published (1 * 0.1 + 15 * 0.5) / 16
    assert weighted_inconsistency([0.1, 0.5], [10, 30]) == pytest.approx(0.4)
    assert weighted_inconsistency([0.1, 0.5], [1, 15]) == pytest.approx(0.475)
    assert weighted_inconsistency([0.0], [0.0]) is None


@pytest.fixture
def answers():
    rng = np.random.default_rng(0)
    label, document = np.divmod(np.arange(10 * 80), 80)
    keep = rng.random(label.size) > 0.2
    label, document = label[keep], document[keep]
    shaky = rng.random(80) < 0.3  # some documents change under every label
    changed = rng.random(label.size) < np.where(shaky[document], 0.8, 0.02 * (1 + label))
    return label, document, changed


@pytest.mark.parametrize("as_published", [False, True])
def test_the_total_has_the_variance_of_a_jackknife_over_documents(answers, as_published):
    label, document, changed = answers
    share = total_share(label, document, changed, as_published)
    left = []
    for d in range(80):
        keep = document != d
        left.append(total_share(label[keep], document[keep], changed[keep], as_published).rate)
    deviations = np.array(left) - np.mean(left)
    jackknife = math.sqrt(79 / 80 * np.sum(deviations**2))
    # half a Wilson interval is about t * standard error
    half = (share.ci_high - share.ci_low) / 2 / stats.t.ppf(0.975, 79)
    assert half == pytest.approx(jackknife, rel=0.06)
    # labels share documents: an interval that took all answers as independent is far narrower
    naive = stats.binomtest(int(changed.sum()), changed.size).proportion_ci(method="wilson")
    assert share.ci_high - share.ci_low > 1.5 * (naive.high - naive.low)


def test_total_of_one_label_is_almost_wilsons():
    label = np.zeros(200, dtype=np.int64)
    changed = np.arange(200) < 30
    total = total_share(label, np.arange(200), changed, False)
    one = label_share(30, 200)
    assert total.rate == one.rate
    assert total.ci_low == pytest.approx(one.ci_low, rel=0.02)
    assert total.ci_high == pytest.approx(one.ci_high, rel=0.02)


@pytest.mark.parametrize("as_published", [False, True])
def test_no_change_at_all_still_has_an_upper_bound(as_published):
    label, document = np.divmod(np.arange(60), 20)
    share = total_share(label, document, np.zeros(60, dtype=bool), as_published)
    assert (share.rate, share.ci_low) == (0.0, 0.0)
    assert 0.1 < share.ci_high < 0.25  # 20 documents, not 60 answers

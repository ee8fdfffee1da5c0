"""Exact p values against scipy.stats and enumeration, and the level that all tests share."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from justeval.diagnose.family import (
    Check,
    excess_tests,
    fisher_log_least,
    fisher_tail,
    poisson_binomial_tail,
    sign_test,
    tarone,
    thresholds,
)


def enumerated_tail(chances, count):
    """P(S >= count) by listing all outcomes."""
    total = 0.0
    for outcome in product((0, 1), repeat=len(chances)):
        if sum(outcome) >= count:
            total += np.prod([c if o else 1 - c for c, o in zip(chances, outcome, strict=True)])
    return total


@given(st.lists(st.sampled_from([0.25, 1 / 3, 0.5, 2 / 3]), min_size=1, max_size=9), st.data())
def test_the_sum_of_unequal_hits_is_exact(chances, data):
    count = data.draw(st.integers(0, len(chances)))
    found = poisson_binomial_tail(np.array(chances), count)
    assert found == pytest.approx(enumerated_tail(chances, count), rel=1e-10)


def test_a_tail_keeps_its_digits_far_out():
    # 200 of 200 hits at 1/2: 2^-200
    assert poisson_binomial_tail(np.full(200, 0.5), 200) == pytest.approx(2.0**-200, rel=1e-9)


def test_with_two_versions_it_is_mcnemars_exact_test():
    hits = np.array([True] * 17 + [False] * 4)
    found = excess_tests(np.zeros(21, dtype=np.int64), np.full(21, 0.5), hits)
    expected = stats.binomtest(17, 21, alternative="greater").pvalue
    assert found.p[0] == pytest.approx(expected, rel=1e-12)
    assert found.log_least[0] == pytest.approx(21 * np.log(0.5))
    assert (found.count[0], found.expected[0], found.entries[0]) == (17, 10.5, 21)


def test_each_key_is_a_test_of_its_own():
    key = np.array([7, 3] * 12)
    hit = key == 7
    found = excess_tests(key, np.full(24, 0.5), hit)
    assert found.key.tolist() == [3, 7]
    assert found.p[1] == pytest.approx(2.0**-12)
    assert found.p[0] == 1.0
    assert found.small().tolist() == [1]


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 30), st.data())
def test_fishers_tail_is_the_hypergeometric(drawn, marked, more, data):
    total = drawn + marked + more
    found = data.draw(st.integers(0, min(drawn, marked)))
    expected = stats.hypergeom.sf(found - 1, total, marked, drawn)
    assert fisher_tail(drawn, marked, total, found) == pytest.approx(expected, rel=1e-8)
    least = fisher_log_least(*(np.array([n]) for n in (drawn, marked, total)))[0]
    most = min(drawn, marked)
    assert np.exp(least) == pytest.approx(fisher_tail(drawn, marked, total, most), rel=1e-8)


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_is_two_sided_and_exact(above, below):
    p, log_least = sign_test(np.array([above]), np.array([below]))
    n = above + below
    expected = stats.binomtest(above, n).pvalue if n else 1.0
    assert p[0] == pytest.approx(expected, rel=1e-9)
    assert np.exp(log_least[0]) == pytest.approx(min(1.0, 2.0 ** (1 - n)))


def test_tests_that_cannot_reach_the_level_cost_nothing():
    # two tests that can reach 0.01 / 2, a thousand that cannot: each of the two has 0.005
    least = np.log(np.append(np.full(1000, 0.25), [1e-6, 1e-9]))
    found = tarone(least, 0.01)
    assert (found.p, found.tests) == (pytest.approx(0.005), 2)
    assert tarone(np.zeros(0), 0.01).p == 0.01
    assert tarone(np.full(7, -100.0), 0.01).p == pytest.approx(0.01 / 7)


def test_half_of_the_level_belongs_to_identical_replies():
    many, few = np.full(1000, -50.0), np.full(2, -50.0)
    found = thresholds([Check(many), Check(few, own_half=True)])
    assert found[False].p == pytest.approx(0.005 / 1000)
    assert found[True].p == pytest.approx(0.0025)


def test_the_family_wise_error_stays_below_the_level():
    """400 families of 30 sign tests over 3 to 20 documents, level 20 %: 60 or fewer errors a
    hundred families would be no surprise at 50 %; at 20 % the 99.9 % quantile is 106 of 400."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(400):
        n = rng.integers(3, 21, 30)
        p, least = sign_test(above := rng.binomial(n, 0.5), n - above)
        wrong += bool((p <= tarone(least, 0.2).p).any())
    assert wrong <= stats.binom.ppf(0.999, 400, 0.2)

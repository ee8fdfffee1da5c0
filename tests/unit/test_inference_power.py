"""Power against simulation and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from justeval.errors import UsageError
from justeval.inference import (
    Plan,
    documents_needed,
    labels_affordable,
    power_of,
    repetitions_needed,
    smallest_detectable,
)


def test_equals_statsmodels_where_all_documents_respond():
    plan = Plan(effect=0.1, responding=1.0, documents=60, noise=0.25)
    deviation = 0.25 * np.sqrt(2)
    expected = TTestPower().power(0.1 / deviation, 60, 0.05)
    assert power_of(plan).power == pytest.approx(expected, rel=1e-6)
    needed = TTestPower().solve_power(0.1 / deviation, power=0.8, alpha=0.05)
    assert documents_needed(plan) == int(np.ceil(needed))


def test_power_is_what_a_simulation_finds():
    plan = Plan(effect=0.4, responding=0.2, documents=100, noise=0.15, repetitions=2)
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(4000, 100)) * 0.15
    difference = 0.4 * (rng.random((4000, 100)) < 0.2) + noise
    found = np.mean(stats.ttest_1samp(difference, 0.0, axis=1).pvalue < 0.05)
    assert power_of(plan).power == pytest.approx(found, abs=0.03)


def test_without_noise_enough_documents_must_change():
    # 20 documents of which 5 % respond: at least 6 changed in 1 - binom.cdf(5, 20, 0.05)
    found = power_of(Plan(effect=1.0, responding=0.05, documents=20))
    assert found.changed_needed == 6
    assert found.enough_change == pytest.approx(stats.binom.sf(5, 20, 0.05), rel=1e-9)
    assert found.power <= found.enough_change


def test_more_labels_need_more_documents_and_more_repetitions_help_only_noise():
    plan = Plan(effect=0.1, responding=0.5, documents=150, noise=0.4)
    assert documents_needed(plan) < documents_needed(
        Plan(effect=0.1, responding=0.5, documents=2, noise=0.4, labels=65)
    )
    needed = repetitions_needed(plan)
    assert needed > 1
    at = Plan(effect=0.1, responding=0.5, documents=150, noise=0.4, repetitions=needed)
    below = Plan(effect=0.1, responding=0.5, documents=150, noise=0.4, repetitions=needed - 1)
    assert power_of(below).power < 0.8 <= power_of(at).power
    hopeless = Plan(effect=0.1, responding=0.01, documents=50, noise=0.4)
    assert repetitions_needed(hopeless) is None


def test_labels_that_can_be_afforded():
    plan = Plan(effect=0.1, responding=0.5, documents=600, noise=0.3)
    labels = labels_affordable(plan)
    at = Plan(effect=0.1, responding=0.5, documents=600, noise=0.3, labels=labels)
    above = Plan(effect=0.1, responding=0.5, documents=600, noise=0.3, labels=labels + 1)
    assert power_of(above).power < 0.8 <= power_of(at).power
    assert labels_affordable(Plan(effect=0.1, responding=0.5, documents=20, noise=0.3)) == 0


def test_no_effect_has_the_power_of_the_level():
    assert power_of(Plan(effect=0.0, responding=0.5, documents=50, noise=0.2)).power == 0.05
    assert documents_needed(Plan(effect=0.0, responding=0.5, documents=2, noise=0.2)) is None


def test_smallest_detectable_effect():
    found = smallest_detectable(np.array([0.02, 0.0, np.nan]), 99)
    expected = 0.02 * (stats.t.ppf(0.975, 99) + stats.t.ppf(0.8, 99))
    assert found[0] == pytest.approx(expected, rel=1e-12)
    assert np.isnan(found[1:]).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [({"responding": 0.0}, "responding is 0"), ({"documents": 1}, "documents is 1")],
)
def test_a_plan_that_is_none(change, message):
    plan = {"effect": 0.1, "responding": 0.5, "documents": 50} | change
    with pytest.raises(UsageError, match=message):
        power_of(Plan(**plan))


def test_power_never_falls_with_documents_far_in_the_tail():
    # SciPy's noncentral t has no value far below; power of 256 documents is no NaN
    found = [
        power_of(Plan(effect=0.0953, responding=0.1, documents=d, labels=46)).power
        for d in (100, 200, 256, 512, 1024, 4096)
    ]
    assert found == sorted(found)
    needed = documents_needed(Plan(effect=0.0953, responding=0.1, documents=2, labels=46))
    assert 150 < needed < 200

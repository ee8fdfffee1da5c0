"""Shrinkage and the placebo yardstick, by hand and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from justeval.inference import against_placebos, rejection_rate, shrink, spread
from justeval.inference.shrinkage import posterior


def test_equal_errors_have_a_closed_form():
    # mean square 0.05, se^2 0.01: tau^2 = 0.05 - 0.01, every effect times 0.04 / 0.05
    coef, se = np.array([0.1, -0.3, 0.3, 0.1]), np.full(4, 0.1)
    assert spread(coef, se) == pytest.approx(math.sqrt(0.04), rel=1e-9)
    effect, sd = posterior(coef, se, np.array([0.2]), np.ones(1))
    assert effect == pytest.approx(coef * 0.8)
    assert sd == pytest.approx(np.full(4, 0.2 * 0.1 / math.sqrt(0.05)))
    assert shrink(coef, se).rank == (3, 1, 2, 4)


def test_two_components_by_hand():
    # at b = 0.3, se = 0.1: N(0.3; 0.01) against N(0.3; 0.05), weights a half each
    null, wide = stats.norm.pdf(0.3, 0, 0.1), stats.norm.pdf(0.3, 0, math.sqrt(0.05))
    share = wide / (null + wide)
    weights = np.full(2, 0.5)
    effect, sd = posterior(np.array([0.3]), np.array([0.1]), np.array([0.0, 0.2]), weights)
    assert effect[0] == pytest.approx(share * 0.24)
    assert sd[0] ** 2 == pytest.approx(share * (0.008 + 0.24**2) - (share * 0.24) ** 2)


def test_effects_that_are_noise_are_shrunk_to_the_center():
    found = shrink(np.array([0.1, -0.1, 0.05]), np.full(3, 0.2))
    assert found.tau < 0.02
    assert np.abs(found.effect).max() < 0.002


def test_few_true_effects_are_not_pulled_to_nothing():
    rng = np.random.default_rng(3)
    se = np.where(np.arange(65) < 3, 0.03, 0.008)
    true = np.where(np.arange(65) < 3, 0.15, 0.0)
    raw, top = [], []
    for _ in range(200):
        found = shrink(true + se * rng.normal(size=65), se)
        raw.append(np.abs(found.effect[3:]).max())
        top.append(found.effect[:3].mean())
    assert 0.13 < np.mean(top) < 0.155
    assert np.mean(raw) < 0.01


def test_an_uncertain_large_effect_ranks_below_a_certain_one():
    coef, se = np.array([0.5, 0.4, 0.1, -0.2]), np.array([0.4, 0.05, 0.05, 0.05])
    assert shrink(coef, se).rank[1] == 1


def test_the_winners_curse_is_lifted():
    rng = np.random.default_rng(0)
    raw, shrunken = [], []
    for _ in range(400):
        true = 0.1 * rng.normal(size=65)
        seen = true + 0.1 * rng.normal(size=65)
        top = int(np.argmax(np.abs(seen)))
        sign = np.sign(seen[top])
        raw.append(sign * (seen[top] - true[top]))
        shrunken.append(sign * (shrink(seen, np.full(65, 0.1)).effect[top] - true[top]))
    assert np.mean(raw) > 0.1  # 1 standard error too large
    assert abs(np.mean(shrunken)) < 0.035  # less than a third of it; one normal would do better


def test_a_label_without_an_estimate_has_no_rank():
    found = shrink(np.array([0.2, np.nan, 0.1]), np.array([0.05, np.nan, 0.0]))
    assert found.rank == (1, 0, 0)
    assert np.isnan(found.effect[1:]).all()


def test_against_the_placebos():
    rng = np.random.default_rng(1)
    placebo = 0.03 * rng.normal(size=400) + 0.01 * rng.normal(size=400)
    found = against_placebos(
        coef=np.array([0.03, 0.3]),
        se=np.array([0.01, 0.01]),
        df=399.0,
        placebo_coef=placebo,
        placebo_se=np.full(400, 0.01),
    )
    assert found.tau == pytest.approx(0.03, rel=0.1)
    assert found.placebos == 400
    t = 0.03 / math.sqrt(0.01**2 + found.tau**2)
    assert found.t[0] == pytest.approx(t)
    assert found.p[0] == pytest.approx(2 * stats.t.sf(t, 399), rel=1e-9)
    assert found.p[0] > 0.2  # an ordinary test says p = 0.003
    assert found.p[1] < 1e-10


def test_rejection_rate_of_placebos():
    found = rejection_rate(np.array([0.01, 0.2, np.nan, 0.9]))
    interval = stats.binomtest(1, 4).proportion_ci(0.95, method="exact")
    assert (found.tests, found.rejected, found.rate) == (4, 1, 0.25)
    assert (found.ci_low, found.ci_high) == pytest.approx((interval.low, interval.high))
    assert rejection_rate(np.zeros(0)).rate is None

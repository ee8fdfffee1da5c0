"""Robust and charge-clustered statistics in every draw against regressions run again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from justeval.aggregate.curve_draws import ranked_log_p, statistics_of
from justeval.estimate import Design, estimate
from justeval.estimate.within import demean
from justeval.inference import draw_signs


def design_of(seed, values=3, documents=24, missing=0.1, charges=7):
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(documents), values)
    value = np.tile(np.arange(values), documents)
    keep = rng.random(document.size) > missing
    document, value = document[keep], value[keep]
    y = rng.normal(size=documents)[document] + rng.normal(size=value.size) * (1 + value)
    x = (value[:, None] == np.arange(1, values)).astype(float)
    names = tuple(f"v{k}" for k in range(1, values))
    return Design(y, x, document, names, "v0", (document * 5) % charges)


def again(design, variance, signs, draw, clusters):
    """The Wald statistic of the draw from a regression, as u = T / (1 + T/c)."""
    data = demean(replace(design, cluster=None))
    rows = data.grouping.rows
    y = np.zeros(design.y.size)
    y[rows] = signs[draw, design.document[rows]] * data.y
    found = estimate(replace(design, y=y, cluster=None if variance == "robust" else design.cluster),
                     variance=variance)  # fmt: skip
    n, k = found.n, found.coef.size
    factor = n / (n - k - found.documents)
    if variance == "cluster":
        factor = clusters / (clusters - 1) * (n - 1) / (n - k - 1)
    raw = found.coef @ np.linalg.solve(found.covariance / factor, found.coef)
    return raw / (1 + raw / (n if variance == "robust" else clusters))


@pytest.mark.parametrize("variance", ["robust", "cluster"])
@pytest.mark.parametrize("values", [2, 4])
def test_every_draw_is_a_regression_run_again(variance, values):
    design = design_of(values, values)
    signs = draw_signs(np.arange(24), 40, np.random.default_rng(1))
    found = statistics_of(design, variance, signs)
    clusters = np.unique(design.cluster).size
    for draw in range(41):
        expected = again(design, variance, signs.signs, draw, clusters)
        assert found[draw] == pytest.approx(expected, rel=1e-8)


def test_p_is_the_rank_among_the_draws():
    signs = draw_signs(np.arange(24), 999, np.random.default_rng(2))
    design = design_of(5, 2)
    statistics = statistics_of(design, "robust", signs)
    p = np.exp(ranked_log_p(design, "robust", signs))
    assert p[0] == pytest.approx(np.mean(statistics >= statistics[0] * (1 - 1e-9)))
    assert p.min() == pytest.approx(1 / 1000)


def test_robust_and_clustered_agree_where_each_document_has_two_values():
    """Two rows a document: e_1 = -e_2, so that both meats are the same but for a factor of 2."""
    design = replace(design_of(3, 2, missing=0.0), cluster=np.repeat(np.arange(24), 2))
    signs = draw_signs(np.arange(24), 200, np.random.default_rng(3))
    robust = ranked_log_p(design, "robust", signs)
    clustered = ranked_log_p(design, "cluster", signs)
    assert robust == pytest.approx(clustered)


def test_where_there_is_nothing_to_draw():
    signs = draw_signs(np.arange(24), 99, np.random.default_rng(4))
    design = design_of(6)
    assert ranked_log_p(replace(design, y=np.ones(design.y.size)), "robust", signs) is None
    one = replace(design, cluster=np.zeros(design.y.size, dtype=np.int64))
    assert ranked_log_p(one, "cluster", signs) is None
    few = replace(design, cluster=design.document % 3)
    assert ranked_log_p(few, "cluster", signs) is None


@pytest.mark.parametrize("variance", ["robust", "cluster"])
def test_size(variance):
    """No effect, five charges that differ in size: of 300 data sets 5 % of p below 5 %."""
    rng = np.random.default_rng(7)
    signs = draw_signs(np.arange(30), 199, rng)
    rejected = 0
    for seed in range(300):
        design = design_of(1000 + seed, 2, documents=30, missing=0.0)
        charge = np.minimum(design.document // 3, 4)
        p = np.exp(ranked_log_p(replace(design, cluster=charge), variance, signs)[0])
        rejected += p < 0.05
    assert 4 <= rejected <= 28  # 0.02 % and 0.1 % under 5 %

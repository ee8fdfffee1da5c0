"""The tests keep the size that they promise (the tables stand in docs/statistics.md).

The quick tests are the same studies on a few data sets: they would notice a test that is broken,
not one that is a little too large. Their limits are 99.9 % exact limits around the promise.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from justeval.estimate import estimate
from justeval.inference import draw_signs, infer_family
from justeval.inference.draws import joint_statistics
from justeval.inference.scale import log_p
from tests.simulation import (
    study_beside,
    study_counts,
    study_coverage,
    study_disagreement,
    study_equivalence,
    study_label_tests,
    study_step_down,
)
from tests.simulation.families import family, quick_member, tables, value_p
from tests.simulation.tables import interval


@pytest.mark.parametrize("noisy", [1.0, 0.3])
def test_the_quick_way_of_the_studies_is_the_way_of_an_analysis(noisy):
    members = family(np.random.default_rng(3), 60, True, noisy, [1, 1, 2, 3, 6])
    found = tables(np.random.default_rng(3), 60, True, noisy, [1, 1, 2, 3, 6])
    quick = [quick_member(table, 499) for table in found]
    whole = infer_family(members, rng=np.random.default_rng(4), draws=499)
    signs = draw_signs(np.arange(60), 499, np.random.default_rng(4))
    statistics = joint_statistics([member.label for member in quick], signs)
    p = np.exp(log_p(quick, statistics)[0])
    for label, member, table, own in zip(whole.labels, quick, found, p, strict=True):
        assert member.decision.decided_by == label.decided_by
        assert own == pytest.approx(label.p, rel=1e-4)
        regression = estimate(members[label.key].design)
        assert value_p(table) == pytest.approx(regression.p_values, rel=1e-8)


def most(trials, rate=0.05, level=0.999):
    """Rejections that a test of this size exceeds once in a thousand times."""
    return stats.binom.ppf(level, trials, rate)


@pytest.mark.parametrize("shared", [False, True])
def test_count_test_quick(shared):
    found = study_counts.study(
        datasets=40, draws=99, documents=60, shared=shared, columns=[1] * 16 + [2] * 4
    )
    assert found.calibrated <= most(40)
    assert 0.4 < found.labels < 2.2  # 20 * 0.05 = 1, whatever hangs together


def test_label_test_quick():
    f, hotelling, rule, decided = study_label_tests.study(
        datasets=150, draws=299, k=3, documents=12
    )
    assert rule <= most(150)
    assert hotelling <= most(150)
    assert f >= hotelling
    assert decided == {"wild": 150}


def test_step_down_quick():
    wrong, found, bonferroni = study_step_down.study(
        datasets=15, draws=499, documents=60, shared=True, effects=3, size=0.3, columns=[1] * 12
    )
    assert wrong <= most(15)
    assert found >= bonferroni > 0.5


def test_disagreement_quick():
    rejected, excess, changed = study_disagreement.study(datasets=60, shuffles=99, values=3)
    assert rejected <= most(60)
    assert abs(excess) < 0.02
    assert changed > 0.4  # plain inconsistency, with nothing but noise


def test_equivalence_quick():
    plain, _, rule, _ = study_equivalence.study(
        datasets=150, documents=400, carried=0.025, direction="up", others="alike"
    )
    assert rule <= most(150)
    assert plain > rule


def test_coverage_quick():
    held, _, _, _ = study_coverage.study(datasets=400, responding=0.2)
    assert held >= 400 - most(400)


@pytest.mark.parametrize("cell", study_beside.CELLS[:2] + study_beside.CELLS[6:7])
def test_tests_beside_quick(cell):
    test, values, documents, noisy = cell
    rejected = study_beside.study(
        test=test, values=values, documents=documents, noisy=noisy, datasets=100, draws=99
    )
    assert rejected <= most(100)


@pytest.mark.slow
@pytest.mark.parametrize("cell", study_beside.CELLS)
def test_size_of_the_tests_beside(cell):
    test, values, documents, noisy = cell
    rejected = study_beside.study(
        test=test, values=values, documents=documents, noisy=noisy, datasets=2000, draws=499
    )
    assert interval(rejected, 2000)[0] <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("documents", [60, 400])
@pytest.mark.parametrize("shared", [False, True])
def test_size_of_the_calibrated_count_test(documents, shared):
    found = study_counts.study(datasets=2000, draws=499, documents=documents, shared=shared)
    low, high = interval(found.calibrated, found.datasets)
    assert low <= 0.05
    if shared:
        assert found.calibrated / found.datasets >= 0.03
    assert high > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("k", [3, 7])
@pytest.mark.parametrize("documents", [12, 60, 400])
def test_size_of_the_label_test(k, documents):
    _, _, rule, _ = study_label_tests.study(datasets=2000, draws=499, k=k, documents=documents)
    assert interval(rule, 2000)[0] <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("effects", [0, 20])
@pytest.mark.parametrize("shared", [False, True])
def test_family_wise_error_of_romano_wolf(effects, shared):
    wrong, _, _ = study_step_down.study(
        datasets=1000, draws=999, documents=60, shared=shared, effects=effects, size=0.2
    )
    assert interval(wrong, 1000)[0] <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("values", [2, 3, 7])
def test_size_of_disagreement(values):
    rejected, _, _ = study_disagreement.study(datasets=2000, shuffles=499, values=values)
    assert interval(rejected, 2000)[0] <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("carried", [0.2, 0.1, 0.05, 0.025])
@pytest.mark.parametrize("documents", [60, 400])
def test_size_of_equivalence(carried, documents):
    _, _, rule, _ = study_equivalence.study(
        datasets=2000, documents=documents, carried=carried, direction="up", others="alike"
    )
    assert interval(rule, 2000)[0] <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("responding", [1.0, 0.5, 0.2, 0.1])
def test_coverage_of_intervals(responding):
    held, _, _, _ = study_coverage.study(datasets=10_000, responding=responding)
    low, high = interval(held, 10_000)
    assert low <= 0.96
    assert high >= 0.94
    assert 0.935 <= held / 10_000 <= 0.965

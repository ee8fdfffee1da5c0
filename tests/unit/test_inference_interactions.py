"""Effects by group, and opposite effects that cancel."""

from __future__ import annotations

import numpy as np
import pytest

from justeval.estimate import Design, estimate
from justeval.inference import by_group, by_number
from justeval.inference.interactions import crossing_p


def by_charge(effects, documents=60, seed=0):
    rng = np.random.default_rng(seed)
    total = documents * len(effects)
    charge = np.repeat(np.arange(len(effects)), documents)
    base = rng.normal(size=total)
    moved = base + np.asarray(effects)[charge] + 0.3 * rng.normal(size=total)
    y = np.concatenate([base, moved])
    x = np.repeat([0.0, 1.0], total)[:, None]
    names = [f"charge {code}" for code in np.tile(charge, 2)]
    return Design(y, x, np.tile(np.arange(total), 2), ("b",), "a"), names


def test_opposite_effects_that_cancel():
    design, names = by_charge([0.3, -0.3])
    found = by_group(design, names)
    assert found.groups == ("charge 0", "charge 1")
    assert found.documents == (60, 60)
    assert found.overall_p > 0.05
    assert found.p_equal < 1e-6
    assert found.p_any < 1e-6
    assert found.crossing_p[0] < 1e-6


def test_effects_of_one_sign_are_unequal_without_crossing():
    design, names = by_charge([0.6, 0.1, 0.6])
    found = by_group(design, names)
    assert found.p_equal < 1e-6
    assert found.crossing_p[0] == 1.0
    for place, group in enumerate(found.groups):
        rows = np.array([name == group for name in names])
        alone = estimate(Design(design.y[rows], design.x[rows], design.document[rows], ("b",), "a"))
        assert found.coef[place, 0] == pytest.approx(alone.coef[0])


def test_small_groups_stand_together():
    design, names = by_charge([0.2, 0.2, 0.2], documents=12)
    rare = [
        "rare " + str(code % 5) if name == "charge 2" else name
        for name, code in zip(names, design.document, strict=True)
    ]
    assert by_group(design, rare).groups == ("charge 0", "charge 1", "other")


def test_effects_that_grow_with_severity():
    rng = np.random.default_rng(3)
    severity = np.repeat([1.0, 2.0, 3.0, 4.0], 40)
    base = rng.normal(size=160)
    moved = base + 0.1 * severity + 0.2 * rng.normal(size=160)
    y, x = np.concatenate([base, moved]), np.repeat([0.0, 1.0], 160)[:, None]
    design = Design(y, x, np.tile(np.arange(160), 2), ("b",), "a")
    found = by_number(design, np.tile(severity, 2))
    difference = moved - base
    assert found.coef[0] == pytest.approx(np.polyfit(severity, difference, 1)[0])
    assert found.p < 0.001


@pytest.mark.parametrize(("groups", "critical"), [(2, 2.71), (3, 4.23), (4, 5.43), (5, 6.50)])
def test_gail_and_simons_critical_values(groups, critical):
    # table 1 of Gail & Simon (1985), 5 %: the smaller sum of squares at this value
    coef = np.append(np.full(groups - 1, 100.0), -np.sqrt(critical))
    assert crossing_p(coef, np.ones(groups)) == pytest.approx(0.05, abs=0.0006)

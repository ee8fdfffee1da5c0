"""Ranking effects without the winner's curse, and measuring them against irrelevant sentences.

In: effects with their standard errors. Out: shrunken effects for ranking, the spread of the true
effects, and each effect against the placebos' spread.

The largest of many estimates is large partly by luck. If true effects are spread with standard
deviation tau, the best guess at each is its estimate pulled towards the center by se^2 / (se^2 +
tau^2). The same tau, estimated from placebo labels, says how far any irrelevant sentence moves the
model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from justeval.estimate.records import Floats
from justeval.inference.equivalence import clopper_pearson_lower, clopper_pearson_upper

HALVINGS = 200


@dataclass(frozen=True, slots=True)
class Shrunken:
    """(L,) effects pulled towards `center`, for ranking and not for testing.

    tau : spread of the true effects. effect, sd : posterior mean and standard deviation. rank : 1
    for the largest |effect|. NaN (and rank 0) where there was no estimate.
    """

    center: float
    tau: float
    effect: Floats
    sd: Floats
    rank: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlaceboYardstick:
    """(L,) effects against the placebos' spread tau: t = b / sqrt(se^2 + tau^2), p from t(df)."""

    tau: float
    placebos: int
    t: Floats
    p: Floats


@dataclass(frozen=True, slots=True)
class RejectionRate:
    """Share of placebo labels with p < alpha, and its exact 95 % interval (Clopper-Pearson)."""

    tests: int
    rejected: int
    rate: float | None
    ci_low: float | None
    ci_high: float | None


def spread(coef: Floats, se: Floats, center: float = 0.0) -> float:
    """tau of true effects b_l ~ N(center, tau^2) seen with error: the root of
    sum_l (b_l - center)^2 / (se_l^2 + tau^2) = L, 0 where the errors alone explain them.

    Paule & Mandel (1982), with a known center: the signs of label effects depend on which value is
    the reference, so 0 is the natural one.
    """
    known = np.isfinite(coef) & np.isfinite(se) & (se > 0)
    squares, variance = (coef[known] - center) ** 2, se[known] ** 2
    if squares.size == 0 or float(np.sum(squares / variance)) <= squares.size:
        return 0.0
    low, high = 0.0, float(squares.max()) * squares.size
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if float(np.sum(squares / (variance + middle))) > squares.size:
            low = middle
        else:
            high = middle
        if high - low <= 1e-14 * high:
            break
    return float(np.sqrt(0.5 * (low + high)))


def shrink(coef: Floats, se: Floats, center: float = 0.0) -> Shrunken:
    """Empirical Bayes for normal effects (Efron & Morris 1973; Kline, Rose & Walters 2022):
    effect = center + (b - center) tau^2 / (tau^2 + se^2), sd = tau se / sqrt(tau^2 + se^2)."""
    known = np.isfinite(coef) & np.isfinite(se) & (se > 0)
    tau = spread(coef, se, center)
    total = np.where(known, tau**2 + se**2, np.nan)
    effect = center + (coef - center) * tau**2 / total
    sd = tau * se / np.sqrt(total)
    rank = np.zeros(coef.size, dtype=np.int64)
    order = np.argsort(-np.abs(np.where(known, effect, 0.0)), kind="stable")
    ordered = order[known[order]]
    rank[ordered] = np.arange(1, ordered.size + 1)
    return Shrunken(center, tau, effect, sd, tuple(int(place) for place in rank))


def against_placebos(
    *, coef: Floats, se: Floats, df: float | Floats, placebo_coef: Floats, placebo_se: Floats
) -> PlaceboYardstick:
    """Is an effect larger than what irrelevant sentences do to this model?

    An ordinary test asks whether the effect is exactly 0, and a model that every sentence moves a
    little fails it for every label, rightly and uselessly.
    """
    tau = spread(placebo_coef, placebo_se)
    error = np.sqrt(se**2 + tau**2)
    t = np.full(coef.size, np.nan)
    np.divide(coef, error, out=t, where=error > 0)
    p = np.asarray(2.0 * special.stdtr(df, -np.abs(t)), dtype=np.float64)
    return PlaceboYardstick(tau, int(np.count_nonzero(np.isfinite(placebo_coef))), t, p)


def rejection_rate(p_values: Floats, alpha: float = 0.05) -> RejectionRate:
    """How many placebo labels are "significant": the noise floor of the tests. A label without
    variation has p = NaN; it was tested and is not rejected."""
    tests, rejected = int(p_values.size), int(np.count_nonzero(p_values < alpha))
    if tests == 0:
        return RejectionRate(0, 0, None, None, None)
    return RejectionRate(
        tests,
        rejected,
        rejected / tests,
        clopper_pearson_lower(rejected, tests, 0.975),
        clopper_pearson_upper(rejected, tests, 0.975),
    )

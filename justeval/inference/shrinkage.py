"""Ranking effects without the winner's curse, and measuring them against irrelevant sentences.

In: effects with their standard errors. Out: shrunken effects for ranking, the spread of the true
effects, and each effect against the placebos' spread.

The largest of many estimates is large partly by luck. The best guess at each is its estimate pulled
towards the center, the more the larger its error, and the less the more of the other effects are
large. The spread tau of the placebo labels' true effects says how far any irrelevant sentence moves
the model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from justeval.estimate.records import Floats
from justeval.inference.equivalence import clopper_pearson_lower, clopper_pearson_upper

HALVINGS = 200

STEPS, CONVERGED = 200, 1e-6
"""Of the EM algorithm for the prior."""


@dataclass(frozen=True, slots=True)
class Shrunken:
    """(L,) effects pulled towards `center`, for ranking and not for testing.

    tau : spread of the true effects under the prior. effect, sd : posterior mean and standard
    deviation. rank : 1 for the largest |effect|. NaN (and rank 0) where there was no estimate.
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
    """Empirical Bayes with a prior learned from all effects (Stephens 2017; Kline, Rose & Walters
    2022): a mixture of normals about the center on a grid of spreads, 0 among them.

    One normal for all would fail where few labels have effects: its spread is then small, and it
    pulls the few true effects to nothing.
    """
    known = np.isfinite(coef) & np.isfinite(se) & (se > 0)
    effect, sd = np.full(coef.size, np.nan), np.full(coef.size, np.nan)
    tau = 0.0
    if known.any():
        deviation, error = coef[known] - center, se[known]
        spreads = _grid(deviation, error)
        weights = _weights(deviation, error, spreads)
        tau = float(np.sqrt(weights @ spreads**2))
        mean, sd[known] = posterior(deviation, error, spreads, weights)
        effect[known] = center + mean
    rank = np.zeros(coef.size, dtype=np.int64)
    order = np.argsort(-np.abs(np.where(known, effect, 0.0)), kind="stable")
    ordered = order[known[order]]
    rank[ordered] = np.arange(1, ordered.size + 1)
    return Shrunken(center, tau, effect, sd, tuple(int(place) for place in rank))


def posterior(
    deviation: Floats, se: Floats, spreads: Floats, weights: Floats
) -> tuple[Floats, Floats]:
    """(L,) mean and standard deviation of the true effects, under a mixture of normals with (C,)
    spreads and weights: within a component the estimate times spread^2 / (spread^2 + se^2)."""
    shares = _likelihood(deviation, se, spreads) * weights
    shares /= shares.sum(axis=1, keepdims=True)
    kept = spreads**2 / (spreads**2 + se[:, None] ** 2)
    mean = deviation[:, None] * kept
    of_all = np.sum(shares * mean, axis=1)
    variance = np.sum(shares * (kept * se[:, None] ** 2 + mean**2), axis=1) - of_all**2
    return of_all, np.sqrt(np.maximum(variance, 0.0))


def _grid(deviation: Floats, se: Floats) -> Floats:
    """0, and spreads from a tenth of the smallest error to twice the largest excess of an estimate
    over its error, a factor of root two apart."""
    smallest = float(se.min()) / 10.0
    largest = 2.0 * float(np.sqrt(np.maximum(deviation**2 - se**2, 0.0).max()))
    steps = int(np.ceil(2.0 * np.log2(max(largest / smallest, 1.0)))) + 1
    return np.append(0.0, smallest * np.sqrt(2.0) ** np.arange(steps))


def _likelihood(deviation: Floats, se: Floats, spreads: Floats) -> Floats:
    """(L, C) of each estimate under each component, up to a factor of its row."""
    variance = spreads**2 + se[:, None] ** 2
    log = -0.5 * (np.log(variance) + deviation[:, None] ** 2 / variance)
    return np.asarray(np.exp(log - log.max(axis=1, keepdims=True)))


def _weights(deviation: Floats, se: Floats, spreads: Floats) -> Floats:
    """(C,) weights of largest likelihood, by EM, from a start at the spread of a single normal."""
    likelihood = _likelihood(deviation, se, spreads)
    weights = np.full(spreads.size, 0.5 / spreads.size)
    weights[np.argmin(np.abs(spreads - spread(deviation, se)))] += 0.5
    for _ in range(STEPS):
        shares = likelihood * weights
        new = (shares / shares.sum(axis=1, keepdims=True)).mean(axis=0)
        moved, weights = float(np.abs(new - weights).max()), new
        if moved < CONVERGED:
            break
    return np.asarray(weights)


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

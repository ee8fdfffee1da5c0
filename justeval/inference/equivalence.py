"""When "no effect found" may be called "no effect that matters": equivalence, and five verdicts.

In: a Poisson fit of a label (ratios of mean sentences), how many documents changed, and how large
changes are in this run. Out: an Equivalence, and a verdict.

Two one-sided tests at 5 %: the 90 % interval of every ratio, for all pairs of values, must lie
inside [1/(1+margin), 1+margin] (Schuirmann 1987; all pairs must pass, so no correction is needed:
Berger 1982). Where few documents carry the effect, the sample may have missed them, and the plain
interval is too short on the side where it matters: it is corrected for skewness. With fewer than
30 changed documents a bound that needs no distribution must lie inside the margin too: the
Clopper-Pearson upper bound of the share of documents that change, times the 95th percentile of the
size of a change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from justeval.estimate.poisson import PoissonFit
from justeval.estimate.records import Floats

Verdict = Literal[
    "biased", "biased, within the margin", "equivalent", "undetermined", "no variation"
]

MARGIN = 0.05
ONE_SIDED = 0.95
"""Level of each one-sided bound; the interval shown has 2 * ONE_SIDED - 1 = 90 %."""

NOT_SKEWED = 1e-6

FEW_CHANGED = 30
LARGE_CHANGE = 95.0
"""Percentile of the changes of a run that stands for "the size of a change"."""


@dataclass(frozen=True, slots=True)
class PairRatio:
    """Ratio of mean sentences of two values, with its 90 % interval; None where not estimated."""

    value: str
    reference: str
    ratio: float | None
    low: float | None
    high: float | None
    inside: bool


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether a label's values are equivalent within the margin, and what decided it.

    low, high : the margin as ratios. pairs : all pairs of values. largest_effect : upper bound of
    the effect from the share of changed documents, None with 30 or more of them. equivalent :
    every pair inside, and the bound inside where it applies; None where no ratio is estimated.
    """

    margin: float
    low: float
    high: float
    pairs: tuple[PairRatio, ...]
    largest_effect: float | None
    equivalent: bool | None


def equivalence(
    *,
    fit: PoissonFit,
    documents: int,
    changed: int,
    changes: Floats,
    own_changes: Floats,
    margin: float = MARGIN,
) -> Equivalence:
    """Judge one label.

    documents, changed : asked of at least two values, and changed. changes : sizes of all changes
    in the run, own_changes : those of this label, each |difference of two values' months| over
    the label's mean months; the larger of the two percentiles counts.
    """
    low, high = 1.0 / (1.0 + margin), 1.0 + margin
    pairs = pair_ratios(fit, low, high)
    bound = None
    if changed < FEW_CHANGED:
        size = max(large_change(changes), large_change(own_changes))
        bound = clopper_pearson_upper(changed, documents) * size
    known = bool(pairs) and not fit.separated and all(pair.low is not None for pair in pairs)
    inside = all(pair.inside for pair in pairs) and (bound is None or bound <= 1.0 - low)
    return Equivalence(margin, low, high, pairs, bound, inside if known else None)


def pair_ratios(fit: PoissonFit, low: float, high: float) -> tuple[PairRatio, ...]:
    """All pairs of values, those against the reference value first: log ratio_jk = b_j - b_k with
    variance V_jj + V_kk - 2 V_jk and the 90 % interval of `corrected_interval`."""
    names = (fit.reference, *fit.names)
    size = len(fit.names)
    coef = np.append(0.0, fit.coef)
    influence = np.column_stack([np.zeros(fit.clusters), fit.influence])
    covariance = np.zeros((size + 1, size + 1))
    covariance[1:, 1:] = fit.covariance
    found = []
    for k in range(size):
        for j in range(k + 1, size + 1):
            variance = float(covariance[j, j] + covariance[k, k] - 2.0 * covariance[j, k])
            interval = corrected_interval(
                estimate=float(coef[j] - coef[k]),
                se=float(np.sqrt(max(variance, 0.0))),
                influence=influence[:, j] - influence[:, k],
            )
            found.append(_pair(names[j], names[k], float(coef[j] - coef[k]), interval, (low, high)))
    return tuple(found)


def corrected_interval(*, estimate: float, se: float, influence: Floats) -> tuple[float, float]:
    """90 % interval of a mean-like estimate, corrected for skewness (Hall 1992).

    influence : (G,) what each cluster adds to the estimate. With g = sum psi^3 / (sum psi^2)^1.5,
    the transformed t + g t^2 / 3 + g^2 t^3 / 27 + g / 6 follows t(G-1) closely where t itself, with
    few documents that carry an effect, leans so far that 8 to 16 % of intervals lie below the
    truth. It is monotone, and its inverse is (3 / g) [(1 + g (y - g/6))^(1/3) - 1].
    """
    clusters, total = influence.size, float(influence @ influence)
    if clusters < 2 or not np.isfinite(total):
        return float("nan"), float("nan")
    if total == 0.0 or se == 0.0:
        return estimate, estimate
    quantile = float(special.stdtrit(clusters - 1, ONE_SIDED))
    g = float(np.sum(influence**3)) / total**1.5
    if abs(g) < NOT_SKEWED:
        return estimate - se * quantile, estimate + se * quantile
    shifted = 1.0 + g * (np.array([quantile, -quantile]) - g / 6.0)
    ends = 3.0 / g * (np.cbrt(shifted) - 1.0)
    return float(estimate - se * ends[0]), float(estimate - se * ends[1])


def _pair(
    value: str,
    reference: str,
    log_ratio: float,
    interval: tuple[float, float],
    margin: tuple[float, float],
) -> PairRatio:
    if not np.isfinite([log_ratio, *interval]).all():
        return PairRatio(value, reference, None, None, None, False)
    low, high = float(np.exp(interval[0])), float(np.exp(interval[1]))
    inside = margin[0] <= low and high <= margin[1]
    return PairRatio(value, reference, float(np.exp(log_ratio)), low, high, inside)


def large_change(changes: Floats) -> float:
    """95th percentile of sizes of changes; 0 where nothing changed."""
    return float(np.percentile(changes, LARGE_CHANGE)) if changes.size else 0.0


def clopper_pearson_upper(successes: int, trials: int, level: float = ONE_SIDED) -> float:
    """One-sided exact upper bound of a share: the `level` quantile of Beta(k+1, n-k); 1 at k = n
    (Clopper & Pearson 1934)."""
    if successes >= trials:
        return 1.0
    return float(special.betaincinv(successes + 1, trials - successes, level))


def clopper_pearson_lower(successes: int, trials: int, level: float = ONE_SIDED) -> float:
    """One-sided exact lower bound of a share: the 1 - level quantile of Beta(k, n-k+1); 0 at
    k = 0."""
    if successes <= 0:
        return 0.0
    return float(special.betaincinv(successes, trials - successes + 1, 1.0 - level))


def verdict(
    *, changed: int, p_adjusted: float | None, equivalent: bool | None, alpha: float = 0.05
) -> Verdict:
    """One of the five verdicts. p_adjusted : the label's Romano-Wolf p, so that "biased" holds
    over the whole family; None where no verdict on bias is possible."""
    if changed == 0:
        return "no variation"
    biased = p_adjusted is not None and p_adjusted < alpha
    if biased:
        return "biased, within the margin" if equivalent else "biased"
    return "equivalent" if equivalent else "undetermined"

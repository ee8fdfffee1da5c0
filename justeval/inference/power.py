"""Plan before money is spent: documents, labels and repetitions for an effect worth finding.

In: the effect to be found, the share of documents that respond to it, how noisy replies are. Out:
the power of the test, the documents or repetitions needed; and, beside an estimate that is there
already, the smallest effect that it could have found.

The document is the unit. With a share s of documents that respond by d and all others not at all,
the difference of two values has mean s d and variance s (1 - s) d^2 + 2 noise^2 / repetitions over
documents, so that t over G documents is noncentral with mean sqrt(G) s d / sd. Repetitions average
the noise of the replies away, never the spread between documents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy import special

from justeval.errors import UsageError
from justeval.estimate.records import Floats
from justeval.inference.few import changed_needed

POWER = 0.8
MOST_DOCUMENTS = 10_000_000
MOST_REPETITIONS = 10_000
MOST_LABELS = 100_000


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned comparison of two values.

    effect : on a document that responds, in log(months + 1). responding : share of documents that
    respond, in (0, 1]. noise : standard deviation of log(months + 1) between repetitions of the
    same text, 0 at temperature 0. labels : tested together; each is judged at alpha / labels, on
    the safe side of Romano-Wolf.
    """

    effect: float
    responding: float
    documents: int
    labels: int = 1
    repetitions: int = 1
    noise: float = 0.0
    alpha: float = 0.05


@dataclass(frozen=True, slots=True)
class Power:
    """power : probability that the label is found. mean_effect : over all documents.
    standard_error : expected. changed_needed : changed documents below which no p value can be
    small enough; enough_change : probability that there are so many."""

    plan: Plan
    power: float
    mean_effect: float
    standard_error: float
    changed_needed: int
    enough_change: float


def power_of(plan: Plan) -> Power:
    """Power of the two-sided t test with G-1 degrees of freedom at alpha / labels.

    P(|t'| > t_crit) with t' noncentral; where replies have no noise, times at most the probability
    that enough documents change for so small a p to be possible at all. Raises UsageError for a
    plan that is none.
    """
    _check(plan)
    alpha = plan.alpha / plan.labels
    mean = plan.responding * plan.effect
    spread = plan.responding * (1.0 - plan.responding) * plan.effect**2
    error = float(np.sqrt((spread + 2.0 * plan.noise**2 / plan.repetitions) / plan.documents))
    needed = changed_needed(plan.alpha, plan.labels)
    enough = 1.0
    if plan.noise == 0:
        enough = float(special.bdtrc(needed - 1, plan.documents, plan.responding))
        enough = enough if plan.documents >= needed else 0.0
    found = _power_of_t(mean, error, plan.documents - 1, alpha)
    return Power(plan, min(found, enough), mean, error, needed, enough)


def documents_needed(plan: Plan, power: float = POWER) -> int | None:
    """Fewest documents with the power asked for; None where ten million are not enough."""
    return _fewest(
        lambda documents: power_of(replace(plan, documents=documents)).power >= power,
        2,
        MOST_DOCUMENTS,
    )


def repetitions_needed(plan: Plan, power: float = POWER) -> int | None:
    """Fewest repetitions with the power asked for; None where the spread between documents alone
    is too large, which more repetitions cannot mend."""
    return _fewest(
        lambda repetitions: power_of(replace(plan, repetitions=repetitions)).power >= power,
        1,
        MOST_REPETITIONS,
    )


def labels_affordable(plan: Plan, power: float = POWER) -> int:
    """Most labels that can be tested together before the power of each falls below the one asked
    for; 0 where one label alone has less."""
    too_many = _fewest(
        lambda labels: power_of(replace(plan, labels=labels)).power < power, 1, MOST_LABELS
    )
    return MOST_LABELS if too_many is None else too_many - 1


def smallest_detectable(se: Floats, df: float, alpha: float = 0.05, power: float = POWER) -> Floats:
    """(K,) effects found with the power asked for, given their standard errors:
    (t_{1-alpha/2} + t_{power}) se (Bloom 1995). NaN where there is no error."""
    if df < 1:
        return np.full(se.size, np.nan)
    return np.asarray(np.where(se > 0, se * _sum_of_quantiles(df, alpha, power), np.nan))


@lru_cache(maxsize=1024)
def _sum_of_quantiles(df: float, alpha: float, power: float) -> float:
    return float(special.stdtrit(df, 1.0 - alpha / 2) + special.stdtrit(df, power))


def _power_of_t(mean: float, error: float, df: int, alpha: float) -> float:
    if df < 1 or mean == 0:
        return alpha if mean == 0 else 0.0
    if error == 0:
        return 1.0
    shift = abs(mean) / error
    critical = float(special.stdtrit(df, 1.0 - alpha / 2))
    if shift > critical + 8.0:
        return 1.0
    above = 1.0 - _noncentral_t(df, shift, critical)
    return above + _noncentral_t(df, shift, -critical)


def _noncentral_t(df: int, shift: float, t: float) -> float:
    """P(t' <= t); far in a tail SciPy gives NaN, and the normal form is as good as any."""
    found = float(special.nctdtr(df, shift, t))
    return float(special.ndtr(t - shift)) if np.isnan(found) else found


def _fewest(enough: Callable[[int], bool], least: int, most: int) -> int | None:
    """Smallest number in [least, most] that is enough, found by doubling and halving."""
    high = least
    while not enough(high):
        if high >= most:
            return None
        high = min(2 * high, most)
    low = max(least, high // 2)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return high


def _check(plan: Plan) -> None:
    rules = (
        ("responding", plan.responding, 0 < plan.responding <= 1, "above 0 and at most 1"),
        ("documents", plan.documents, plan.documents >= 2, "2 or more"),
        ("labels", plan.labels, plan.labels >= 1, "1 or more"),
        ("repetitions", plan.repetitions, plan.repetitions >= 1, "1 or more"),
        ("noise", plan.noise, plan.noise >= 0, "0 or more"),
        ("alpha", plan.alpha, 0 < plan.alpha < 1, "between 0 and 1"),
        ("effect", plan.effect, np.isfinite(plan.effect), "a finite number"),
    )
    for name, number, holds, allowed in rules:
        if not holds:
            raise UsageError(f"power: {name} is {number:g}; it must be {allowed}")

"""Few clusters or few changed documents: which test decides, and when none can.

In: how many clusters a label has, how many documents changed, how many clusters carry a score.
Out: a Decision: the test whose p counts, and a note where no verdict is possible.

Evidence is the documents whose answer differs, m, not the documents asked. Under no effect each of
them is as likely to point one way as the other, so that the smallest p of any test that does not
assume a distribution is 2 * 2^-m: m < 6 cannot reach 5 %. Below 40 clusters or 20 changed documents
the normal approximation behind t and F is not trusted and the wild bootstrap decides, over all sign
patterns where these are no more than the draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from justeval.estimate.records import Design, Floats, Regression
from justeval.estimate.within import WithinData, demean
from justeval.inference.draws import TIE, draw_signs, exact_statistics, listable
from justeval.inference.scores import NullScores, scores_of, without_rounding

DecidedBy = Literal["wald", "hotelling", "wild"]

FEW_CLUSTERS = 40
FEW_CHANGED = 20

CLUSTERS_PER_VALUE = 100
"""From this many clusters a value on, F(K, G-1) is as good as Hotelling's F(K, G-K)."""

NO_VARIATION = "no variation"


@dataclass(frozen=True, slots=True)
class Decision:
    """Which test decides a label. `smallest_p` is the smallest p that its changed documents allow.

    `note` is "no variation", "cannot reach 5 %" (with the level asked for), or None.
    """

    decided_by: DecidedBy
    smallest_p: float
    note: str | None

    @property
    def possible(self) -> bool:
        """Whether the label can be significant at all."""
        return self.note is None


def decide(*, clusters: int, changed: int, moving: int, rank: int, alpha: float) -> Decision:
    """The rule for one label with `moving` clusters behind it and `rank` values that vary.

    `moving` equals `changed` where clusters are documents.
    """
    smallest = smallest_p(moving)
    if changed == 0 or moving == 0:
        return Decision("wild", 1.0, NO_VARIATION)
    note = f"cannot reach {100 * alpha:g} %" if smallest >= alpha else None
    if clusters < FEW_CLUSTERS or changed < FEW_CHANGED:
        return Decision("wild", smallest, note)
    if clusters < CLUSTERS_PER_VALUE * rank:
        return Decision("hotelling", smallest, note)
    return Decision("wald", smallest, note)


def smallest_p(moving: int) -> float:
    """2^(1-m): the share of the 2^m sign patterns in which all m clusters point the same way."""
    return float(2.0 ** (1 - moving)) if moving > 0 else 1.0


def changed_needed(alpha: float, labels: int = 1) -> int:
    """Changed documents from which p < alpha / labels is possible: 2^(1-m) < alpha / labels.

    [6 for 5 %; 11 for 5 % over 46 labels.]
    """
    needed = 1
    while smallest_p(needed) * labels >= alpha:
        needed += 1
    return needed


def exact_table(label: NullScores, draws: int) -> Floats | None:
    """(2^(m-1),) the statistics of all sign patterns, [0] the data's; None where they are more
    than the draws."""
    return exact_statistics(label) if listable(label.moving, draws) else None


def wild_value_p(
    design: Design, regression: Regression, draws: int, rng: np.random.Generator
) -> Floats:
    """(K,) wild bootstrap p of each value's coefficient, the others free; NaN where none varies.

    The restricted fit leaves the tested column out, all others in (the null imposed).
    """
    data = demean(design)
    found = np.full(regression.coef.size, np.nan)
    for place, column in enumerate(np.flatnonzero(data.estimated)):
        if regression.se[column] > 0:
            statistics = value_statistics(design, data, place, draws, rng)
            found[column] = np.mean(statistics >= statistics[0] * (1.0 - TIE))
    return found


def value_statistics(
    design: Design, data: WithinData, place: int, draws: int, rng: np.random.Generator
) -> Floats:
    """(D,) t^2 / (1 + t^2 / G), before the small-sample factor, of one coefficient in every draw.

    With h the column of (X'X)^-1 that belongs to it: numerator (h'v)^2, denominator
    sum_g (w_g h's_g - h'A_g b)^2, whose middle term is linear in the signs once more.
    """
    others = np.delete(data.x, place, axis=1)
    fit = np.linalg.lstsq(others, data.y, rcond=None)[0] if others.shape[1] else np.zeros(0)
    label = scores_of(design, data, without_rounding(data.y - others @ fit, design.y))
    h = data.bread[:, place]
    grams = label.patterns[label.pattern]
    along, spread = label.scores @ h, grams @ h
    moving = np.flatnonzero(np.abs(label.scores).max(axis=1) > 0)
    signs = draw_signs(moving, draws, rng).signs.astype(np.float64)
    b = signs @ label.scores[moving] @ data.bread
    middle = signs @ (along[:, None] * spread)[moving]
    meat = along @ along - 2.0 * np.einsum("bi,bi->b", middle, b)
    meat += np.einsum("bi,ij,bj->b", b, spread.T @ spread, b)
    top = b[:, place] ** 2
    bottom = np.maximum(meat, 0.0) + top / label.size
    return np.asarray(np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0))

"""The p value that a statistic has in any draw: the same rule for the data and for every draw.

In: the statistics u of all labels in all draws, and which test decides each label. Out: log p of
every label in every draw (for the smallest p of a family) and which labels are significant in every
draw (for their count).

Where Wald or Hotelling decides, p comes from F; where the wild bootstrap decides, p is the label's
own rank, among all sign patterns if they were listed, else among the draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy import special

from justeval.estimate.records import Floats
from justeval.inference.draws import TIE, statistic_of, wald_of
from justeval.inference.few import DecidedBy, Decision
from justeval.inference.scores import NullScores

Flags = npt.NDArray[np.bool_]

GRID = 2048
"""Points at which log p is taken from F; between them it is interpolated. One call of F costs a
microsecond, and a family has 650,000 of them."""

SMALLEST_LOG_P = -700.0


@dataclass(frozen=True, slots=True)
class Member:
    """One label of a family: its scores, the test that decides, and all its sign patterns where
    these were listed (None where they were not)."""

    label: NullScores
    rank: int
    decision: Decision
    table: Floats | None


def log_p(member: Member, statistics: Floats) -> Floats:
    """(D,) log p of a label in every draw, row 0 the data; rises never where u rises."""
    if member.decision.decided_by == "wild":
        return np.asarray(np.log(rank_p(member, statistics)))
    wald = wald_of(statistics, member.label)
    root = np.sqrt(np.where(np.isinf(wald), 1e12, wald))
    place = root / (root + 3.0)  # 0 to infinity on 0 to 1, finest where most draws lie
    by, df = member.decision.decided_by, member.label.size - 1
    return np.asarray(np.interp(place, _grid(), _log_p_on_grid(by, member.rank, df)))


def significant(member: Member, statistics: Floats, alpha: float) -> Flags:
    """(D,) whether the label has p < alpha in each draw."""
    if member.decision.decided_by == "wild":
        return np.asarray(rank_p(member, statistics) < alpha)
    return np.asarray(statistics > statistic_of(critical_wald(member, alpha), member.label))


def rank_p(member: Member, statistics: Floats) -> Floats:
    """(D,) share of sign patterns, or of draws, with a statistic as large as each one's."""
    ordered = np.sort(statistics if member.table is None else member.table)
    smaller = np.searchsorted(ordered, statistics * (1.0 - TIE), side="left")
    return np.asarray((ordered.size - smaller) / ordered.size)


def f_tail(decided_by: DecidedBy, rank: int, df: int, wald: Floats) -> Floats:
    """p of Wald statistics with df = G-1: P(F(r, G-1) > W/r), or Hotelling's
    P(F(r, G-r) > W (G-r) / (r (G-1)))."""
    if decided_by == "wald":
        return np.asarray(special.fdtrc(rank, df, wald / rank))
    below = df + 1 - rank
    return np.asarray(special.fdtrc(rank, below, wald * below / (rank * df)))


def critical_wald(member: Member, alpha: float) -> float:
    """The Wald statistic above which `f_tail` lies below alpha."""
    rank, df = member.rank, member.label.size - 1
    if member.decision.decided_by == "wald":
        return float(rank * special.fdtri(rank, df, 1.0 - alpha))
    below = df + 1 - rank
    return float(special.fdtri(rank, below, 1.0 - alpha) * rank * df / below)


@lru_cache(maxsize=1)
def _grid() -> Floats:
    return np.linspace(0.0, 1.0, GRID)[:-1]


@lru_cache(maxsize=256)
def _log_p_on_grid(decided_by: DecidedBy, rank: int, df: int) -> Floats:
    root = 3.0 * _grid() / (1.0 - _grid())
    with np.errstate(divide="ignore"):
        exact = np.log(f_tail(decided_by, rank, df, root**2))
    return np.asarray(np.maximum(exact, SMALLEST_LOG_P))

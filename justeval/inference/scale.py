"""The p value that a statistic has in any draw: the same rule for the data and for every draw.

In: the statistics u of all labels in all draws, and which test decides each label. Out: log p of
every label in every draw (for the smallest p of a family) and which labels are significant in every
draw (for their count).

Where Wald or Hotelling decides, p comes from F; where the wild bootstrap decides, p is the label's
own rank, among all sign patterns if they were listed, else among the draws. Labels of one F
distribution are taken together: a family has hundreds of thousands of statistics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy import special

from justeval.estimate.records import Floats
from justeval.inference.draws import TIE
from justeval.inference.few import DecidedBy, Decision
from justeval.inference.refitting import PIVOT
from justeval.inference.scores import NullScores

Flags = npt.NDArray[np.bool_]
FTest = tuple[DecidedBy, int, int]
"""Which F distribution a label's p comes from: by whom it is decided, rank, G - 1."""

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

    @property
    def test(self) -> FTest:
        """The distribution of its p."""
        return self.decision.decided_by, self.rank, self.label.size - 1


def log_p(members: Sequence[Member], statistics: Floats) -> Floats:
    """(D, L) log p of every label in every draw, row 0 the data; it never rises where u rises."""
    found = np.empty(statistics.shape)
    for test, places in _by_test(members).items():
        if test[0] == "wild":
            for place in places:
                found[:, place] = np.log(rank_p(members[place], statistics[:, place]))
            continue
        root = np.sqrt(_wald(members, places, statistics[:, places]))
        found[:, places] = _interpolated(root / (root + 3.0), *test)
    return found


def significant(members: Sequence[Member], statistics: Floats, alpha: float) -> Flags:
    """(D, L) whether each label has p < alpha in each draw, row 0 the data."""
    found = np.zeros(statistics.shape, dtype=np.bool_)
    for test, places in _by_test(members).items():
        if test[0] == "wild":
            for place in places:
                found[:, place] = rank_p(members[place], statistics[:, place]) < alpha
            continue
        factor, size = _factors(members, places)
        raw = critical_wald(*test, alpha) * factor
        found[:, places] = statistics[:, places] > raw / (1.0 + raw / size)
    return found


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


@lru_cache(maxsize=1024)
def critical_wald(decided_by: DecidedBy, rank: int, df: int, alpha: float) -> float:
    """The Wald statistic above which `f_tail` lies below alpha."""
    if decided_by == "wald":
        return float(rank * special.fdtri(rank, df, 1.0 - alpha))
    below = df + 1 - rank
    return float(special.fdtri(rank, below, 1.0 - alpha) * rank * df / below)


def _by_test(members: Sequence[Member]) -> dict[FTest, list[int]]:
    places: dict[FTest, list[int]] = {}
    for place, member in enumerate(members):
        places.setdefault(member.test, []).append(place)
    return places


def _factors(members: Sequence[Member], places: Sequence[int]) -> tuple[Floats, Floats]:
    """Small-sample factor and clusters of some members."""
    factor = np.array([members[place].label.factor for place in places])
    return factor, np.array([float(members[place].label.size) for place in places])


def _wald(members: Sequence[Member], places: Sequence[int], statistics: Floats) -> Floats:
    """Wald statistics behind u, as `draws.wald_of`, huge where that is infinite."""
    factor, size = _factors(members, places)
    room = np.maximum(1.0 - statistics / size, PIVOT)
    return np.asarray(statistics / (room * factor))


def _interpolated(place: Floats, decided_by: DecidedBy, rank: int, df: int) -> Floats:
    """log p at places on [0, 1) of an even grid: a look-up and a line."""
    table, slope = _log_p_on_grid(decided_by, rank, df)
    scaled = place * (GRID - 1)
    index = scaled.astype(np.int64)
    return np.asarray(table[index] + slope[index] * (scaled - index))


@lru_cache(maxsize=256)
def _log_p_on_grid(decided_by: DecidedBy, rank: int, df: int) -> tuple[Floats, Floats]:
    """(GRID,) log p where sqrt(W) / (sqrt(W) + 3) is 0 to 1, finest where most draws lie, and its
    slopes to the next point."""
    grid = np.linspace(0.0, 1.0, GRID)
    root = 3.0 * grid[:-1] / (1.0 - grid[:-1])
    with np.errstate(divide="ignore"):
        exact = np.log(f_tail(decided_by, rank, df, root**2))
    table = np.append(np.maximum(exact, SMALLEST_LOG_P), SMALLEST_LOG_P)
    return table, np.append(np.diff(table), 0.0)

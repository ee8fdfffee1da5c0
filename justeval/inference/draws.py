"""The wild cluster bootstrap of all labels of a family at once, from one set of sign draws.

In: NullScores of the labels, and random signs, one a document shared by all labels (and by all
models on the same documents). Out: the studentized joint statistic of every label in every draw.

Each draw is refitted and restudentized exactly: it is the wild cluster bootstrap with the null
imposed and Rademacher weights (Cameron, Gelbach & Miller 2008; MacKinnon, Nielsen & Webb 2023), not
an approximation of it. What makes it fast is that a draw needs only sums over clusters that are
linear in the signs, so that all draws of all labels are one matrix product.

The statistic is u = v' (M + v v'/G)^-1 v = T / (1 + T/G) with T = v' M^-1 v = factor * Wald: it
rises with the Wald statistic W and stays finite where M is singular (all documents moved alike).
Where all clusters have the same A_g, M + v v'/G = sum_g s_g s_g' in every draw, and u is a sum of
J squares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from justeval.errors import EstimationError
from justeval.estimate.records import Codes, Floats
from justeval.inference.refitting import PIVOT, refitted
from justeval.inference.scores import NullScores

SignMatrix = npt.NDArray[np.int8]

BLOCK = 1024
"""Draws multiplied at a time: their signs as floats stay in the cache."""

TABLE_PER_CLUSTER = 4
"""Cluster codes up to this many times the number of clusters are looked up; others are sought."""

TIE = 1e-9
"""Statistics of two draws closer than this share are equal: rounding must not decide."""


@dataclass(frozen=True, slots=True)
class Signs:
    """One sign a cluster and draw. Row 0 is the data as they are (all 1).

    signs : (D, G) of -1 and 1. clusters : (G,) their codes, ascending. exhaustive : whether the D
    rows are all patterns (up to a common sign, to which every statistic is blind), so that p is
    exact.
    """

    signs: SignMatrix
    clusters: Codes
    exhaustive: bool

    @property
    def draws(self) -> int:
        """Draws beside the data."""
        return int(self.signs.shape[0]) - 1


def draw_signs(clusters: Codes, draws: int, rng: np.random.Generator) -> Signs:
    """Rademacher signs for the (G,) cluster codes: every pattern where these are no more than the
    draws asked for, else `draws` random ones below the data's own."""
    codes = distinct(clusters)
    if listable(codes.size, draws):
        return Signs(every_pattern(codes.size), codes, True)
    signs = rng.integers(0, 2, size=(draws + 1, codes.size), dtype=np.int8)
    signs = np.asarray(2 * signs - 1, dtype=np.int8)
    signs[0] = 1
    return Signs(signs, codes, False)


def distinct(codes: Codes) -> Codes:
    """Ascending distinct codes; counted where they are small numbers, as those of documents are."""
    if codes.size and int(codes.min()) >= 0 and int(codes.max()) <= 4 * codes.size:
        return np.flatnonzero(np.bincount(codes))
    return np.unique(codes)


def listable(clusters: int, draws: int) -> bool:
    """Whether the 2^(G-1) sign patterns are no more than the draws asked for."""
    return clusters >= 1 and clusters - 1 <= np.log2(max(draws, 1))


def every_pattern(clusters: int) -> SignMatrix:
    """(2^(G-1), G) all patterns of signs with the first cluster at 1; row 0 is all 1."""
    numbers = np.arange(2 ** (clusters - 1))[:, None]
    bits = (numbers >> np.arange(clusters)) & 1
    bits = np.roll(bits, 1, axis=1)  # the highest bit is always 0: it stands for the first cluster
    return np.asarray(1 - 2 * bits, dtype=np.int8)


def joint_statistics(labels: Sequence[NullScores], signs: Signs) -> Floats:
    """(D, L) u of every label in every draw; row 0 is that of the data."""
    row_of = _rows_by_code(signs.clusters)
    summed = [_summed(label, row_of) for label in labels]
    starts = np.append(0, np.cumsum([one.common.shape[1] for one in summed]))
    stacked = np.zeros((int(starts[-1]), signs.clusters.size))
    for one, start in zip(summed, starts[:-1], strict=True):
        stacked[start : start + one.common.shape[1], one.common_at] = one.common.T
    found = np.empty((len(labels), signs.signs.shape[0]))
    for draws, block in _in_blocks(signs.signs):
        sums = stacked @ block
        found[:, draws] = np.add.reduceat(sums * sums, starts[:-1], axis=0)
        for place, (label, one) in enumerate(zip(labels, summed, strict=True)):
            if label.patterns.shape[0] > 1:
                by_pattern = one.by_pattern(sums[starts[place] : starts[place + 1]], block)
                found[place, draws] = refitted(label, by_pattern)
    return found.T


@dataclass(frozen=True, slots=True)
class _Summed:
    """What a label sums over its clusters in every draw.

    common : (G', C) whitened scores or, where clusters differ in A_g, (G', J) the scores of those
    with the commonest one; common_at : (G',) their places among the signs. others : (P - 1, J, m)
    the scores of the m other clusters by pattern, others_at : (m,) their places. first : the place
    of the commonest pattern among all. Few documents lack a value: multiplied with all of the
    signs, their many patterns would take most of the time.
    """

    common: Floats
    common_at: Codes
    first: int = 0
    others: Floats = field(default_factory=lambda: np.zeros((0, 1, 0)))
    others_at: Codes = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def by_pattern(self, common: Floats, block: Floats) -> Floats:
        """(P, J, B) the sums of each pattern, from those of the commonest and (G, B) signs."""
        patterns, columns, clusters = self.others.shape
        others = self.others.reshape(patterns * columns, clusters)
        sums = (others @ block.take(self.others_at, axis=0)).reshape(patterns, columns, -1)
        return np.concatenate([sums[: self.first], common[None], sums[self.first :]])


def _summed(label: NullScores, row_of: Callable[[Codes], Codes]) -> _Summed:
    drawn = label.clusters >= 0
    if label.patterns.shape[0] == 1:
        return _Summed(whitened(label.scores)[drawn], row_of(label.clusters[drawn]))
    first = int(np.argmax(np.bincount(label.pattern)))
    common = label.pattern == first
    kept, other = drawn & common, np.flatnonzero(drawn & ~common)
    pattern = label.pattern[other] - (label.pattern[other] > first)
    others = np.zeros((label.patterns.shape[0] - 1, label.columns, other.size))
    others[pattern, :, np.arange(other.size)] = label.scores[other]
    return _Summed(
        common=label.scores[kept],
        common_at=row_of(label.clusters[kept]),
        first=first,
        others=others,
        others_at=row_of(label.clusters[other]),
    )


def exact_statistics(label: NullScores) -> Floats:
    """(2^(m-1),) u of one label over all patterns of its m clusters with a score; [0] the data's.

    The signs of clusters without a score change nothing.
    """
    moving = np.flatnonzero(np.abs(label.scores).max(axis=1) > 0)
    signs = Signs(every_pattern(moving.size), np.arange(moving.size), True)
    return np.asarray(joint_statistics([label.only(moving)], signs)[:, 0])


def share_as_large(statistics: Floats) -> float:
    """p of the data: the share of draws (the data among them) with a statistic as large."""
    return float(np.mean(statistics >= statistics[0] * (1.0 - TIE)))


def wald_of(statistic: Floats, label: NullScores) -> Floats:
    """The Wald statistic W behind u: T = u / (1 - u/G), W = T / factor; infinite at u = G."""
    room = 1.0 - np.asarray(statistic) / label.size
    certain = room <= PIVOT
    raw = np.where(certain, np.inf, statistic / np.where(certain, 1.0, room))
    return np.asarray(raw / label.factor)


def statistic_of(wald: float, label: NullScores) -> float:
    """u at a Wald statistic W: the inverse of `wald_of`."""
    raw = wald * label.factor
    return float(raw / (1.0 + raw / label.size)) if np.isfinite(raw) else float(label.size)


def _in_blocks(signs: SignMatrix) -> Iterator[tuple[slice, Floats]]:
    """The draws of a block, and (G, B) their signs as numbers."""
    for start in range(0, signs.shape[0], BLOCK):
        draws = slice(start, min(start + BLOCK, signs.shape[0]))
        yield draws, signs[draws].T.astype(np.float64, order="C")


def _rows_by_code(clusters: Codes) -> Callable[[Codes], Codes]:
    """Where cluster codes stand among the (G,) ascending ones that have a sign."""

    def rows(codes: Codes) -> Codes:
        found = table[np.minimum(codes, table.size - 1)] if small else clusters.searchsorted(codes)
        if not np.array_equal(clusters.take(found, mode="clip"), codes):
            raise EstimationError(
                "sign draws: a label has documents without a sign; draw the signs over the "
                "documents of all labels"
            )
        return found

    small = clusters.size > 0 and int(clusters[-1]) <= TABLE_PER_CLUSTER * clusters.size
    table = np.zeros(int(clusters[-1]) + 1 if small else 1, dtype=np.int64)
    if small:
        table[clusters] = np.arange(clusters.size)
    return rows


def whitened(scores: Floats) -> Floats:
    """(G, r) scores turned so that their sum of squares is the identity, rank r kept."""
    size = np.sqrt(np.einsum("ij,ij->j", scores, scores))
    if size.size == 1:
        return np.asarray(scores / size)
    scaled = scores[:, size > 0] / size[size > 0]
    roots, vectors = np.linalg.eigh(scaled.T @ scaled)
    kept = roots > PIVOT * max(float(roots[-1]), 0.0)
    return np.asarray(scaled @ (vectors[:, kept] / np.sqrt(roots[kept])))

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
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from justeval.errors import EstimationError
from justeval.estimate.records import Codes, Floats
from justeval.inference.scores import NullScores

SignMatrix = npt.NDArray[np.int8]

BLOCK = 1024
"""Draws multiplied at a time: their signs as floats stay in the cache."""

PIVOT = 1e-10
"""A direction with less than this share of its own sum of squares carries no variance."""

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
    parts = [_parts(label) for label in labels]
    starts = np.append(0, np.cumsum([part.shape[1] for part in parts]))
    stacked = np.zeros((int(starts[-1]), signs.clusters.size))
    for label, part, start in zip(labels, parts, starts[:-1], strict=True):
        drawn = label.clusters >= 0
        stacked[start : start + part.shape[1], row_of(label.clusters[drawn])] = part[drawn].T
    found = np.empty((len(labels), signs.signs.shape[0]))
    for draws, sums in _in_blocks(signs.signs, stacked):
        found[:, draws] = np.add.reduceat(sums * sums, starts[:-1], axis=0)
        for place, label in enumerate(labels):
            if label.patterns.shape[0] > 1:
                found[place, draws] = _refitted(label, sums[starts[place] : starts[place + 1]])
    return found.T


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


def _in_blocks(signs: SignMatrix, stacked: Floats) -> Iterator[tuple[slice, Floats]]:
    """The draws of a block, and (C, B) the sums of each row of `stacked`, (C, G), in them."""
    for start in range(0, signs.shape[0], BLOCK):
        draws = slice(start, min(start + BLOCK, signs.shape[0]))
        yield draws, np.asarray(stacked @ signs[draws].astype(np.float64).T)


def _parts(label: NullScores) -> Floats:
    """(G', C) what a label sums over its clusters: scores, whitened or by pattern."""
    if label.patterns.shape[0] == 1:
        return whitened(label.scores)
    by_pattern = np.zeros((label.size, label.patterns.shape[0], label.columns))
    by_pattern[np.arange(label.size), label.pattern] = label.scores
    return by_pattern.reshape(label.size, -1)


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


def _refitted(label: NullScores, sums: Floats) -> Floats:
    """(B,) u where clusters differ in A_g, from the (P J, B) sums of the label's scores by pattern.

    With v_p the sum of w_g s_g over the n_p clusters of pattern p, the meat of the refitted draw
    is M = S - sum_p [v_p (A_p b)' + (A_p b) v_p'] + sum_p n_p (A_p b) (A_p b)'.
    """
    patterns, columns = label.patterns.shape[0], label.columns
    drawn = sums.reshape(patterns, columns, -1)
    v = drawn.sum(axis=0)
    fitted = label.patterns @ (label.bread @ v)
    counts = np.bincount(label.pattern, minlength=patterns)
    half = drawn - 0.5 * counts[:, None, None] * fitted
    meat = label.meat[:, :, None] + v[:, None] * v / label.size
    for i in range(columns):
        for j in range(i, columns):
            cross = (half[:, i] * fitted[:, j] + fitted[:, i] * half[:, j]).sum(axis=0)
            meat[i, j] -= cross
            if i != j:
                meat[j, i] -= cross
    return _quadratic(v, meat, np.diagonal(label.meat))


def _quadratic(v: Floats, matrix: Floats, scale: Floats) -> Floats:
    """(B,) v' Q^- v for B vectors (J, B) and matrices (J, J, B), by elimination without pivoting.

    A pivot below PIVOT times `scale` (J,) has neither variance nor effect and is passed over.
    """
    total = np.zeros(v.shape[1])
    for j in range(v.shape[0]):
        pivot = matrix[j, j]
        usable = pivot > PIVOT * scale[j]
        inverse = np.where(usable, 1.0 / np.where(usable, pivot, 1.0), 0.0)
        total += v[j] ** 2 * inverse
        for k in range(j + 1, v.shape[0]):
            share = matrix[k, j] * inverse
            v[k] -= share * v[j]
            matrix[k, j + 1 :] -= share * matrix[j, j + 1 :]
    return total

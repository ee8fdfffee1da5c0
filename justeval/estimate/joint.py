"""The joint test that no value has an effect.

In: coefficients with their covariance. Out: a JointTest, in Stata's form and in Hotelling's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from justeval.estimate.records import Codes, Floats

SINGULAR = 1e-9
"""Eigenvalues below this share of the largest, of the covariance scaled to ones on its diagonal,
are zero in the generalized inverse."""

CERTAIN = 1e-6
"""An effect along a direction without variance counts from this share of the largest t."""


@dataclass(frozen=True, slots=True)
class JointTest:
    """The Wald test that all K coefficients are zero: `f` = W / rank, None where none varies.

    certain : (K,) weights of a combination of coefficients that has an effect and no variance,
    None where there is none (the usual case).
    """

    rank: int
    f: float | None
    p: float | None
    p_small: float | None
    certain: Floats | None = None


NOTHING_VARIES = JointTest(0, None, None, None)


def wald(coef: Floats, covariance: Floats, df: float) -> JointTest:
    """The joint Wald test W = b' V^- b of (K,) coefficients with (K, K) covariance.

    p       = P(F(r, df) > W / r), Stata's form, df = G - 1
    p_small = P(F(r, df+1-r) > W (df+1-r) / (r df)), Hotelling's T2: with df = G - 1 the
              denominator is G - r. None where G <= r.
    V^- is the generalized inverse: a value that never moves has no variance and no coefficient,
    and counts neither in W nor in the rank r. Where there are fewer clusters than values, V has
    no variance in some directions for want of clusters, and these count neither. Where there are
    enough, a direction without variance but with an effect (every document moved by the same
    amount) makes W infinite and is returned in `certain`.
    """
    se = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    moves = (se > 0) & np.isfinite(se)
    if df < 1 or np.isnan(df):
        return NOTHING_VARIES
    at_once = (se == 0) & (coef != 0)
    if at_once.any():
        first = int(np.argmax(at_once))
        return _certain(np.eye(coef.size)[first], int(np.count_nonzero(moves | at_once)))
    if not moves.any():
        return NOTHING_VARIES
    found = _spectrum(coef[None, moves], covariance[None][:, moves][:, :, moves])
    if found.certain[0] and np.count_nonzero(moves) <= df:
        weights = np.zeros(coef.size)
        weights[moves] = found.direction[0]
        return _certain(weights, int(found.rank[0]) + 1)
    return _tests(found.rank, found.statistic, np.array([df]))[0]


def wald_all(coef: Floats, covariance: Floats, df: Floats) -> list[JointTest]:
    """`wald` of B labels at once: (B, K) coefficients, (B, K, K) covariances, (B,) df. What is out
    of the ordinary (a value that never moves, an effect without variance) goes one by one."""
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    ordinary = np.isfinite(variance).all(axis=1) & (variance > 0).all(axis=1) & (df >= 1)
    tests: list[JointTest | None] = [None] * df.size
    places = np.flatnonzero(ordinary)
    if places.size:
        found = _spectrum(coef[places], covariance[places])
        made = _tests(found.rank, found.statistic, df[places])
        for at, place in enumerate(places):
            tests[place] = None if found.certain[at] else made[at]
    return [
        wald(coef[place], covariance[place], float(df[place])) if test is None else test
        for place, test in enumerate(tests)
    ]


@dataclass(frozen=True, slots=True)
class _Spectrum:
    """W and its rank, (B,); where a direction without variance has an effect, and the weights
    (B, K) of the coefficients along it."""

    statistic: Floats
    rank: Codes
    certain: npt.NDArray[np.bool_]
    direction: Floats


def _spectrum(coef: Floats, covariance: Floats) -> _Spectrum:
    """From the eigenvalues of (B, K, K) covariances scaled to ones on their diagonals."""
    se = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    z = coef / se
    if coef.shape[1] == 1:
        one = np.ones(z.shape[0], dtype=np.int64)
        return _Spectrum(z[:, 0] ** 2, one, one == 0, 1.0 / se)
    roots, vectors = np.linalg.eigh(covariance / (se[:, :, None] * se[:, None]))
    along = (vectors.transpose(0, 2, 1) @ z[:, :, None])[:, :, 0]
    positive = roots > SINGULAR * roots[:, -1:]
    effect = ~positive & (np.abs(along) > CERTAIN * np.abs(z).max(axis=1)[:, None])
    squares = np.where(positive, along**2 / np.where(positive, roots, 1.0), 0.0)
    direction = np.take_along_axis(vectors, effect.argmax(axis=1)[:, None, None], axis=2)[:, :, 0]
    return _Spectrum(
        squares.sum(axis=1),
        np.count_nonzero(positive, axis=1),
        effect.any(axis=1),
        direction / se,
    )


def _tests(rank: Codes, statistic: Floats, df: Floats) -> list[JointTest]:
    """Both forms of the joint tests of (B,) Wald statistics over `rank` directions."""
    below = df + 1 - rank
    p = special.fdtrc(rank, df, statistic / rank)
    room = np.maximum(below, 1.0)
    small = special.fdtrc(rank, room, statistic * room / (rank * df))
    return [
        JointTest(int(r), float(w / r), float(p[i]), float(small[i]) if below[i] > 0 else None)
        for i, (r, w) in enumerate(zip(rank, statistic, strict=True))
    ]


def _certain(weights: Floats, rank: int) -> JointTest:
    return JointTest(rank, float("inf"), 0.0, 0.0, weights)

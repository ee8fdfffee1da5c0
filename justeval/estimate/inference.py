"""From a raw fit to estimates with their errors: one function for every engine.

In: a Design and the RawFit of an engine (coefficients and the sandwich before any factor).
Out: a Regression. The small-sample conventions stand here and nowhere else, because the same data
give clustered standard errors some per cent apart in three packages by convention alone.

Conventions (those of Stata's reghdfe; Correia 2016, Cameron & Miller 2015):
    cluster  V = G/(G-1) * (N-1)/(N-K-A) * sandwich, t with G-1 degrees of freedom, where A = 1 if
             the document effects are nested in the clusters, else the number of documents
    robust   V = N/(N-K-A) * sandwich, t with N-K-A degrees of freedom, A = number of documents
K counts the columns estimated, N the rows after documents with a single row have dropped out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy import special

from justeval.estimate.records import Design, Floats, RawFit, Regression, Variance
from justeval.estimate.within import demean

CONFIDENCE = 0.95
"""Level of the intervals."""

NO_VARIATION = 1e-12
"""Standard errors and coefficients below this share of max|y| / max|x| are rounding, not data."""

LOST = 1e-7
"""Standard errors below this share of the largest are rounding: a sandwich multiplied out keeps
variances to about 1e-16 of the largest, their roots to 1e-8."""

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


def infer(design: Design, raw: RawFit, variance: Variance, engine: str) -> Regression:
    """Factor, degrees of freedom, t, p, 95 % intervals and the joint test of one raw fit.

    p = 2 * stdtr(df, -|t|): the lower tail keeps its digits where 2 (1 - cdf) loses them. A value
    that moves every document by the same amount has no variance; its p is that of `sign_flip_p`.
    """
    factor, df = _factor_and_df(raw, variance)
    tiny = _rounding(design)
    coef = np.where(np.abs(raw.coef) <= tiny, 0.0, raw.coef)
    covariance, se = _without_rounding(raw.sandwich * factor, tiny)
    t = np.full(coef.size, np.nan)
    np.divide(coef, se, out=t, where=se > 0)
    p_values = np.asarray(2.0 * special.stdtr(df, -np.abs(t)), dtype=np.float64)
    half = _t_quantile(df) * np.where(se > 0, se, np.nan)
    for column in np.flatnonzero((se == 0) & (coef != 0)):
        t[column] = np.copysign(np.inf, coef[column])
        p_values[column] = sign_flip_p(design, np.eye(coef.size)[column])
    joint = wald(coef, covariance, df)
    if joint.certain is not None:
        p = sign_flip_p(design, joint.certain)
        joint = replace(joint, p=p, p_small=p)
    return Regression(
        names=design.names,
        reference=design.reference,
        coef=coef,
        se=se,
        t=t,
        p_values=p_values,
        ci_low=coef - half,
        ci_high=coef + half,
        covariance=covariance,
        n=raw.n,
        documents=raw.documents,
        clusters=raw.clusters,
        singletons_dropped=raw.singletons_dropped,
        rank=joint.rank,
        f=joint.f,
        p=joint.p,
        p_small=joint.p_small,
        engine=engine,
    )


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
    if coef.size == 1:
        return _tests(1, float((coef[0] / se[0]) ** 2), df)
    z = coef[moves] / se[moves]
    scaled = covariance[np.ix_(moves, moves)] / np.outer(se[moves], se[moves])
    roots, vectors = np.linalg.eigh(scaled)
    along = vectors.T @ z
    positive = roots > SINGULAR * roots[-1]
    rank = int(np.count_nonzero(positive))
    effect = ~positive & (np.abs(along) > CERTAIN * np.abs(z).max())
    if effect.any() and np.count_nonzero(moves) <= df:
        weights = np.zeros(coef.size)
        weights[moves] = vectors[:, int(np.argmax(effect))] / se[moves]
        return _certain(weights, rank + 1)
    return _tests(rank, float(np.sum(along[positive] ** 2 / roots[positive])), df)


def sign_flip_p(design: Design, weights: Floats) -> float:
    """p of a combination of coefficients that has no variance: 2^(1-m), m clusters behind it.

    Where all m clusters that carry the effect point the same way by the same amount, t is
    infinite and says nothing; under no effect the signs of m clusters agree with probability
    2 * 2^-m (the wild cluster bootstrap with every sign pattern listed). One cluster gives 1.
    weights : (K,) of the combination.
    """
    data = demean(design)
    along = data.x @ (data.bread @ weights[data.estimated])
    carried = np.abs(np.bincount(data.grouping.cluster, weights=along * data.y))
    return float(2.0 ** (1 - np.count_nonzero(carried > SINGULAR * carried.max())))


def _tests(rank: int, statistic: float, df: float) -> JointTest:
    """Both forms of the joint test of a Wald statistic over `rank` directions."""
    below = df + 1 - rank
    small = special.fdtrc(rank, below, statistic * below / (rank * df)) if below > 0 else None
    return JointTest(
        rank=rank,
        f=statistic / rank,
        p=float(special.fdtrc(rank, df, statistic / rank)),
        p_small=None if small is None else float(small),
    )


def _certain(weights: Floats, rank: int) -> JointTest:
    return JointTest(rank, float("inf"), 0.0, 0.0, weights)


def _factor_and_df(raw: RawFit, variance: Variance) -> tuple[float, float]:
    """Small-sample factor and degrees of freedom; NaN where there are too few rows for either."""
    absorbed = 1 if variance == "cluster" and raw.nested else raw.documents
    left = raw.n - raw.rank - absorbed
    if left <= 0:
        return float("nan"), float("nan")
    if variance == "robust":
        return raw.n / left, float(left)
    if raw.clusters < 2:
        return float("nan"), float("nan")
    return raw.clusters / (raw.clusters - 1) * (raw.n - 1) / left, float(raw.clusters - 1)


def _rounding(design: Design) -> float:
    """The size below which a coefficient or a standard error is rounding of y and x."""
    if design.x.size == 0:
        return 0.0
    x = design.x if design.levels is None else design.levels
    largest_x, largest_y = (max(float(a.max()), -float(a.min())) for a in (x, design.y))
    return NO_VARIATION * largest_y / (largest_x or 1.0)


def _without_rounding(covariance: Floats, tiny: float) -> tuple[Floats, Floats]:
    """(K, K) covariance and (K,) standard errors, exactly 0 where they are rounding only."""
    se = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))  # rounding may fall below 0
    largest = float(np.nanmax(se)) if np.isfinite(se).any() else 0.0
    still = se <= max(tiny, LOST * largest)
    if not still.any():
        return covariance, se
    clean = np.where((still[:, None] | still) & ~np.isnan(covariance), 0.0, covariance)
    return clean, np.where(still, 0.0, se)


@lru_cache(maxsize=4096)
def _t_quantile(df: float) -> float:
    return float(special.stdtrit(df, 0.5 + CONFIDENCE / 2))

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

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special

from justeval.estimate.records import Design, Floats, RawFit, Regression, Variance

CONFIDENCE = 0.95
"""Level of the intervals."""

NO_VARIATION = 1e-12
"""Standard errors and coefficients below this share of max|y| / max|x| are rounding, not data."""

SINGULAR = 1e-9
"""Eigenvalues below this share of the largest, of the covariance scaled to ones on its diagonal,
are zero in the generalized inverse."""


@dataclass(frozen=True, slots=True)
class JointTest:
    """The Wald test that all K coefficients are zero: `f` = W / rank, None where none varies."""

    rank: int
    f: float | None
    p: float | None
    p_small: float | None


def infer(design: Design, raw: RawFit, variance: Variance, engine: str) -> Regression:
    """Factor, degrees of freedom, t, p, 95 % intervals and the joint test of one raw fit.

    p = 2 * stdtr(df, -|t|): the lower tail keeps its digits where 2 (1 - cdf) loses them.
    """
    factor, df = _factor_and_df(raw, variance)
    tiny = _rounding(design)
    covariance = raw.sandwich * factor
    se = np.sqrt(np.diagonal(covariance))
    still = se <= tiny
    se = np.where(still, 0.0, se)
    covariance = np.where(still[:, None] | still[None, :], 0.0, covariance)
    covariance = np.where(np.isnan(raw.sandwich * factor), np.nan, covariance)
    coef = np.where(np.abs(raw.coef) <= tiny, 0.0, raw.coef)
    t = _ratio(coef, se)
    half = _t_quantile(df) * np.where(np.isnan(t), np.nan, se)
    joint = wald(coef, covariance, df)
    return Regression(
        names=design.names,
        reference=design.reference,
        coef=coef,
        se=se,
        t=t,
        p_values=np.asarray(2.0 * special.stdtr(df, -np.abs(t)), dtype=np.float64),
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
    and counts neither in W nor in the rank r. A direction with an effect and no variance at all
    (every document moved by the same amount) makes W infinite.
    """
    se = np.sqrt(np.diagonal(covariance))
    moves = (se > 0) & np.isfinite(se)
    certain = bool(np.any((se == 0) & (coef != 0)))
    rank, statistic = 0, 0.0
    if moves.any():
        z = coef[moves] / se[moves]
        scaled = covariance[np.ix_(moves, moves)] / np.outer(se[moves], se[moves])
        roots, vectors = np.linalg.eigh(scaled)
        along = vectors.T @ z
        positive = roots > SINGULAR * roots[-1]
        rank = int(np.count_nonzero(positive))
        statistic = float(np.sum(along[positive] ** 2 / roots[positive]))
        certain = certain or bool(np.any(np.abs(along[~positive]) > 1e-6 * np.abs(z).max()))
    if df < 1 or (rank == 0 and not certain):
        return JointTest(rank, None, None, None)
    rank = max(rank, 1)
    if certain:
        return JointTest(rank, float("inf"), 0.0, 0.0)
    p = float(special.fdtrc(rank, df, statistic / rank))
    below = df + 1 - rank
    small = (
        float(special.fdtrc(rank, below, statistic * below / (rank * df))) if below > 0 else None
    )
    return JointTest(rank, statistic / rank, p, small)


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


def _rounding(design: Design) -> Floats:
    """(K,) the size below which a coefficient or a standard error is rounding of y and x."""
    if design.y.size == 0:
        return np.zeros(design.x.shape[1])
    largest_x = np.abs(design.x).max(axis=0)
    largest_y = float(np.abs(design.y).max())
    return np.asarray(NO_VARIATION * largest_y / np.where(largest_x > 0, largest_x, 1.0))


def _ratio(coef: Floats, se: Floats) -> Floats:
    """coef / se: infinite where an effect has no variance, NaN where nothing moves."""
    t = np.full(coef.size, np.nan)
    np.divide(coef, se, out=t, where=se > 0)
    certain = (se == 0) & (coef != 0)
    t[certain] = np.copysign(np.inf, coef[certain])
    return t


@lru_cache(maxsize=4096)
def _t_quantile(df: float) -> float:
    return float(special.stdtrit(df, 0.5 + CONFIDENCE / 2))

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

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy import special

from justeval.estimate.joint import SINGULAR, JointTest, wald_all
from justeval.estimate.layout import Layout, flat
from justeval.estimate.records import Design, Floats, RawFit, RawFits, Regression, Variance
from justeval.estimate.within import demean

CONFIDENCE = 0.95
"""Level of the intervals."""

NO_VARIATION = 1e-12
"""Standard errors and coefficients below this share of max|y| / max|x| are rounding, not data."""

LOST = 1e-7
"""Standard errors below this share of the largest are rounding: a sandwich multiplied out keeps
variances to about 1e-16 of the largest, their roots to 1e-8."""


def infer(design: Design, raw: RawFit, variance: Variance, engine: str) -> Regression:
    """Factor, degrees of freedom, t, p, 95 % intervals and the joint test of one raw fit.

    p = 2 * stdtr(df, -|t|): the lower tail keeps its digits where 2 (1 - cdf) loses them. A value
    that moves every document by the same amount has no variance; its p is that of `sign_flip_p`.
    """
    largest_y = np.array([np.abs(design.y).max(initial=0.0)])
    return infer_all([design], RawFits.of_one(raw), largest_y, variance, engine)[0]


def infer_all(
    designs: Sequence[Design | Layout],
    raw: RawFits,
    largest_y: Floats,
    variance: Variance,
    engine: str,
) -> list[Regression]:
    """`infer` for B designs of K columns each at once. largest_y : (B,) the largest |y| of each."""
    factor, df = _factor_and_df(raw, variance)
    tiny = _rounding(designs, largest_y)[:, None]
    coef = np.where(np.abs(raw.coef) <= tiny, 0.0, raw.coef)
    covariance, se = _without_rounding(raw.sandwich * factor[:, None, None], tiny)
    t = np.full(coef.shape, np.nan)
    np.divide(coef, se, out=t, where=se > 0)
    p_values = np.asarray(2.0 * special.stdtr(df[:, None], -np.abs(t)), dtype=np.float64)
    for place, column in np.argwhere((se == 0) & (coef != 0)):
        t[place, column] = np.copysign(np.inf, coef[place, column])
        p_values[place, column] = sign_flip_p(flat(designs[place]), np.eye(coef.shape[1])[column])
    half = np.array([_t_quantile(float(one)) for one in df])[:, None] * np.where(se > 0, se, np.nan)
    joint = wald_all(coef, covariance, df)
    return [
        Regression(
            names=design.names,
            reference=design.reference,
            coef=coef[i],
            se=se[i],
            t=t[i],
            p_values=p_values[i],
            ci_low=coef[i] - half[i],
            ci_high=coef[i] + half[i],
            covariance=covariance[i],
            n=int(raw.n[i]),
            documents=int(raw.documents[i]),
            clusters=int(raw.clusters[i]),
            singletons_dropped=int(raw.singletons_dropped[i]),
            rank=joint[i].rank,
            f=joint[i].f,
            p=_joint_p(design, joint[i], joint[i].p),
            p_small=_joint_p(design, joint[i], joint[i].p_small),
            engine=engine,
        )
        for i, design in enumerate(designs)
    ]


def _joint_p(design: Design | Layout, joint: JointTest, p: float | None) -> float | None:
    return p if joint.certain is None else sign_flip_p(flat(design), joint.certain)


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


def _factor_and_df(raw: RawFits, variance: Variance) -> tuple[Floats, Floats]:
    """(B,) small-sample factors and degrees of freedom; NaN where there are too few rows."""
    absorbed = np.where(raw.nested & (variance == "cluster"), 1, raw.documents)
    left = (raw.n - raw.rank - absorbed).astype(np.float64)
    left[left <= 0] = np.nan
    if variance == "robust":
        return raw.n / left, left
    clusters = raw.clusters.astype(np.float64)
    clusters[(clusters < 2) | np.isnan(left)] = np.nan
    return clusters / (clusters - 1) * (raw.n - 1) / left, clusters - 1


def _rounding(designs: Sequence[Design | Layout], largest_y: Floats) -> Floats:
    """(B,) the sizes below which a coefficient or a standard error is rounding of y and x."""
    columns = [one.x if one.levels is None else one.levels for one in designs]
    largest_x = np.array([np.abs(x).max(initial=0.0) for x in columns])
    return NO_VARIATION * largest_y / np.where(largest_x > 0, largest_x, 1.0)


def _without_rounding(covariance: Floats, tiny: Floats) -> tuple[Floats, Floats]:
    """(B, K, K) covariances and (B, K) standard errors, exactly 0 where they are rounding only."""
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    se = np.sqrt(np.maximum(variance, 0.0))  # rounding may fall below 0
    largest = np.where(np.isfinite(se), se, 0.0).max(axis=1, initial=0.0)
    still = se <= np.maximum(tiny, LOST * largest[:, None])
    if not still.any():
        return covariance, se
    rounding = (still[:, :, None] | still[:, None]) & ~np.isnan(covariance)
    return np.where(rounding, 0.0, covariance), np.where(still, 0.0, se)


@lru_cache(maxsize=4096)
def _t_quantile(df: float) -> float:
    return float(special.stdtrit(df, 0.5 + CONFIDENCE / 2))

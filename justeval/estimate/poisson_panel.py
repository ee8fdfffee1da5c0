"""The Poisson fit of value labels, on documents x values.

In: the Layout of a design and its columns by value. Out: a PanelFit, the coefficients of
`poisson.fit_poisson` and what each document adds to them.

A row's regressors depend on its value alone, so that exp(x b) is one number a value, and a
document's likelihood depends on its sum and on which values it holds: Newton's steps run over the
few patterns of missing values, whatever the number of documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from justeval.errors import EstimationError
from justeval.estimate.collinear import estimable
from justeval.estimate.encoding import Flags
from justeval.estimate.layout import Layout, grams_of, patterns_of
from justeval.estimate.records import Floats
from justeval.estimate.separation import are_dummies, at_one_end, connected

LONGEST_SEARCH = 100
CONVERGED = 1e-11

NO_MAXIMUM = (
    "Poisson: no finite maximum; a value is zero in every document that it could be compared in"
)


@dataclass(frozen=True, slots=True)
class PanelFit:
    """coef : (K,), NaN where not estimated; influence : (G, K) of the documents that count, n rows
    of them. separated : (K,). zeros, singletons : documents that say nothing of a ratio."""

    coef: Floats
    influence: Floats
    n: int
    separated: Flags
    zeros: int
    singletons: int


@dataclass(frozen=True, slots=True)
class _Sums:
    """What the likelihood needs: masks (P, V) of the patterns, months (P,) of their documents,
    x (V, J), and score (J,) = X' y over all rows."""

    masks: Floats
    months: Floats
    x: Floats
    score: Floats


def fit_layout(layout: Layout) -> PanelFit:
    """Fit a layout whose outcomes are 0 or more. Raises EstimationError without a maximum."""
    y, present, levels = layout.y, layout.present, layout.levels
    sizes, total = present.sum(axis=0), y.sum(axis=0)
    zeros = int(np.count_nonzero((sizes > 1) & (total == 0)))
    singletons = int(np.count_nonzero(sizes == 1))
    documents = (sizes > 1) & (total > 0)
    kept, separated = _finite_values(y[:, documents], present[:, documents], levels)
    values = levels[:, ~kept].sum(axis=1) == 0
    y, present, levels = y[values], present[values], levels[values]
    documents &= (present.sum(axis=0) > 1) & (y.sum(axis=0) > 0)
    y, present = y[:, documents], present[:, documents]
    coef, influence = np.full(kept.size, np.nan), np.full((y.shape[1], kept.size), np.nan)
    if y.shape[1] and kept.any():
        masks, pattern, counts = patterns_of(present)
        gram = np.einsum("p,pij->ij", counts, grams_of(masks, levels))
        estimated = kept & estimable(gram, counts @ masks @ levels**2)
        if estimated.any():
            x = levels[:, estimated]
            total = y.sum(axis=0)
            months = np.bincount(pattern, weights=total, minlength=masks.shape[0])
            sums = _Sums(masks, months.astype(np.float64), x, y.sum(axis=1) @ x)
            coef[estimated], bread, means = _maximize(sums)
            influence[:, estimated] = (y.T @ x - total[:, None] * means[pattern]) @ bread
    return PanelFit(coef, influence, int(present.sum()), separated, zeros, singletons)


def _finite_values(y: Floats, present: Flags, levels: Floats) -> tuple[Flags, Flags]:
    """(K,) columns with a finite coefficient, and (K,) those that run off to an infinite one."""
    columns = np.ones(levels.shape[1], dtype=np.bool_)
    if y.shape[1] == 0:
        return columns, ~columns
    if are_dummies(levels):
        by_value = np.append(np.flatnonzero(~levels.any(axis=1)), levels.argmax(axis=0))
        return connected(present[by_value], y[by_value] > 0)
    if columns.size == 1:
        value, document = np.nonzero(present)
        separated = np.array([at_one_end(levels[value, 0], y[value, document], document)])
        return ~separated, separated
    return columns, ~columns


def _maximize(sums: _Sums) -> tuple[Floats, Floats, Floats]:
    """(J,) the estimate, (J, J) the inverse Hessian and (P, J) the mean x of each pattern."""
    b = np.zeros(sums.x.shape[1])
    value = _likelihood(b, sums)
    for _ in range(LONGEST_SEARCH):
        share = sums.masks * np.exp(sums.x @ b)
        share /= share.sum(axis=1, keepdims=True)
        means = share @ sums.x
        hessian = (sums.x.T * (sums.months @ share)) @ sums.x
        hessian -= (means.T * sums.months) @ means
        bread = np.asarray(np.linalg.inv(hessian), dtype=np.float64)
        step = bread @ (sums.score - sums.months @ means)
        if np.abs(step).max() < CONVERGED:
            return b, bread, means
        for _half in range(40):
            proposed = _likelihood(b + step, sums)
            if proposed >= value - 1e-12 * abs(value):
                break
            step = step / 2.0
        b, value = b + step, proposed
    raise EstimationError(NO_MAXIMUM)


def _likelihood(b: Floats, sums: _Sums) -> float:
    """sum_i y_i x_i b - sum_p T_p log sum_{v in p} exp(x_v b), T_p the months of a pattern."""
    weight = sums.masks @ np.exp(sums.x @ b)
    return float(sums.score @ b - sums.months @ np.log(weight))

"""The ratio of mean sentences: Poisson pseudo-maximum-likelihood with one effect a document.

In: a Design whose outcome is a quantity that is never negative (months). Out: a PoissonFit: log
ratios of means with their errors, and what could not be used. Unlike log(months + 1), the result
does not depend on the unit (Chen & Roth 2024), and zeros need no constant added.

The model is E[y_i] = exp(a_g + x_i b). The document effects are profiled out: at any b their best
value is exp(a_g) = Y_g / sum_{i in g} exp(x_i b) with Y_g the document's sum, which leaves the
conditional (multinomial) likelihood, concave in b alone (Hausman, Hall & Griliches 1984). No
distribution is assumed: the estimate needs the mean only, the error comes from the sandwich
(Wooldridge 1999). For two values asked of every document, exp(b) = sum of y at the value / sum of y
at the reference value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy import special

from justeval.errors import EstimationError
from justeval.estimate.grouping import Grouping, dense_codes, group_rows
from justeval.estimate.joint import wald
from justeval.estimate.layout import Layout, flat, layout_of
from justeval.estimate.poisson_panel import (
    CONVERGED,
    LONGEST_SEARCH,
    NO_MAXIMUM,
    PanelFit,
    fit_layout,
)
from justeval.estimate.records import Codes, Design, Floats
from justeval.estimate.separation import Estimable, estimable_values
from justeval.estimate.within import estimable_columns

ROUNDING = 1e-10
"""Log ratios and errors below this are what Newton's last step leaves, not data."""


@dataclass(frozen=True, slots=True)
class PoissonFit:
    """One label on the ratio scale. Arrays have one entry a value (K,), NaN where not estimated.

    coef : log of the ratio of means, value over reference. covariance : (K, K) CRV1. influence :
    (G, K) what each cluster adds to each coefficient, H^-1 s_g. separated :
    values that have only zeros (or leave only zeros to the others), whose log ratio would be
    infinite; they have no coefficient. all_zero_documents : documents without a single month,
    which say nothing of a ratio and drop out, as documents with one row do. p, p_small, f, rank :
    the joint Wald test as in `Regression`.
    """

    names: tuple[str, ...]
    reference: str
    coef: Floats
    se: Floats
    t: Floats
    p_values: Floats
    covariance: Floats
    influence: Floats
    separated: tuple[str, ...]
    n: int
    documents: int
    clusters: int
    singletons_dropped: int
    all_zero_documents: int
    rank: int
    f: float | None
    p: float | None
    p_small: float | None

    @property
    def ratio(self) -> Floats:
        """(K,) ratio of mean sentences, value over reference."""
        return np.asarray(np.exp(self.coef))


def fit_poisson(design: Design | Layout) -> PoissonFit:
    """Fit and infer: CRV1 sandwich H^-1 [sum_g s_g s_g'] H^-1 with the factor of the linear
    regressions, G/(G-1) (N-1)/(N-K-1), and p from t with G-1 degrees of freedom.

    H = sum_g Y_g (sum_i pi_i x_i x_i' - m_g m_g') with pi_i the document's share of row i and
    m_g = sum_i pi_i x_i; s_g = sum_{i in cluster g} x_i (y_i - Y_g pi_i). Raises EstimationError
    for a negative outcome, or where the likelihood has no maximum.
    """
    if design.y.size and float(design.y.min()) < 0:
        raise EstimationError(
            f"Poisson: the outcome has {design.y.min():g}; it must be 0 or more, such as months"
        )
    layout = layout_of(design)
    if layout is not None:
        return _of_panel(design, fit_layout(layout))
    design = flat(design)
    values = estimable_values(design)
    usable = replace(
        design,
        y=design.y[values.rows],
        x=design.x[values.rows],
        document=design.document[values.rows],
        cluster=None if design.cluster is None else design.cluster[values.rows],
    )
    grouping = group_rows(usable)
    estimated = values.columns & (estimable_columns(usable) if grouping.n else values.columns)
    size = design.x.shape[1]
    coef, influence = np.full(size, np.nan), np.full((grouping.clusters, size), np.nan)
    if estimated.any() and grouping.n:
        x, y = usable.x[grouping.rows][:, estimated], usable.y[grouping.rows]
        coef[estimated], bread, scores = _maximize(x, y, grouping)
        influence[:, estimated] = _by_cluster(scores, grouping) @ bread
    counts = (grouping.n, grouping.documents, grouping.clusters)
    return _infer(design, counts, coef, influence, values)


def _of_panel(design: Design | Layout, found: PanelFit) -> PoissonFit:
    documents = found.influence.shape[0]
    counts = (found.n, documents, documents)
    return _infer(design, counts, found.coef, found.influence, found)


def _maximize(x: Floats, y: Floats, grouping: Grouping) -> tuple[Floats, Floats, Floats]:
    """(J,) the estimate, (J, J) the inverse Hessian and (N, J) the rows' scores, by Newton."""
    totals = np.asarray(np.bincount(grouping.document, weights=y), dtype=np.float64)
    b = np.zeros(x.shape[1])
    value = _likelihood(b, x, y, totals, grouping)
    for _ in range(LONGEST_SEARCH):
        expected = _expected(b, x, totals, grouping)
        score = x.T @ (y - expected)
        hessian = _hessian(x, expected, totals, grouping)
        bread = np.asarray(np.linalg.inv(hessian), dtype=np.float64)
        step = bread @ score
        if np.abs(step).max() < CONVERGED:
            return b, bread, x * (y - expected)[:, None]
        for _half in range(40):
            proposed = _likelihood(b + step, x, y, totals, grouping)
            if proposed >= value - 1e-12 * abs(value):
                break
            step = step / 2.0
        b, value = b + step, proposed
    raise EstimationError(NO_MAXIMUM)


def _expected(b: Floats, x: Floats, totals: Floats, grouping: Grouping) -> Floats:
    """(N,) Y_g pi_i, the fitted means at b."""
    weight = np.exp(x @ b)
    sums = np.bincount(grouping.document, weights=weight)
    return np.asarray(weight * (totals / sums)[grouping.document])


def _likelihood(b: Floats, x: Floats, y: Floats, totals: Floats, grouping: Grouping) -> float:
    """sum_i y_i x_i b - sum_g Y_g log sum_{i in g} exp(x_i b)."""
    along = x @ b
    sums = np.bincount(grouping.document, weights=np.exp(along))
    return float(y @ along - totals @ np.log(sums))


def _hessian(x: Floats, expected: Floats, totals: Floats, grouping: Grouping) -> Floats:
    weighted = x * expected[:, None]
    means = np.column_stack(
        [np.bincount(grouping.document, weights=column) for column in weighted.T]
    )
    return np.asarray(weighted.T @ x - means.T @ (means / totals[:, None]))


def _by_cluster(scores: Floats, grouping: Grouping) -> Floats:
    """(G, J) scores of rows summed over clusters."""
    return np.column_stack(
        [
            np.bincount(grouping.cluster, weights=column, minlength=grouping.clusters)
            for column in scores.T
        ]
    )


def _factor(clusters: int, left: int, n: int) -> float:
    if clusters < 2 or left <= 0:
        return float("nan")
    return clusters / (clusters - 1) * (n - 1) / left


def _infer(
    design: Design | Layout,
    counts: tuple[int, int, int],
    coef: Floats,
    influence: Floats,
    values: Estimable | PanelFit,
) -> PoissonFit:
    """counts : rows, documents and clusters that say something of a ratio."""
    n, documents, clusters = counts
    coef = np.where(np.abs(coef) <= ROUNDING, 0.0, coef)
    factor = _factor(clusters, n - int(np.count_nonzero(np.isfinite(coef))) - 1, n)
    covariance = np.asarray(factor * (influence.T @ influence))
    se = np.sqrt(np.diagonal(covariance))
    se = np.where(se <= ROUNDING, 0.0, se)
    covariance = np.where((se == 0)[:, None] | (se == 0), 0.0, covariance)
    df = float(clusters - 1)
    t = np.full(coef.size, np.nan)
    np.divide(coef, se, out=t, where=se > 0)
    joint = wald(coef, covariance, df)
    names = design.names
    return PoissonFit(
        names=names,
        reference=design.reference,
        coef=coef,
        se=se,
        t=t,
        p_values=np.asarray(2.0 * special.stdtr(df, -np.abs(t)), dtype=np.float64),
        covariance=covariance,
        influence=influence,
        separated=tuple(names[column] for column in np.flatnonzero(values.separated)),
        n=n,
        documents=documents,
        clusters=clusters,
        singletons_dropped=values.singletons,
        all_zero_documents=values.zeros,
        rank=joint.rank,
        f=joint.f,
        p=joint.p,
        p_small=joint.p_small,
    )


def ratio_of_sums(y: Floats, is_value: npt.NDArray[np.bool_], document: Codes) -> float:
    """The closed form for two values, each asked of every document: sum y_value / sum y_reference.

    Documents without both rows are left out. NaN where the reference value has only zeros.
    """
    codes = dense_codes(document)
    both = np.bincount(codes, weights=is_value) * np.bincount(codes, weights=~is_value) > 0
    at_value, kept = float(y[is_value & both[codes]].sum()), ~is_value & both[codes]
    at_reference = float(y[kept].sum())
    return at_value / at_reference if at_reference > 0 else float("nan")

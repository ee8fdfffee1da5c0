"""The fast engine: the within transformation, exact for one absorbed factor.

In: a Design. Out: a RawFit. Demeaning by document with `bincount` is all that one absorbed factor
needs (Frisch-Waugh-Lovell), so nothing iterates, and no data frame is built: about a tenth of a
millisecond a label against 18 for a general solver.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from justeval.estimate.collinear import estimable
from justeval.estimate.grouping import Grouping, group_rows
from justeval.estimate.panel import fit_panels, panel_of
from justeval.estimate.records import Codes, Design, Floats, RawFit, Variance


@dataclass(frozen=True, slots=True)
class WithinData:
    """A design after the within transformation.

    y : (N,), x : (N, J), demeaned by document, with the J columns of K that can be estimated.
    estimated : (K,) bool, which they are. bread : (J, J), (X'X)^-1.
    """

    y: Floats
    x: Floats
    bread: Floats
    estimated: npt.NDArray[np.bool_]
    grouping: Grouping


def fit(design: Design, variance: Variance = "cluster") -> RawFit:
    """Least squares with one effect a document absorbed, and its sandwich.

    beta = (X'X)^-1 X'y on demeaned data; the sandwich is (X'X)^-1 M (X'X)^-1 with
    M = sum_g s_g s_g', s_g = X_g' e_g for "cluster", and M = sum_i e_i^2 x_i x_i' for "robust".
    """
    panel = panel_of(design) if variance == "cluster" else None
    if panel is not None:
        return fit_panels(panel).at(0)
    data = demean(design)
    coef = data.bread @ (data.x.T @ data.y)
    residual = data.y - data.x @ coef
    if variance == "cluster":
        scores = cluster_scores(data, residual)
        influence = scores @ data.bread
    else:
        influence = (data.x * residual[:, None]) @ data.bread
    return scatter_fit(data.grouping, data.estimated, coef, influence.T @ influence)


def demean(design: Design) -> WithinData:
    """The within transformation of a design, columns without variation taken out."""
    grouping = group_rows(design)
    document, sizes = grouping.document, grouping.sizes
    raw, y = design.x, design.y
    if grouping.singletons_dropped:
        raw, y = raw[grouping.rows], y[grouping.rows]
    y = _less_document_means(y, document, sizes)
    x = np.empty_like(raw, order="F")
    for column in range(raw.shape[1]):
        x[:, column] = _less_document_means(raw[:, column], document, sizes)
    gram = x.T @ x
    estimated = estimable(gram, np.einsum("ij,ij->j", raw, raw))
    if not estimated.all():
        x, gram = x[:, estimated], gram[np.ix_(estimated, estimated)]
    bread = np.asarray(np.linalg.inv(gram), dtype=np.float64)
    return WithinData(y, x, bread, estimated, grouping)


def estimable_columns(design: Design) -> npt.NDArray[np.bool_]:
    """(K,) which columns vary within documents and are no combination of those before them."""
    return demean(design).estimated


def cluster_scores(data: WithinData, residual: Floats) -> Floats:
    """(G, J) scores s_g = X_g' e_g, one row a cluster."""
    grouping = data.grouping
    scores = np.empty((grouping.clusters, data.x.shape[1]))
    for column in range(data.x.shape[1]):
        scores[:, column] = np.bincount(
            grouping.cluster, weights=data.x[:, column] * residual, minlength=grouping.clusters
        )
    return scores


def scatter_fit(
    grouping: Grouping, estimated: npt.NDArray[np.bool_], coef: Floats, sandwich: Floats
) -> RawFit:
    """A RawFit of all K columns from the J that were estimated; the others are NaN."""
    if not estimated.all():
        known, coef = coef, np.full(estimated.size, np.nan)
        coef[estimated] = known
        inner, sandwich = sandwich, np.full((estimated.size, estimated.size), np.nan)
        sandwich[np.ix_(estimated, estimated)] = inner
    return RawFit(
        coef=coef,
        sandwich=sandwich,
        rank=int(np.count_nonzero(estimated)),
        n=grouping.n,
        documents=grouping.documents,
        clusters=grouping.clusters,
        singletons_dropped=grouping.singletons_dropped,
        nested=grouping.nested,
    )


def _less_document_means(column: Floats, document: Codes, sizes: Codes) -> Floats:
    means = np.bincount(document, weights=column, minlength=sizes.size) / sizes
    return np.asarray(column - means[document], dtype=np.float64)

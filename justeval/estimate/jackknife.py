"""Leave one document out: the jackknife error CRV3, and what each document moves.

In: a Design. Out: a Jackknife: the coefficients without each cluster, from one pass over cross
products (no regression is run again), the CRV3 covariance, and influence.

With document effects inside the clusters, leaving out cluster g subtracts its block:
    b_(g) = b - (X'X - A_g)^-1 s_g,   A_g = X_g' X_g,   s_g = X_g' e_g
(MacKinnon, Nielsen & Webb 2023). CRV3 = (G-1)/G sum_g (b_(g)-b)(b_(g)-b)', with t(G-1); it is the
safer error where clusters differ much in size, such as charges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from justeval.errors import EstimationError
from justeval.estimate.records import Codes, Design, Floats
from justeval.estimate.within import WithinData, cluster_scores, demean

SINGULAR = 1e-9
"""Without a cluster, a column with less than this share of its variation left is not estimated."""


@dataclass(frozen=True, slots=True)
class Jackknife:
    """One label without each of its G clusters.

    clusters : (G,) the design's codes of the clusters. without : (G, K) the coefficients without
    each, NaN where a value cannot be estimated without it. influence : (G, K) b - b_(g), what the
    cluster adds to each coefficient. coef, se, t, p_values : (K,), se from CRV3. covariance :
    (K, K). alone : clusters without which some value is not estimated; the covariance leaves
    them out.
    """

    names: tuple[str, ...]
    clusters: Codes
    without: Floats
    influence: Floats
    coef: Floats
    covariance: Floats
    se: Floats
    t: Floats
    p_values: Floats
    alone: int


def jackknife(design: Design) -> Jackknife:
    """CRV3 and influence of every cluster. Raises EstimationError where there are fewer than two
    clusters, or where a document is split between clusters (its effect would change with one)."""
    data = demean(design)
    _check(data)
    grouping, size = data.grouping, design.x.shape[1]
    estimated = np.flatnonzero(data.estimated)
    b = data.bread @ (data.x.T @ data.y)
    scores = cluster_scores(data, data.y - data.x @ b)
    moved, alone = _without_each(data, scores)
    influence = np.full((grouping.clusters, size), np.nan)
    influence[:, estimated] = moved
    coef = np.full(size, np.nan)
    coef[estimated] = b
    covariance = np.full((size, size), np.nan)
    kept = moved[~alone]
    clusters = kept.shape[0]
    if clusters > 1:
        covariance[np.ix_(estimated, estimated)] = (clusters - 1) / clusters * (kept.T @ kept)
    se = np.sqrt(np.diagonal(covariance))
    t = np.full(size, np.nan)
    np.divide(coef, se, out=t, where=se > 0)
    return Jackknife(
        names=design.names,
        clusters=cluster_names(design, data),
        without=coef - influence,
        influence=influence,
        coef=coef,
        covariance=covariance,
        se=se,
        t=t,
        p_values=np.asarray(2.0 * special.stdtr(grouping.clusters - 1, -np.abs(t))),
        alone=int(np.count_nonzero(alone)),
    )


def most_influential(found: Jackknife, column: int, number: int) -> Codes:
    """Codes of the clusters that carry a coefficient away from zero, the strongest first.

    Only clusters that pull in the direction of the coefficient are named: leaving them out in this
    order brings it towards zero fastest, one at a time.
    """
    pull = found.influence[:, column] * np.sign(found.coef[column])
    order = np.argsort(-np.where(np.isnan(pull), -np.inf, pull), kind="stable")
    return np.asarray(found.clusters[[g for g in order[:number] if pull[g] > 0]], dtype=np.int64)


def leave_out(design: Design, documents: Codes) -> Design:
    """The design without some documents, to be estimated again as a whole."""
    keep = ~np.isin(design.document, documents)
    return Design(
        y=design.y[keep],
        x=design.x[keep],
        document=design.document[keep],
        names=design.names,
        reference=design.reference,
        cluster=None if design.cluster is None else design.cluster[keep],
    )


def cluster_names(design: Design, data: WithinData) -> Codes:
    """(G,) the design's own code of each cluster kept."""
    source = design.document if design.cluster is None else design.cluster
    codes = np.zeros(data.grouping.clusters, dtype=np.int64)
    codes[data.grouping.cluster] = source[data.grouping.rows]
    return codes


def cluster_grams(data: WithinData) -> Floats:
    """(G, J, J) A_g = X_g' X_g of each cluster, from demeaned columns."""
    columns, clusters = data.x.shape[1], data.grouping.clusters
    grams = np.empty((clusters, columns, columns))
    for i in range(columns):
        for j in range(i, columns):
            product = data.x[:, i] * data.x[:, j]
            block = np.bincount(data.grouping.cluster, weights=product, minlength=clusters)
            grams[:, i, j] = grams[:, j, i] = block
    return grams


def _without_each(data: WithinData, scores: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """(G, J) b - b_(g), NaN where a cluster alone holds a value up, and (G,) which those are."""
    left = data.x.T @ data.x - cluster_grams(data)
    scale = np.sqrt(np.diagonal(data.x.T @ data.x))
    smallest = np.linalg.eigvalsh(left / np.outer(scale, scale))[:, 0]
    alone = np.asarray(smallest <= SINGULAR)
    moved = np.full(scores.shape, np.nan)
    moved[~alone] = np.linalg.solve(left[~alone], scores[~alone][:, :, None])[:, :, 0]
    return moved, alone


def _check(data: WithinData) -> None:
    if data.grouping.clusters < 2:
        raise EstimationError("jackknife: one cluster only; it needs at least two documents")
    if not data.grouping.nested:
        raise EstimationError(
            "jackknife: a document lies in two clusters; cluster by document or by a column that "
            "is the same for all rows of a document"
        )
    if data.x.shape[1] == 0:
        raise EstimationError("jackknife: no value varies within documents")

"""One specification in every sign draw: log p under the same signs as all others.

In: a specification's design on document codes that index the signs, and its variance. Out: (D,) log
p, row 0 the data; None where nothing varies.

A draw mirrors the answers of whole documents, whatever the specification clusters by: w u is a
data set without an effect, in which the statistic of the specification is taken anew. With
v = sum_g w_g s_g, b = (X'X)^-1 v and e = w u - X b its meat is
    documents   sum_g s*_g s*_g'                          as everywhere (see `inference.draws`)
    robust      sum_i e_i^2 x_i x_i' = C - 2 sum_k b_k T_k(w) + sum_kl b_k b_l Q_kl
    charges     sum_c s*_c s*_c',  s*_c = sum_{g in c} w_g s_g - A_c b
where C and Q do not depend on the signs and T_k(w) = sum_i w_i u_i x_ik x_i x_i' is linear in them.
The statistic is u = v' (M + v v' / c)^-1 v, which rises with v' M^-1 v and stays finite where M is
singular. Of the two latter forms p is the rank among the draws: with a few charges no F holds.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np

from justeval.aggregate.estimates import AnalysisOptions
from justeval.estimate import Design, Regression, Variance
from justeval.estimate.records import Codes, Floats
from justeval.estimate.within import WithinData, demean
from justeval.inference import Signs
from justeval.inference.draws import BLOCK, TIE, joint_statistics
from justeval.inference.few import decide, exact_table
from justeval.inference.refitting import PIVOT
from justeval.inference.scale import Member, log_p
from justeval.inference.scores import null_scores, without_rounding

Meat = Callable[[Floats, Floats], Floats]
"""(B, J, J) meats of a block of draws, from its (B, G) signs and (B, J) coefficients."""


def drawn_log_p(
    design: Design, regression: Regression, signs: Signs, options: AnalysisOptions
) -> Floats | None:
    """(D,) log p of a specification clustered by document."""
    scores = null_scores(design)
    if scores is None or scores.moving == 0:
        return None
    decision = decide(
        clusters=regression.clusters,
        changed=scores.changed,
        moving=scores.moving,
        rank=regression.rank,
        alpha=options.alpha,
    )
    table = exact_table(scores, options.draws) if decision.decided_by == "wild" else None
    member = Member(scores, regression.rank, decision, table)
    return np.asarray(log_p([member], joint_statistics([scores], signs))[:, 0])


def ranked_log_p(design: Design, variance: Variance, signs: Signs) -> Floats | None:
    """(D,) log p of a specification with robust errors, or clustered by `design.cluster`."""
    statistics = statistics_of(design, variance, signs)
    if statistics is None:
        return None
    ordered = np.sort(statistics)
    smaller = np.searchsorted(ordered, statistics * (1.0 - TIE), side="left")
    return np.asarray(np.log((ordered.size - smaller) / ordered.size))


def statistics_of(design: Design, variance: Variance, signs: Signs) -> Floats | None:
    """(D,) u of the specification in every draw; None where no answer differs, or where there are
    no more clusters than columns."""
    data = demean(design)
    u = without_rounding(data.y, design.y)
    if data.x.shape[1] == 0 or not u.any():
        return None
    document = design.document[data.grouping.rows]
    size = signs.signs.shape[1]
    clusters = data.grouping.n
    meat = _robust(data, u, document, size)
    if variance == "cluster":
        clusters = data.grouping.clusters
        if clusters <= data.x.shape[1] + 1:
            return None
        meat = _clustered(data, u, document, size)
    scores = _by_document(document, data.x * u[:, None], size)
    found = np.empty(signs.signs.shape[0])
    for start in range(0, found.size, BLOCK):
        drawn = signs.signs[start : start + BLOCK].astype(np.float64)
        v = drawn @ scores
        whole = meat(drawn, v @ data.bread) + v[:, :, None] * v[:, None, :] / clusters
        found[start : start + BLOCK] = _quadratic(v, whole)
    return found


def _by_document(document: Codes, columns: Floats, size: int) -> Floats:
    """(G, C) sums of (N, C) columns over documents."""
    sums = [np.bincount(document, weights=column, minlength=size) for column in columns.T]
    return np.column_stack(sums)


def _robust(data: WithinData, u: Floats, document: Codes, size: int) -> Meat:
    x = data.x
    columns = x.shape[1]
    constant = (x * u[:, None] ** 2).T @ x
    products = list(combinations_with_replacement(range(columns), 3))
    linear = _by_document(
        document, np.column_stack([u * x[:, i] * x[:, j] * x[:, k] for i, j, k in products]), size
    )
    place: dict[tuple[int, ...], int] = {triple: at for at, triple in enumerate(products)}
    index = np.array(
        [
            [[place[tuple(sorted((i, j, k)))] for k in range(columns)] for j in range(columns)]
            for i in range(columns)
        ]
    )
    fourth = np.einsum("ni,nj,nk,nl->ijkl", x, x, x, x, optimize=True)

    def meat(drawn: Floats, b: Floats) -> Floats:
        third = (drawn @ linear)[:, index]
        found = constant - 2.0 * np.einsum("bijk,bk->bij", third, b)
        return np.asarray(found + np.einsum("ijkl,bk,bl->bij", fourth, b, b, optimize=True))

    return meat


def _clustered(data: WithinData, u: Floats, document: Codes, size: int) -> Meat:
    grouping, x = data.grouping, data.x
    scores = _by_document(document, x * u[:, None], size)
    members = [np.unique(document[grouping.cluster == c]) for c in range(grouping.clusters)]
    grams = [x[grouping.cluster == c].T @ x[grouping.cluster == c] for c in range(len(members))]

    def meat(drawn: Floats, b: Floats) -> Floats:
        found = np.zeros((b.shape[0], b.shape[1], b.shape[1]))
        for inside, gram in zip(members, grams, strict=True):
            own = drawn[:, inside] @ scores[inside] - b @ gram
            found += own[:, :, None] * own[:, None, :]
        return found

    return meat


def _quadratic(v: Floats, matrix: Floats) -> Floats:
    """(B,) v' Q^- v for (B, J) vectors and (B, J, J) matrices, scaled to ones on the diagonal."""
    scale = np.sqrt(np.maximum(np.einsum("bjj->bj", matrix), np.finfo(float).tiny))
    roots, vectors = np.linalg.eigh(matrix / (scale[:, :, None] * scale[:, None, :]))
    turned = np.einsum("bji,bj->bi", vectors, v / scale)
    usable = roots > PIVOT * np.maximum(roots[:, -1:], PIVOT)
    return np.asarray(np.sum(turned**2 * usable / np.where(usable, roots, 1.0), axis=1))

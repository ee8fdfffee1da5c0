"""Labels whose verdict rests on a handful of documents.

In: the fits of all labels and the sample. Out: for each label with an adjusted p below 0.05 (Holm
over all labels of all models of the run, placebo labels apart) the fewest documents found whose
removal loses the verdict, if they are at most max(3, 1 %) of them. Lost means that the p without
them is not below 0.05 even unadjusted. Anything looser cries wolf: dropping one document flips
some label without an effect in nine runs of ten, and of many labels a true effect that is just
large enough for the adjusted level never survives the loss of its three best documents.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from justeval.aggregate.fits import MANY_CLUSTERS
from justeval.estimate import Design, estimate
from justeval.estimate.grouping import dense_codes
from justeval.estimate.records import Codes, Floats, Regression
from justeval.estimate.within import cluster_scores, demean

VERDICT = 0.05
FEWEST, SHARE = 3, 0.01


@dataclass(frozen=True, slots=True)
class Influence:
    """Documents that carry a verdict: their codes, and the label's p without them."""

    documents: Codes
    p_without: float


def influential_documents(design: Design) -> Influence | None:
    """The documents whose removal costs a label its verdict, the most influential first.

    In each step the document goes whose score adds most to b' V^- b, the Wald statistic, to first
    order: its part of the coefficients, (X'X)^-1 X_g' y_g, along the gradient V^- b. Then
    everything is estimated anew. A verdict that survives the loss of as many documents at once as
    may be lost, the most influential ones, rests on no handful, and is not looked at further.
    """
    document = dense_codes(design.document)
    codes = design.document[np.unique(document, return_index=True)[1]]
    left = replace(design, document=document)
    most = max(FEWEST, int(SHARE * codes.size))
    if _survives(_without(left, _by_influence(left)[:most])):
        return None
    dropped: list[int] = []
    for _ in range(most):
        ranked = _by_influence(left)
        if ranked.size == 0:
            return None
        dropped.append(int(ranked[0]))
        left = _without(left, ranked[:1])
        if not _survives(left):
            p = verdict_p(estimate(left)) if left.y.size else None
            return Influence(codes[np.array(dropped)], 1.0 if p is None else p)
    return None


def _survives(design: Design) -> bool:
    """Whether the label is still significant, unadjusted."""
    p = verdict_p(estimate(design)) if design.y.size else None
    return p is not None and p < VERDICT


def _without(design: Design, documents: Codes) -> Design:
    keep = ~np.isin(design.document, documents)
    value = None if design.value is None else design.value[keep]
    return replace(
        design, y=design.y[keep], x=design.x[keep], document=design.document[keep], value=value
    )


def verdict_p(found: Regression) -> float | None:
    """The p by which a label is judged (see `aggregate.fits`)."""
    return found.p_small if found.clusters < MANY_CLUSTERS * found.rank else found.p


def _direction(found: Regression) -> Floats | None:
    """(K,) V^- b, zero where a value does not vary."""
    moves = (found.se > 0) & np.isfinite(found.se)
    if not moves.any():
        return None
    covariance = found.covariance[np.ix_(moves, moves)]
    direction = np.zeros(found.coef.size)
    direction[moves] = np.linalg.pinv(covariance, hermitian=True) @ found.coef[moves]
    return direction


def _by_influence(design: Design) -> Codes:
    """Codes of the documents, by what they add to the Wald statistic, the most first.

    (X'X)^-1 X_g' y_g sums to b over the documents; the part along V^- b is what counts. Empty
    where nothing varies.
    """
    direction = _direction(estimate(design))
    if direction is None:
        return np.zeros(0, dtype=np.int64)
    data = demean(design)
    own = cluster_scores(data, data.y) @ data.bread @ direction[data.estimated]
    kept = design.document[data.grouping.rows]
    name = np.zeros(own.size, dtype=np.int64)
    name[data.grouping.cluster] = kept
    return name[np.argsort(-own, kind="stable")]

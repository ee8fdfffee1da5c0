"""The cluster scores of one label under no effect: all that a sign draw needs to know of the data.

In: the Design of one label. Out: NullScores, on cluster codes that all labels of a family share,
or None where no answer differs.

With document effects inside the clusters, the restricted fit (all K values without effect) leaves
the demeaned outcome u_g itself, so that a draw w_g of one sign a cluster has
    s_g  = X_g' u_g              the score of cluster g under the null
    b*   = (X'X)^-1 v,           v = sum_g w_g s_g
    s*_g = w_g s_g - A_g b*,     A_g = X_g' X_g, the score of the refitted draw
and its CRV1 meat sum_g s*_g s*_g' follows from few sums over clusters, without touching a row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from justeval.errors import EstimationError
from justeval.estimate.jackknife import cluster_grams, cluster_names
from justeval.estimate.layout import Layout, flat
from justeval.estimate.panel import Panels, panel_of
from justeval.estimate.records import Codes, Design, Floats
from justeval.estimate.within import WithinData, cluster_scores, demean

ROUNDING = 1e-12
"""Demeaned outcomes below this share of the largest outcome are rounding, not change; so are
scores below this share of the largest outcome times the largest regressor (log 20 + log 60 less
log 30 + log 40 is no movement)."""

SAME_GRAM = 1e-10
"""Cross products of two clusters closer than this share of the largest are the same pattern."""


@dataclass(frozen=True, slots=True)
class NullScores:
    """One label's scores with the null imposed.

    scores : (G, J), row g is X_g' u_g. clusters : (G,) codes on the family's common numbering.
    patterns : (P, J, J) the distinct A_g. pattern : (G,) which of them a cluster has. bread :
    (J, J). factor : the small-sample factor of CRV1, G/(G-1) (N-1)/(N-J-1). changed : documents
    whose answer differs at all, m. moving : clusters with a score that is not zero.
    """

    scores: Floats
    clusters: Codes
    patterns: Floats
    pattern: Codes
    bread: Floats
    factor: float
    changed: int
    moving: int

    @property
    def size(self) -> int:
        """Clusters, G."""
        return self.clusters.size

    @property
    def columns(self) -> int:
        """Columns that can be estimated, J."""
        return int(self.scores.shape[1])

    @property
    def meat(self) -> Floats:
        """(J, J) sum_g s_g s_g', the same in every draw of signs."""
        return np.asarray(self.scores.T @ self.scores)

    def only(self, kept: Codes) -> NullScores:
        """The same label with the scores of the clusters `kept` alone drawn: `clusters` becomes
        0, 1, ... in their order. Sums over all clusters (bread, patterns) stay as they are."""
        codes = np.full(self.size, -1, dtype=np.int64)
        codes[kept] = np.arange(kept.size)
        return NullScores(
            self.scores,
            codes,
            self.patterns,
            self.pattern,
            self.bread,
            self.factor,
            self.changed,
            self.moving,
        )


def null_scores(design: Design | Layout) -> NullScores | None:
    """Scores of all columns of a design with the null imposed; None where nothing varies.

    Raises EstimationError where documents are split between clusters: their effects then do not
    drop out of a draw.
    """
    panel = panel_of(design)
    if panel is not None:
        return scores_of_panels(panel)[0]
    design = flat(design)
    data = demean(design)
    if data.grouping.n == 0 or data.x.shape[1] == 0 or data.grouping.clusters < 2:
        return None
    restricted = without_rounding(data.y, design.y)
    if not restricted.any():
        return None
    return scores_of(design, data, restricted)


def scores_of_panels(panels: Panels) -> list[NullScores | None]:
    """`null_scores` of every label of a stack, whose patterns are the distinct A_g already."""
    tiny = ROUNDING * panels.largest_y
    restricted = np.where(np.abs(panels.u) <= tiny[:, None, None], 0.0, panels.u)
    changed = np.count_nonzero(restricted.any(axis=1), axis=1)
    scores = restricted.transpose(0, 2, 1) @ panels.x
    tiny *= np.abs(panels.x).max(axis=(1, 2), initial=0.0)
    scores[np.abs(scores) <= tiny[:, None, None]] = 0.0
    return [
        _of_panel(panels, place, scores[place], int(changed[place])) if changed[place] else None
        for place in range(panels.size)
    ]


def _of_panel(panels: Panels, place: int, scores: Floats, changed: int) -> NullScores | None:
    """One label of a stack, with the documents that count and the columns that are estimated."""
    kept, known = panels.pattern[place] > 0, panels.estimated[place]
    size, columns = int(panels.documents[place]), int(np.count_nonzero(known))
    if size < 2 or columns == 0:
        return None
    patterns = panels.grams[panels.first[place] + 1 :][: int(panels.pattern[place].max())]
    scores, bread = scores[kept], panels.bread[place]
    if columns < known.size:
        patterns = patterns[:, known][:, :, known]
        scores, bread = scores[:, known], bread[np.ix_(known, known)]
    return NullScores(
        scores=scores,
        clusters=panels.document[place][kept],
        patterns=patterns,
        pattern=panels.pattern[place][kept] - 1,
        bread=bread,
        factor=_factor(size, int(panels.n[place]), columns),
        changed=changed,
        moving=int(np.count_nonzero(scores.any(axis=1))),
    )


def _factor(clusters: int, n: int, columns: int) -> float:
    return float(clusters / (clusters - 1) * (n - 1) / max(n - columns - 1, 1))


def scores_of(design: Design, data: WithinData, restricted: Floats) -> NullScores:
    """Scores X_g' u_g of any restricted residual u, (N,), of a demeaned design."""
    grouping = data.grouping
    if not grouping.nested:
        raise EstimationError(
            "sign draws: a document lies in two clusters; cluster by document or by a column "
            "that is the same for all rows of a document"
        )
    scores = cluster_scores(data, restricted)
    largest = float(np.abs(design.y).max() * np.abs(design.x).max())
    scores = np.where(np.abs(scores) <= ROUNDING * largest, 0.0, scores)
    patterns, pattern = distinct_grams(cluster_grams(data))
    moved = np.abs(restricted) > 0
    return NullScores(
        scores=scores,
        clusters=cluster_names(design, data),
        patterns=patterns,
        pattern=pattern,
        bread=data.bread,
        factor=_factor(grouping.clusters, grouping.n, data.x.shape[1]),
        changed=int(np.count_nonzero(np.bincount(grouping.document[moved]))),
        moving=int(np.count_nonzero(np.abs(scores).max(axis=1) > 0)),
    )


def without_rounding(demeaned: Floats, raw: Floats) -> Floats:
    """(N,) demeaned outcome, exactly 0 where it is rounding of the (N0,) raw one."""
    return np.where(np.abs(demeaned) <= ROUNDING * float(np.abs(raw).max()), 0.0, demeaned)


def distinct_grams(grams: Floats) -> tuple[Floats, Codes]:
    """(P, J, J) distinct cross products and (G,) which of them a cluster has.

    Where every document holds every value there is one. That is the usual case and worth the
    trouble: the statistic of a draw is then a sum of squares (see `draws`).
    """
    unit = SAME_GRAM * float(np.abs(grams).max())
    if np.ptp(grams, axis=0).max() <= unit:
        return grams[:1], np.zeros(grams.shape[0], dtype=np.int64)
    rounded = np.round(grams.reshape(grams.shape[0], -1) / (10 * unit))
    _, first, pattern = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    return grams[first], np.asarray(pattern.reshape(-1), dtype=np.int64)

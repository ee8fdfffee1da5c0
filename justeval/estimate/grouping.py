"""Which rows of a design count: documents with a single row drop out, clusters are numbered.

In: a Design as the sample made it. Out: the rows kept, with dense codes and the counts that every
engine states alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from justeval.estimate.records import Codes, Design

DENSE_CODES_PER_ROW = 4
"""Codes up to this many times the number of rows are counted directly; wider ones are sorted."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """The rows that carry information once a document has its own effect.

    rows : (N0,) bool, rows of the design in documents with at least two rows, N of them true.
    document, cluster : (N,) dense codes of the rows kept. sizes : (documents,) rows a document.
    nested : whether every document lies in one cluster.
    """

    rows: npt.NDArray[np.bool_]
    document: Codes
    cluster: Codes
    sizes: Codes
    clusters: int
    singletons_dropped: int
    nested: bool

    @property
    def n(self) -> int:
        """Rows kept, N."""
        return self.document.size

    @property
    def documents(self) -> int:
        """Documents kept."""
        return self.sizes.size


def dense_codes(codes: Codes) -> Codes:
    """(N,) codes renumbered 0, 1, ... without gaps, in their old order."""
    if codes.size == 0:
        return codes
    steps = codes[1:] - codes[:-1]
    if not (steps < 0).any():  # sorted, as the cells of a sample are
        ranks = np.zeros(codes.size, dtype=np.int64)
        np.cumsum(steps > 0, out=ranks[1:])
        return ranks
    low, high = int(codes.min()), int(codes.max())
    if low < 0 or high >= DENSE_CODES_PER_ROW * codes.size + 1024:
        return np.asarray(np.unique(codes, return_inverse=True)[1], dtype=np.int64)
    used = np.zeros(high + 1, dtype=np.int64)
    used[codes] = 1
    return np.asarray((np.cumsum(used) - 1)[codes], dtype=np.int64)


def group_rows(design: Design) -> Grouping:
    """Drop the documents with a single row (reghdfe does the same) and number what remains."""
    document = dense_codes(design.document)
    sizes = np.bincount(document)
    rows = sizes[document] > 1
    singletons = int(np.count_nonzero(sizes == 1))
    if singletons:
        document = dense_codes(document[rows])
        sizes = np.bincount(document)
    if design.cluster is None:
        return Grouping(rows, document, document, sizes, sizes.size, singletons, True)
    cluster = dense_codes(design.cluster[rows])
    clusters = int(cluster.max()) + 1 if cluster.size else 0
    nested = _is_nested(document, cluster, sizes.size)
    return Grouping(rows, document, cluster, sizes, clusters, singletons, nested)


def _is_nested(document: Codes, cluster: Codes, documents: int) -> bool:
    one_of = np.zeros(documents, dtype=np.int64)
    one_of[document] = cluster
    return bool(np.all(one_of[document] == cluster))

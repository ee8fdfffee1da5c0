"""Which ratios of means are finite: documents without months, and values that have only zeros.

In: a Design whose outcome is never negative. Out: the rows and columns of which a Poisson model
with document effects can say anything.

A log ratio is finite only if evidence points both ways. Draw an arrow from value i to value j where
some document holds both and i has months there: the maximum exists for the values that can be
reached from the reference value and from which it can be reached (Ford 1957's condition for paired
comparisons; separation in Santos Silva & Tenreyro 2010). The others are "separated": their
estimate runs off to an infinite one, and software that stops early prints a large number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from justeval.estimate.grouping import dense_codes
from justeval.estimate.records import Codes, Design, Floats

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Estimable:
    """rows : (N,) rows that carry information. columns : (K,) columns with a finite coefficient.
    separated : (K,) columns whose coefficient would be infinite. zeros : documents with at least
    two rows and only zeros. singletons : documents with one row."""

    rows: Flags
    columns: Flags
    separated: Flags
    zeros: int
    singletons: int


def estimable_values(design: Design) -> Estimable:
    """Drop documents with one row or only zeros, and values that are separated."""
    document = dense_codes(design.document)
    sizes = np.bincount(document)
    total = np.bincount(document, weights=design.y)
    dropped = (
        int(np.count_nonzero((sizes > 1) & (total == 0))),
        int(np.count_nonzero(sizes == 1)),
    )
    rows = _informative(document, design.y, np.ones(document.size, dtype=np.bool_))
    columns = np.ones(design.x.shape[1], dtype=np.bool_)
    if not rows.any():
        return Estimable(rows, columns, np.zeros_like(columns), *dropped)
    if are_dummies(design.x):
        kept, separated = _connected(design.x[rows], design.y[rows], dense_codes(document[rows]))
        value = np.where(design.x.any(axis=1), design.x.argmax(axis=1) + 1, 0)
        rows = _informative(document, design.y, rows & np.append(True, kept)[value])
        return Estimable(rows, kept, separated, *dropped)
    if design.x.shape[1] == 1:
        separated = np.array([at_one_end(design.x[rows, 0], design.y[rows], document[rows])])
        return Estimable(rows & ~separated[0], ~separated, separated, *dropped)
    return Estimable(rows, columns, np.zeros_like(columns), *dropped)


def are_dummies(x: Floats) -> bool:
    """Whether the columns are value dummies against one reference value."""
    return bool(np.isin(x, (0.0, 1.0)).all() and (x.sum(axis=1) <= 1.0).all())


def _informative(document: Codes, y: Floats, rows: Flags) -> Flags:
    """(N,) rows among `rows` whose document has at least two of them and a sum above 0."""
    sizes = np.bincount(document, weights=rows)
    total = np.bincount(document, weights=np.where(rows, y, 0.0))
    return np.asarray(rows & (sizes[document] > 1) & (total[document] > 0))


def _connected(x: Floats, y: Floats, document: Codes) -> tuple[Flags, Flags]:
    """`connected` from rows."""
    value = np.where(x.any(axis=1), x.argmax(axis=1) + 1, 0)
    documents = int(document.max()) + 1
    size = (x.shape[1] + 1) * documents
    cell = value * documents + document
    present = np.bincount(cell, minlength=size).reshape(-1, documents) > 0
    positive = np.bincount(cell, weights=y, minlength=size).reshape(-1, documents) > 0
    return connected(present, positive)


def connected(present: Flags, positive: Flags) -> tuple[Flags, Flags]:
    """(K,) values connected with the reference value both ways, and (K,) one way only.

    present, positive : (K + 1, D) whether a document holds the value, and has months there; the
    reference value first.
    """
    size = present.shape[0]
    reach = (positive.astype(np.float64) @ present.T) > 0
    reach |= np.eye(size, dtype=np.bool_)
    for _ in range(int(np.ceil(np.log2(size))) + 1):
        reach = (reach.astype(np.float64) @ reach) > 0
    out, back = reach[0, 1:], reach[1:, 0]
    return np.asarray(out & back), np.asarray(out ^ back)


def at_one_end(x: Floats, y: Floats, document: Codes) -> bool:
    """Whether every month lies at the largest x of its document, or every one at the smallest."""
    codes = dense_codes(document)
    top = np.full(int(codes.max()) + 1, -np.inf)
    bottom = -top
    np.maximum.at(top, codes, x)
    np.minimum.at(bottom, codes, x)
    moves = (top > bottom)[codes] & (y > 0)
    if not moves.any():
        return False
    return bool((x == top[codes])[moves].all() or (x == bottom[codes])[moves].all())

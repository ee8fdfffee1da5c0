"""Which columns of a regression can be estimated, from their cross products alone.

In: cross products within documents. Out: flags of the columns that vary and are no combination of
those before them; the inverse over these.
"""

from __future__ import annotations

import numpy as np

from justeval.estimate.encoding import Flags
from justeval.estimate.records import Floats

COLLINEAR = 1e-10
"""A column whose variation within documents, given the columns before it, is a smaller share than
this of its own sum of squares is not estimated."""


def estimable(gram: Floats, squares: Floats) -> Flags:
    """(K,) from the (K, K) cross products within documents and the (K,) raw sums of squares."""
    if squares.size == 1:
        return np.array([gram[0, 0] > COLLINEAR * squares[0]])
    kept: list[int] = []
    for column in range(squares.size):
        left = gram[column, column]
        if kept:
            cross = gram[kept, column]
            left = left - cross @ np.linalg.solve(gram[np.ix_(kept, kept)], cross)
        if left > COLLINEAR * squares[column]:
            kept.append(column)
    estimated = np.zeros(squares.size, dtype=np.bool_)
    estimated[kept] = True
    return estimated


def estimated_of(gram: Floats, squares: Floats) -> Flags:
    """(B, K) from (B, K, K) cross products within documents and (B, K) raw sums of squares."""
    left, sure = gram.copy(), np.ones(gram.shape[0], dtype=np.bool_)
    for column in range(gram.shape[1]):
        pivot = left[:, column, column]
        sure &= pivot > COLLINEAR * squares[:, column]
        row = left[:, column] / np.where(sure, pivot, 1.0)[:, None]
        left -= left[:, :, column, None] * row[:, None]
    estimated = np.ones(squares.shape, dtype=np.bool_)
    for label in np.flatnonzero(~sure):
        estimated[label] = estimable(gram[label], squares[label])
    return estimated


def inverse_of(gram: Floats, estimated: Flags) -> Floats:
    """(B, K, K) inverses over the columns estimated, 0 beside them."""
    if estimated.all():
        return np.asarray(np.linalg.inv(gram), dtype=np.float64)
    both = estimated[:, :, None] & estimated[:, None]
    filled = np.where(both, gram, np.eye(gram.shape[1]))
    return np.where(both, np.linalg.inv(filled), 0.0)

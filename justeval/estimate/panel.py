"""The within transformation of value labels, laid out as documents x values.

In: a Design that knows the value of each row, one row a document and value at most. Out: a Panel.

Every label of an analysis has this form, and two things follow. A row's regressors depend on its
value alone, so that the demeaned columns never have to be written down: with u the demeaned outcome
of a document, its score is X' u, as u sums to zero. And documents that hold the same values have
the same cross products A_g, of which there are as many as patterns of missing values: few. What is
left are a handful of operations on (documents, values), a fifth of the time of the general form.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from justeval.estimate.grouping import dense_codes
from justeval.estimate.records import Codes, Design, Floats

Flags = npt.NDArray[np.bool_]

MOST_VALUES = 62
"""Patterns of missing values have a number each, of V bits."""

MOST_COUNTED = 12
"""Up to this many values the 2^V numbers are counted; more are sorted."""

SAME = 1e-9
"""Outcomes of two cells closer than this are the same answer."""

COLLINEAR = 1e-10
"""A column whose variation within documents, given the columns before it, is a smaller share than
this of its own sum of squares is not estimated."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One label after the within transformation: D documents with at least two rows, V values.

    u : (D, V) outcome less its document's mean, 0 where a document lacks the value. x : (V, J) the
    columns that can be estimated, by value. estimated : (K,) which they are. patterns : (P, J, J)
    the distinct A_g = X_g' X_g, pattern : (D,) which of them a document has. bread : (J, J),
    (sum_g A_g)^-1. document : (D,) codes of the design. n : rows. singletons_dropped : documents
    with one row.
    """

    u: Floats
    x: Floats
    estimated: Flags
    patterns: Floats
    pattern: Codes
    bread: Floats
    document: Codes
    n: int
    singletons_dropped: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The cells of a design as they are: y : (V, D) outcomes, 0 where a document lacks the value;
    present : (V, D); document : (D,) codes of the design. Values stand in rows: NumPy sums few
    long rows faster than many short ones."""

    y: Floats
    present: Flags
    document: Codes


def layout_of(design: Design) -> Layout | None:
    """The cells of a design; None where it has none: clusters other than documents, rows without
    a value, several rows of a document and value."""
    if design.value is None or design.levels is None or design.cluster is not None:
        return None
    width = design.levels.shape[0]
    if design.y.size == 0 or not _is_by_value(design):
        return None
    row = dense_codes(design.document)
    documents = int(row.max()) + 1
    cell = design.value * documents + row
    present = np.zeros(width * documents, dtype=np.bool_)
    present[cell] = True
    if np.count_nonzero(present) < cell.size:
        return None
    y = np.zeros(width * documents)
    y[cell] = design.y
    document = np.zeros(documents, dtype=np.int64)
    document[row] = design.document
    return Layout(y.reshape(width, -1), present.reshape(width, -1), document)


def panel_of(design: Design, layout: Layout | None = None) -> Panel | None:
    """The panel of a design, None where it has no layout, or too many values. layout : where it is
    there already."""
    layout = layout or layout_of(design)
    if layout is None or design.levels is None or layout.y.shape[0] > MOST_VALUES:
        return None
    return _transformed(design.levels, layout.y, layout.present, layout.document)


def documents_changed(design: Design, layout: Layout) -> list[int]:
    """For each of the K columns, the documents whose outcome differs from the reference value's.

    Where no value is the reference (the column of a numeric label), those that differ at all.
    """
    levels = np.zeros((0, 0)) if design.levels is None else design.levels
    y, present = layout.y, layout.present
    reference = np.flatnonzero(~levels.any(axis=1))
    if reference.size != 1 or levels.max() != 1.0:
        most, least = np.where(present, y, -np.inf), np.where(present, y, np.inf)
        spread = most.max(axis=0) - least.min(axis=0)
        return [int(np.count_nonzero(spread > SAME))] * levels.shape[1]
    at, there = y[reference[0]], present[reference[0]]
    return [
        int(np.count_nonzero(there & present[value] & (np.abs(y[value] - at) > SAME)))
        for value in levels.argmax(axis=0)
    ]


def _is_by_value(design: Design) -> bool:
    """Whether the columns are still those of the values: a design may have been changed since."""
    if design.value is None or design.levels is None or design.value.size != design.y.size:
        return False
    return np.array_equal(design.levels[design.value], design.x)


def _transformed(levels: Floats, y: Floats, present: Flags, document: Codes) -> Panel:
    sizes = present.sum(axis=0)
    several = sizes > 1
    singletons = several.size - int(np.count_nonzero(several))
    if singletons:
        y, present, document = y[:, several], present[:, several], document[several]
        sizes = sizes[several]
    u = (y - y.sum(axis=0) / sizes) * present
    masks, pattern, counts = patterns_of(present)
    grams = grams_of(masks, levels)
    gram = np.einsum("p,pij->ij", counts, grams)
    estimated = estimable(gram, counts @ masks @ levels**2)
    if not estimated.all():
        grams, levels = grams[:, estimated][:, :, estimated], levels[:, estimated]
        gram = gram[np.ix_(estimated, estimated)]
    bread = np.asarray(np.linalg.inv(gram), dtype=np.float64)
    n = int(sizes.sum())
    return Panel(u.T, levels, estimated, grams, pattern, bread, document, n, singletons)


def patterns_of(present: Flags) -> tuple[Floats, Codes, Floats]:
    """(P, V) which values a pattern holds, (D,) the pattern of each document, (P,) how many."""
    width = present.shape[0]
    number = np.zeros(present.shape[1], dtype=np.int64)
    for value in range(width):
        number += present[value] * (1 << value)
    if width > MOST_COUNTED:
        there, pattern, counts = np.unique(number, return_inverse=True, return_counts=True)
    else:
        of_number = np.bincount(number, minlength=1 << width)
        there = np.flatnonzero(of_number)
        place = np.zeros(of_number.size, dtype=np.int64)
        place[there] = np.arange(there.size)
        pattern, counts = place[number], of_number[there]
    masks = ((there[:, None] >> np.arange(width)) & 1).astype(np.float64)
    return masks, pattern, counts.astype(np.float64)


def grams_of(masks: Floats, levels: Floats) -> Floats:
    """(P, K, K) X' (diag(w) - w w' / n) X for the (P, V) masks w, n values each."""
    sums = masks @ levels
    inner = np.einsum("pv,vi,vj->pij", masks, levels, levels)
    sizes = masks.sum(axis=1)[:, None, None]
    return np.asarray(inner - sums[:, :, None] * sums[:, None, :] / sizes)


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

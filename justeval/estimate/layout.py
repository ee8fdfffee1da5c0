"""The cells of one label laid out as documents x values.

In: a Design that knows the value of each row, one row a document and value at most. Out: a Layout,
or None. Every label of an analysis has this form; what follows from it stands in `panel` (least
squares) and `poisson_panel`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from justeval.estimate.encoding import Flags
from justeval.estimate.grouping import dense_codes
from justeval.estimate.records import Codes, Design, Floats

MOST_COUNTED = 12
"""Up to this many values the 2^V patterns of missing values are counted; more are sorted."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The cells of a design as they are: y : (V, D) outcomes, 0 where a document lacks the value;
    present : (V, D), some of every value and document; document : (D,) codes of the design;
    levels : (V, K) its columns by value, with their names and the reference value. Values stand in
    rows: NumPy sums few long rows faster than many short ones."""

    y: Floats
    present: Flags
    document: Codes
    levels: Floats
    names: tuple[str, ...]
    reference: str


def flat(design: Design | Layout) -> Design:
    """The same regression with its rows one after the other, by document and value."""
    if isinstance(design, Design):
        return design
    document, value = np.nonzero(design.present.T)
    return Design(
        y=design.y[value, document],
        x=design.levels.take(value, axis=0),
        document=design.document[document],
        names=design.names,
        reference=design.reference,
        value=value,
        levels=design.levels,
    )


def layout_of(design: Design | Layout) -> Layout | None:
    """The cells of a design; None where it has none: clusters other than documents, rows without
    a value, several rows of a document and value."""
    if isinstance(design, Layout):
        return design
    return lay_out(design) if _is_by_value(design) else None


def lay_out(design: Design) -> Layout | None:
    """The same for a design as `label_design` made it: that its columns are those of its values is
    not looked at again."""
    if design.value is None or design.levels is None or design.cluster is not None:
        return None
    width = design.levels.shape[0]
    if design.y.size == 0:
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
    return Layout(
        y=y.reshape(width, -1),
        present=present.reshape(width, -1),
        document=document,
        levels=design.levels,
        names=design.names,
        reference=design.reference,
    )


def _is_by_value(design: Design) -> bool:
    """Whether the columns are still those of the values: a design may have been changed since."""
    if design.value is None or design.levels is None or design.value.size != design.y.size:
        return False
    return np.array_equal(design.levels[design.value], design.x)


def patterns_of(present: Flags) -> tuple[Floats, Codes, Floats]:
    """(P, V) which values a pattern holds, 1 or 0; (D,) the pattern of each document; (P,) how many
    documents have it. Patterns ascend, that of no value first where there is any."""
    width = present.shape[0]
    if width > MOST_COUNTED:
        packed = np.ascontiguousarray(np.packbits(present, axis=0).T)
        found = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        pattern = np.asarray(found[2], dtype=np.int64).reshape(-1)
        return present[:, found[1]].T.astype(np.float64), pattern, _counted(pattern)
    number = numbers_of(present)
    there = np.flatnonzero(np.bincount(number, minlength=1 << width))
    place = np.zeros(1 << width, dtype=np.int64)
    place[there] = np.arange(there.size)
    return masks_of(there, width), place[number], _counted(place[number])


def _counted(pattern: Codes) -> Floats:
    return np.asarray(np.bincount(pattern), dtype=np.float64)


def numbers_of(present: Flags) -> Codes:
    """(..., D) the pattern of each document as a number of V bits, for (..., V, D) flags of
    MOST_COUNTED values at most."""
    number = np.zeros((*present.shape[:-2], present.shape[-1]), dtype=np.int64)
    for value in range(present.shape[-2]):
        number |= present[..., value, :].astype(np.int64) << value
    return number


def masks_of(numbers: Codes, width: int) -> Floats:
    """(P, V) which values the patterns with these numbers hold, 1 or 0."""
    return np.asarray((numbers[:, None] >> np.arange(width)) & 1, dtype=np.float64)


def grams_of(masks: Floats, levels: Floats) -> Floats:
    """(P, K, K) X' (diag(w) - w w' / n) X for the (P, V) masks w, n values each (0 for none).

    levels : (V, K), or (P, V, K) where every pattern has its own.
    """
    own = levels if levels.ndim == 3 else np.broadcast_to(levels, (masks.shape[0], *levels.shape))
    sums = np.einsum("pv,pvk->pk", masks, own)
    inner = np.einsum("pvi,pvj->pij", masks[:, :, None] * own, own)
    sizes = np.maximum(masks.sum(axis=1), 1.0)[:, None, None]
    return np.asarray(inner - sums[:, :, None] * sums[:, None, :] / sizes)

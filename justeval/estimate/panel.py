"""The within transformation of value labels, many labels at once.

In: Layouts (documents x values) of designs with as many values and columns. Out: Panels, and their
RawFits.

Two things follow from the layout. A row's regressors depend on its value alone, so that the
demeaned columns never have to be written down: with u the demeaned outcome of a document, its score
is X' u, as u sums to zero. And documents that hold the same values have the same cross products
A_g, of which there are as many as patterns of missing values: few. What is left are a handful of
operations on (documents, values); as a label has some thousand cells, NumPy's own time for each
call is longer than theirs, so that labels are stacked: all take a quarter of the time of one
after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from justeval.estimate.collinear import estimated_of, inverse_of
from justeval.estimate.encoding import Flags
from justeval.estimate.layout import (
    MOST_COUNTED,
    Layout,
    grams_of,
    layout_of,
    masks_of,
    numbers_of,
    patterns_of,
)
from justeval.estimate.records import Codes, Design, Floats, RawFits

SAME = 1e-9
"""Outcomes of two cells closer than this are the same answer."""

STACK = 1 << 17
"""Cells stacked at a time: what is made of them stays in a processor's cache."""


@dataclass(frozen=True, slots=True)
class Panels:
    """B labels after the within transformation, each of V values, K columns and up to D documents.

    u : (B, V, D) outcome less its document's mean, 0 where a document lacks the value or holds no
    other. x : (B, V, K) the columns by value, 0 where they cannot be estimated. estimated : (B, K)
    which can. grams : (Q, K, K) the distinct A_g = X_g' X_g of all labels; `first` : (B,) where
    those of a label begin, with one of zeros; pattern : (B, D) which of the label's own a document
    has, 0 where it has fewer than two rows. bread : (B, K, K), (sum_g A_g)^-1, 0 beside the columns
    estimated. document : (B, D) codes of the designs. largest_y : (B,) the largest |y|. n :
    rows in documents with two or more, which `documents` counts, `singletons` those with one row.
    changed : (B, K) documents whose outcome differs from the reference value's (where no value is
    the reference: that differ at all).
    """

    u: Floats
    x: Floats
    estimated: Flags
    grams: Floats
    first: Codes
    pattern: Codes
    bread: Floats
    document: Codes
    largest_y: Floats
    n: Codes
    documents: Codes
    singletons: Codes
    changed: Codes

    @property
    def size(self) -> int:
        """Labels, B."""
        return int(self.u.shape[0])


def panel_of(design: Design | Layout) -> Panels | None:
    """The panel of one design, None where it has no layout."""
    layout = layout_of(design)
    return None if layout is None else panels_of([layout])


def panels_by_stack(layouts: Mapping[int, Layout]) -> Iterator[tuple[list[int], Panels]]:
    """The panels of layouts, a stack at a time, with their keys."""
    for stack in _stacks(layouts):
        yield stack, panels_of([layouts[key] for key in stack])


def _stacks(layouts: Mapping[int, Layout]) -> Iterator[list[int]]:
    """Keys of layouts that go together: as many values and columns, about as many documents, STACK
    cells at most unless one alone has more."""
    shapes = [(*one.levels.shape, one.document.size, key) for key, one in layouts.items()]
    stack: list[int] = []
    values = columns = least = 0
    for v, k, documents, key in sorted(shapes):
        full = (len(stack) + 1) * v * documents > STACK or documents > 2 * least
        if stack and (full or (v, k) != (values, columns)):
            yield stack
            stack = []
        if not stack:
            values, columns, least = v, k, documents
        stack.append(key)
    if stack:
        yield stack


def panels_of(layouts: Sequence[Layout]) -> Panels:
    """The panels of B layouts of V values and K columns each."""
    levels = np.stack([one.levels for one in layouts])
    y, present, document = _stacked(layouts)
    sizes = present.sum(axis=1)
    several = sizes > 1
    mean = y.sum(axis=1) / np.maximum(sizes, 1)
    counted = present & several[:, None]
    u = (y - mean[:, None]) * counted
    masks, first, pattern, counts = _patterns(counted)
    label = np.repeat(np.arange(y.shape[0]), np.diff(np.append(first, len(masks))))
    grams = grams_of(masks, levels[label])
    gram = np.add.reduceat(counts[:, None, None] * grams, first)
    squares = np.add.reduceat(np.einsum("q,qv,qvk->qk", counts, masks, levels[label] ** 2), first)
    estimated = estimated_of(gram, squares)
    return Panels(
        u=u,
        x=levels * estimated[:, None],
        estimated=estimated,
        grams=grams,
        first=first,
        pattern=pattern,
        bread=inverse_of(gram, estimated),
        document=document,
        largest_y=np.abs(y).max(axis=(1, 2)),
        n=np.where(several, sizes, 0).sum(axis=1),
        documents=np.count_nonzero(several, axis=1),
        singletons=np.count_nonzero(sizes == 1, axis=1),
        changed=_documents_changed(levels, y, present),
    )


def fit_panels(panels: Panels) -> RawFits:
    """Least squares of every label, clustered by document: e_g = u_g - (X b) less its mean, so that
    s_g = X_g' e_g = X_g' u_g - A_g b."""
    scores = panels.u.transpose(0, 2, 1) @ panels.x
    coef = (panels.bread @ scores.sum(axis=1)[:, :, None])[:, :, 0]
    label = np.repeat(np.arange(panels.size), np.diff(np.append(panels.first, len(panels.grams))))
    fitted = (panels.grams @ coef[label][:, :, None])[:, :, 0]
    influence = (scores - fitted[panels.first[:, None] + panels.pattern]) @ panels.bread
    sandwich = influence.transpose(0, 2, 1) @ influence
    known = panels.estimated
    return RawFits(
        coef=np.where(known, coef, np.nan),
        sandwich=np.where(known[:, :, None] & known[:, None], sandwich, np.nan),
        rank=np.count_nonzero(known, axis=1),
        n=panels.n,
        documents=panels.documents,
        clusters=panels.documents,
        singletons_dropped=panels.singletons,
        nested=np.ones(panels.size, dtype=np.bool_),
    )


def _stacked(layouts: Sequence[Layout]) -> tuple[Floats, Flags, Codes]:
    """(B, V, D) outcomes, which there are, and (B, D) documents; short ones are filled up."""
    documents = max(one.document.size for one in layouts)
    shape = (len(layouts), layouts[0].y.shape[0], documents)
    y, present = np.zeros(shape), np.zeros(shape, dtype=np.bool_)
    document = np.full((len(layouts), documents), -1, dtype=np.int64)
    for place, one in enumerate(layouts):
        y[place, :, : one.document.size] = one.y
        present[place, :, : one.document.size] = one.present
        document[place, : one.document.size] = one.document
    return y, present, document


def _patterns(present: Flags) -> tuple[Floats, Codes, Codes, Floats]:
    """(Q, V) the patterns of all labels, each label's led by that of no value; (B,) where a label's
    begin; (B, D) the pattern of each document among its label's; (Q,) documents."""
    size, width = present.shape[0], present.shape[1]
    if width > MOST_COUNTED:
        return _one_by_one(present)
    every = 1 << width
    key = numbers_of(present) + every * np.arange(size)[:, None]
    count = np.bincount(key.ravel(), minlength=size * every)
    there = count > 0
    there[::every] = True
    place = np.cumsum(there.reshape(size, every), axis=1) - 1
    at = np.flatnonzero(there)
    first = np.searchsorted(at, every * np.arange(size))
    masks = masks_of(at % every, width)
    return masks, first, place.ravel()[key], count[at].astype(np.float64)


def _one_by_one(present: Flags) -> tuple[Floats, Codes, Codes, Floats]:
    """The same of labels with too many values to count their patterns."""
    nothing = np.zeros((present.shape[1], 1), dtype=np.bool_)
    found = [patterns_of(np.concatenate([nothing, own], axis=1)) for own in present]
    sizes = [masks.shape[0] for masks, _, _ in found]
    return (
        np.concatenate([masks for masks, _, _ in found]),
        np.cumsum([0, *sizes[:-1]]),
        np.stack([pattern[1:] for _, pattern, _ in found]),
        np.concatenate([counts for _, _, counts in found]),
    )


def _documents_changed(levels: Floats, y: Floats, present: Flags) -> Codes:
    """(B, K) documents whose outcome differs: see `Panels`."""
    still = ~levels.any(axis=2)
    dummies = (np.count_nonzero(still, axis=1) == 1) & (levels.max(axis=(1, 2)) == 1.0)
    reference, label = still.argmax(axis=1), np.arange(y.shape[0])
    away = np.abs(y - y[label, reference][:, None]) > SAME
    both = present & present[label, reference][:, None]
    of_value = np.count_nonzero(away & both, axis=2)
    changed = np.take_along_axis(of_value, levels.argmax(axis=1), axis=1)
    if not dummies.all():
        most = np.where(present, y, -np.inf).max(axis=1)
        least = np.where(present, y, np.inf).min(axis=1)
        spread = np.where(present.any(axis=1), most - least, 0.0)
        changed[~dummies] = np.count_nonzero(spread > SAME, axis=1)[~dummies, None]
    return changed

"""What two runs share: the same cells and the same documents, and quantities clustered by document.

In: the samples of two runs. Out: Cells and Pairs in the codes of the first run, and Ratios.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from justeval.estimate import Sample
from justeval.estimate.encoding import Names
from justeval.estimate.grouping import dense_codes
from justeval.estimate.records import Codes, Floats

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells (document x value) of one label in the main sample of both runs, (C,) each."""

    document: Codes
    value: Codes
    log_a: Floats
    log_b: Floats


@dataclass(frozen=True, slots=True)
class Pairs:
    """A quantity of both runs, one entry a document or cell, (P,) each."""

    document: Codes
    a: Floats
    b: Floats


NO_PAIRS = Pairs(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))


@dataclass(frozen=True, slots=True)
class Ratio:
    """A quantity in both runs and its difference (b - a), clustered by document.

    `ci_low`, `ci_high` bound the difference at 95 %.
    """

    a: float | None
    b: float | None
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    documents: int


def pair_cells(a: Sample, b: Sample, group_a: int, group_b: int) -> Cells:
    """The cells of a group that both runs answer, matched by the names of document and value."""
    of_a, of_b = a.cells_of(group_a), b.cells_of(group_b)
    width = len(a.values)
    key_a = of_a.document * width + of_a.value
    document = _renamed(b.documents, a.documents)[of_b.document]
    value = _renamed(b.values, a.values)[of_b.value]
    key_b = np.where((document >= 0) & (value >= 0), document * width + value, -1)
    key, left, right = np.intersect1d(key_a, key_b, return_indices=True)
    log_a, log_b = of_a.log_months[left], of_b.log_months[right]
    return Cells(*np.divmod(key, max(width, 1)), log_a, log_b)


def pair_changes(a: Sample, b: Sample, group_a: int, group_b: int) -> Pairs:
    """The documents compared in both runs, and whether their answers change: 1 or 0."""
    of_a, of_b = a.comparisons_of(group_a), b.comparisons_of(group_b)
    renamed = _renamed(b.documents, a.documents)[of_b.document]
    document, left, right = np.intersect1d(of_a.document, renamed, return_indices=True)
    changed_a = of_a.changed[left].astype(np.float64)
    changed_b = of_b.changed[right].astype(np.float64)
    return Pairs(document, changed_a, changed_b)


def movements(cells: Cells, reference: int) -> Pairs:
    """|log_months - that of the reference value| in both runs, one entry a cell of another value.

    Where the label has no reference value (a negative code), a document's first cell stands in.
    """
    if cells.document.size == 0:
        return NO_PAIRS
    document = dense_codes(cells.document)
    base = np.full(int(document.max()) + 1, -1, dtype=np.int64)
    at = (
        np.arange(document.size)[::-1]
        if reference < 0
        else np.flatnonzero(cells.value == reference)
    )
    base[document[at]] = at
    base_of = base[document]
    kept = (base_of >= 0) & (base_of != np.arange(document.size))
    base_of = base_of[kept]
    return Pairs(
        cells.document[kept],
        np.abs(cells.log_a[kept] - cells.log_a[base_of]),
        np.abs(cells.log_b[kept] - cells.log_b[base_of]),
    )


def joined(pairs: Sequence[Pairs]) -> Pairs:
    """Pairs of several labels together."""
    return Pairs(
        np.concatenate([one.document for one in pairs]),
        np.concatenate([one.a for one in pairs]),
        np.concatenate([one.b for one in pairs]),
    )


def clustered_ratio(pairs: Pairs) -> Ratio:
    """The means of a and b over all entries, and their difference with an error.

    With s_d the sum of b - a and n_d the number of entries of document d, r = sum s_d / sum n_d
    has the linearized variance G/(G-1) sum_d ((s_d - r n_d) / sum n)^2; t with G - 1 degrees of
    freedom (Cameron & Miller 2015: clustering a mean by document).
    """
    entries = pairs.document.size
    if entries == 0:
        return Ratio(None, None, None, None, None, None, 0)
    a, b = float(pairs.a.mean()), float(pairs.b.mean())
    document = dense_codes(pairs.document)
    sums = np.bincount(document, weights=pairs.b - pairs.a)
    numbers = np.bincount(document)
    clusters = numbers.size
    rate = float(sums.sum() / entries)
    if clusters < 2:
        return Ratio(a, b, rate, None, None, None, clusters)
    deviation = (sums - rate * numbers) / entries
    se = float(np.sqrt(clusters / (clusters - 1) * (deviation @ deviation)))
    if se == 0:
        return Ratio(a, b, rate, None, None, None, clusters)
    half = float(special.stdtrit(clusters - 1, 0.5 + CONFIDENCE / 2)) * se
    p = float(2.0 * special.stdtr(clusters - 1, -abs(rate / se)))
    return Ratio(a, b, rate, rate - half, rate + half, p, clusters)


def _renamed(names: Names, into: Names) -> Codes:
    """(N + 1,) codes of one run as codes of the other, -1 where it lacks the name."""
    code = {name: at for at, name in enumerate(into)}
    return np.array([*(code.get(name, -1) for name in names), -1], dtype=np.int64)

"""In which documents the answers to a label differ at all.

In: rows of labels in the order of their cells. Out: Comparisons, which inconsistency counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes, Floats


@dataclass(frozen=True, slots=True)
class Ordered:
    """The rows of labels in the main sample, (N,) each, sorted by group (model * labels + label),
    document, value and repetition."""

    group: Codes
    document: Codes
    value: Codes
    months: Floats
    true_months: Floats


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The documents in which a label's values can be compared: at least two answers with months.

    One entry a (model, label, document), sorted by group: the first readable answer of each
    value, whatever its kind and length, and whether any two of them differ.
    """

    group: Codes
    document: Codes
    changed: Flags


def comparisons_of(rows: Ordered) -> Comparisons:
    """Which documents hold two answers of a group, and whether they differ."""
    first = starts_of(rows.group, rows.document, rows.value)  # the first that can be read
    group, document, months = rows.group[first], rows.document[first], rows.months[first]
    documents = int(document.max(initial=0)) + 1
    both, changed = changed_documents(group * documents + document, months)
    return Comparisons(both // documents, both % documents, changed)


def changed_documents(document: Codes, months: Floats) -> tuple[Codes, Flags]:
    """The documents with two answers or more, and whether these differ; both sorted by document."""
    first = starts_of(document)
    if first.size == 0:
        return document, np.zeros(0, dtype=np.bool_)
    # Answers differ where two neighbors do: steps are counted up to each document's end.
    step = np.zeros(months.size, dtype=np.int64)
    np.cumsum(months[1:] != months[:-1], out=step[1:])
    last = np.append(first[1:], months.size) - 1
    several = last > first
    first, last = first[several], last[several]
    return document[first], step[last] > step[first]


def starts_of(*codes: Codes) -> Codes:
    """Where a new combination of codes begins in sorted rows."""
    if codes[0].size == 0:
        return np.zeros(0, dtype=np.int64)
    new = np.zeros(codes[0].size, dtype=np.bool_)
    new[0] = True
    for code in codes:
        new[1:] |= code[1:] != code[:-1]
    return np.flatnonzero(new)

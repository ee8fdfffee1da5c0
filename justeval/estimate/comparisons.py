"""In which documents the answers to a label differ at all.

In: the rows of one group that can be compared. Out: its Comparisons, which inconsistency counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes
from justeval.estimate.shelves import Rows


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The documents in which a label's values can be compared: at least two answers with months.

    One entry a document of a group, ascending: the first readable answer of each value, whatever
    its kind and length, and whether any two of them differ.
    """

    document: Codes
    changed: Flags


def comparisons_of(rows: Rows, repeated: bool) -> Comparisons:
    """Which documents hold answers to two values, and whether these differ."""
    document, months = rows.document, rows.months
    if repeated:
        first = starts_of(document, rows.value)  # the first that can be read
        document, months = document[first], months[first]
    first = starts_of(document)
    if first.size == 0:
        return Comparisons(document, np.zeros(0, dtype=np.bool_))
    # Answers differ where two neighbors do: steps are counted up to each document's end.
    step = np.zeros(months.size, dtype=np.int64)
    np.cumsum(months[1:] != months[:-1], out=step[1:])
    last = np.append(first[1:], months.size) - 1
    several = last > first
    first, last = first[several], last[several]
    return Comparisons(document[first], step[last] > step[first])


def starts_of(*codes: Codes) -> Codes:
    """Where a new combination of codes begins in sorted rows."""
    if codes[0].size == 0:
        return np.zeros(0, dtype=np.int64)
    new = np.zeros(codes[0].size, dtype=np.bool_)
    new[0] = True
    for code in codes:
        new[1:] |= code[1:] != code[:-1]
    return np.flatnonzero(new)

"""The versions of every document, as the checks look at them.

In: a table of predictions and its codes. Out: Versions, one entry a version (document x value of
one label of one model), sorted so that the versions of a document lie side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from justeval.estimate.comparisons import starts_of
from justeval.estimate.encoding import (
    Coded,
    Encoded,
    Flags,
    code_column,
    stable_order,
)
from justeval.estimate.records import Codes, Floats
from justeval.estimate.rule import (
    NOT_A_NUMBER,
    OUT_OF_RANGE,
    Bounds,
    Judged,
    as_numbers,
    judge,
)
from justeval.schema import READABLE

LADDER = {"life": 480.0, "death_suspended": 600.0, "death": 900.0}
"""Months at which penalties without a term stand when replies are ordered by severity."""

LADDER_ABOVE = 600.0
"""A term above this many months is no further from life than life is from itself."""


PROBABILITY_SCALE = 4.0
"""A probability of 0.1 more counts as much as a term about half as long again."""


@dataclass(frozen=True, slots=True)
class Versions:
    """One entry a version, V of them, sorted by model, label, document and value.

    first : row of its first reply, by which it is judged where replies are compared. group :
    model * labels + label. unit : number of the document within its group, dense over all.
    of_row : (N,) the version that a row belongs to, -1 for a bare case. rows : how many rows it
    has. size : (V,) versions in its document. readable : row of its first readable reply, -1 where
    there is none. level : log(months + 1) of its first readable
    reply, penalties without a term on LADDER, NaN where unknown.
    """

    encoded: Encoded
    judged: Judged
    first: Codes
    readable: Codes
    group: Codes
    document: Codes
    value: Codes
    unit: Codes
    size: Codes
    rows: Codes
    of_row: Codes
    level: Floats

    @property
    def count(self) -> int:
        """Number of versions."""
        return self.first.size

    @property
    def labels(self) -> int:
        """Number of labels."""
        return max(len(self.encoded.label.names), 1)

    def value_key(self) -> Codes:
        """(V,) one code for each value of each group."""
        return self.group * len(self.encoded.value.names) + self.value

    def where(self, key: int) -> tuple[str, str, str]:
        """Model, label and value of a value key."""
        group, value = divmod(int(key), len(self.encoded.value.names))
        return (*self.group_names(group), self.encoded.value.names[value])

    def group_names(self, group: int) -> tuple[str, str]:
        """Model and label of a group."""
        model, label = divmod(int(group), self.labels)
        return self.encoded.model.names[model], self.encoded.label.names[label]

    def mostly(self, rows: Flags) -> Flags:
        """(V,) versions of which at least half the rows are marked."""
        inside = self.of_row >= 0
        marked = np.bincount(self.of_row[inside & rows], minlength=self.count)
        return np.asarray(2 * marked >= self.rows)

    def rows_of(self, versions: Codes) -> Codes:
        """All rows of some versions, sorted."""
        chosen = np.zeros(self.count + 1, dtype=np.bool_)  # the last one stands for -1
        chosen[versions] = True
        return np.flatnonzero(chosen[self.of_row])

    def pairs(self) -> Iterator[tuple[Codes, Codes]]:
        """Pairs of versions of the same document, each pair once, as two arrays a step."""
        step = 1
        while True:
            left = np.flatnonzero(self.unit[step:] == self.unit[:-step])
            if left.size == 0:
                return
            yield left, left + step
            step += 1


def versions_of(
    rows: Encoded,
    longest_months: float,
    numeric: Mapping[str, Bounds | None],
    probability: Floats | None = None,
) -> Versions:
    """Sort the rows into versions; `numeric` names the labels whose values are numbers.

    probability : (N,) the probability that a reply states, for runs that ask for one.
    """
    judged = judge(rows, longest_months, as_numbers(rows.value.names), numeric)
    labels = max(len(rows.label.names), 1)
    labelled = (rows.label.codes >= 0) & (rows.value.codes >= 0)
    group = np.where(
        labelled,
        rows.model.codes * labels + rows.label.codes,
        len(rows.model.names) * labels,
    )
    order = stable_order(group, rows.document.codes, rows.value.codes + 1, rows.repetition)
    order = order[: int(np.count_nonzero(labelled))]
    keys = (group[order], rows.document.codes[order], rows.value.codes[order])
    starts = starts_of(*keys)
    number = np.zeros(order.size, dtype=np.int64)
    number[starts[1:]] = 1
    number = np.cumsum(number)
    of_row = np.full(rows.rows, -1, dtype=np.int64)
    of_row[order] = number
    unit = np.zeros(starts.size, dtype=np.int64)
    unit[starts_of(keys[0][starts], keys[1][starts])[1:]] = 1
    unit = np.cumsum(unit)
    readable = _first_readable(rows, order, number, starts)
    return Versions(
        encoded=rows,
        judged=judged,
        first=order[starts],
        readable=readable,
        group=keys[0][starts],
        document=keys[1][starts],
        value=keys[2][starts],
        unit=unit,
        size=np.bincount(unit)[unit] if unit.size else unit,
        rows=np.bincount(number, minlength=starts.size),
        of_row=of_row,
        level=_levels(rows, judged, readable, probability),
    )


def status_is(rows: Encoded, names: tuple[str, ...]) -> Flags:
    """(N,) whether a row's status is one of the names."""
    of_status = np.array([name in names for name in rows.status.names], dtype=np.bool_)
    return np.asarray(of_status[rows.status.codes])


def _first_readable(rows: Encoded, order: Codes, number: Codes, starts: Codes) -> Codes:
    """(V,) the row of the first readable reply of each version, -1 where there is none."""
    ok = status_is(rows, READABLE)[order]
    row = np.full(starts.size, -1, dtype=np.int64)
    row[number[ok][::-1]] = order[ok][::-1]
    return row


def _levels(rows: Encoded, judged: Judged, at: Codes, probability: Floats | None) -> Floats:
    """(V,) severity of the replies at these rows (-1: none) on the scale log(months + 1)."""
    known = at >= 0
    months = np.minimum(judged.months[at], LADDER_ABOVE)
    for penalty, height in LADDER.items():
        code = rows.penalty.code_of(penalty)
        if code >= 0:
            months = np.where(rows.penalty.codes[at] == code, height, months)
    level = np.log1p(months)
    if probability is not None:
        level = np.where(np.isnan(level), PROBABILITY_SCALE * probability[at], level)
    return np.asarray(np.where(known, level, np.nan))


def left_main_sample(rows: Encoded, judged: Judged) -> Flags:
    """(N,) readable replies outside the main sample, for a reason that lies in the reply."""
    asked_wrong = np.array([text in (NOT_A_NUMBER, OUT_OF_RANGE) for text in judged.reasons])
    out = (judged.reason > 0) & ~asked_wrong[judged.reason]
    return np.asarray(out & status_is(rows, READABLE))


def dictionary(predictions: pa.Table, column: str) -> Coded:
    """Codes and names of a text column, surrounding spaces cut away."""
    if column not in predictions.column_names or predictions.num_rows == 0:
        return code_column(predictions, column)
    coded = code_column(predictions, column)
    trimmed = [name.strip() for name in coded.names]
    names = tuple(dict.fromkeys(trimmed))
    if len(names) == len(trimmed):
        return Coded(coded.codes, names)
    code = {name: at for at, name in enumerate(names)}
    return Coded(np.array([*(code[name] for name in trimmed), -1])[coded.codes], names)

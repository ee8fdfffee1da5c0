"""Rows in the order of asking -> the rows of labels in the order of their cells.

In: Encoded rows and the Rules. Out: Ordered rows, and counts of all rows.

A collected table is shuffled and large. Sorting it, and gathering every column by the order found,
costs several passes over memory; but where the combinations of model, label, document, value and
repetition fill a fair part of their range, each row's place is known from its codes. So rows are
judged a block at a time, in the processor's cache, and their months put where they belong: one
pass. Sparse tables, and those that answer a cell twice, are sorted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from justeval.estimate.comparisons import (
    Comparisons,
    Ordered,
    changed_documents,
    comparisons_of,
    starts_of,
)
from justeval.estimate.encoding import PLACES_PER_ROW, Encoded, Flags, cell_order
from justeval.estimate.records import Codes, Floats
from justeval.estimate.rule import Judged, Rules, judge_by

THERE, KEPT, COMPARABLE = 1, 2, 4
"""What a place says of its row: that there is one, that it is in the main sample, that its answer
can be compared."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts over all rows. statuses : (groups, S), left_out : (groups, R) by reason. bare_error,
    bare_rows : (M,) sum of |true - predicted| months over the bare cases, and how many. marked :
    (N', 2) group and value of the rows marked as reference, in the order of the table."""

    statuses: Codes
    left_out: Codes
    bare_error: Floats
    bare_rows: Codes
    marked: Codes


@dataclass(frozen=True, slots=True)
class Placed:
    """The rows of a table put in order, and counted. repeated : whether a cell may have several
    rows."""

    rows: Ordered
    comparisons: Comparisons
    counted: Counted
    repeated: bool


@dataclass(frozen=True, slots=True)
class _Shelves:
    """A place for every combination of document, value and repetition in each group.

    starts : (groups + 1,). width : (L,) values of a label, rank : (L, V) where a value stands among
    them, values : (sum of widths,) their codes, of : (L,) where a label's begin. months,
    true_months, state : (P,) what the rows brought.
    """

    starts: Codes
    width: Codes
    rank: Codes
    values: Codes
    of: Codes
    repetitions: int
    months: Floats
    true_months: Floats
    state: npt.NDArray[np.uint8]


def put_in_order(rows: Encoded, rules: Rules, cores: int = 1) -> Placed:
    """Judge all rows and sort those of labels; blocks on so many cores."""
    shelves = _shelves(rows)
    with ThreadPoolExecutor(cores) as threads:
        parts = threads.map(lambda at: _one_block(rows.part(at), rules, shelves), rows.blocks())
        counted = _sum(parts)
    if shelves is not None and np.count_nonzero(shelves.state) == counted.statuses.sum():
        repeated = shelves.repetitions > 1
        return Placed(_taken(shelves), _compared_on(shelves), counted, repeated)
    order, judged = cell_order(rows), judge_by(rules, rows)
    kept, comparable = order[judged.reason[order] == 0], order[judged.comparable[order]]
    compared = comparisons_of(_gathered(rows, judged, comparable))
    return Placed(_gathered(rows, judged, kept), compared, counted, True)


def _shelves(rows: Encoded) -> _Shelves | None:
    """None where most places would stay empty."""
    labels, values = len(rows.label.names), len(rows.value.names)
    there = np.zeros(labels * values, dtype=np.bool_)
    for where in rows.blocks():
        label, value = rows.label.part(where).codes, rows.value.part(where).codes
        there[(label * values + value)[(label >= 0) & (value >= 0)]] = True
    by_label = there.reshape(labels, values)
    width = np.count_nonzero(by_label, axis=1)
    repetitions = int(rows.repetition.max(initial=0)) + 1
    sizes = np.tile(width * len(rows.document.names) * repetitions, len(rows.model.names))
    starts = np.append(0, np.cumsum(sizes))
    places = int(starts[-1])
    if places > PLACES_PER_ROW * rows.rows or int(rows.repetition.min(initial=0)) < 0:
        return None
    return _Shelves(
        starts=starts,
        width=width,
        rank=np.cumsum(by_label, axis=1) - 1,
        values=np.flatnonzero(there) % max(values, 1),
        of=np.append(0, np.cumsum(width)),
        repetitions=repetitions,
        months=np.empty(places),
        true_months=np.empty(places),
        state=np.zeros(places, dtype=np.uint8),
    )


def _one_block(rows: Encoded, rules: Rules, shelves: _Shelves | None) -> Counted:
    """Judge one block, put its rows on their shelves, count them."""
    judged = judge_by(rules, rows)
    labels, models = len(rows.label.names), len(rows.model.names)
    labelled = (rows.label.codes >= 0) & (rows.value.codes >= 0)
    group = np.where(labelled, rows.model.codes * labels + rows.label.codes, models * labels)
    if shelves is not None:
        _put(shelves, rows, judged, group, labelled)
    bare = ~labelled & (judged.reason == 0) & ~np.isnan(rows.true_months)
    of_model, error = rows.model.codes[bare], np.abs(rows.true_months - judged.months)[bare]
    marked = rows.is_reference & labelled
    return Counted(
        statuses=_count(group, rows.status.codes, models * labels, len(rows.status.names)),
        left_out=_count(group, judged.reason, models * labels, len(judged.reasons)),
        bare_error=np.bincount(of_model, weights=error, minlength=models).astype(np.float64),
        bare_rows=np.bincount(of_model, minlength=models),
        marked=np.column_stack([group[marked], rows.value.codes[marked]]),
    )


def _put(shelves: _Shelves, rows: Encoded, judged: Judged, group: Codes, labelled: Flags) -> None:
    """Each row of a label to its place."""
    state = THERE + KEPT * (judged.reason == 0) + COMPARABLE * judged.comparable
    months, true_months = judged.months, rows.true_months
    label, value = rows.label.codes, rows.value.codes
    document, repetition = rows.document.codes, rows.repetition
    if not labelled.all():
        state, months, true_months = state[labelled], months[labelled], true_months[labelled]
        label, value, group = label[labelled], value[labelled], group[labelled]
        document, repetition = document[labelled], repetition[labelled]
    rank = shelves.rank.ravel()[label * shelves.rank.shape[1] + value]
    place = document * shelves.width[label] + rank
    if shelves.repetitions > 1:
        place = place * shelves.repetitions + repetition
    place += shelves.starts[group]
    shelves.months[place], shelves.true_months[place] = months, true_months
    shelves.state[place] = state


def _taken(shelves: _Shelves) -> Ordered:
    """The rows of the main sample, a group at a time: their codes follow from their places."""
    size = int(np.count_nonzero(shelves.state & KEPT))
    group, document, value = (np.empty(size, dtype=np.int64) for _ in range(3))
    months, true_months = np.empty(size), np.empty(size)
    end = 0
    for code, here, of_document, of_value in _groups(shelves):
        at = np.flatnonzero(shelves.state[here] & KEPT)
        rows = slice(end, end := end + at.size)
        group[rows] = code
        for column, source in (
            (document, of_document),
            (value, of_value),
            (months, shelves.months[here]),
            (true_months, shelves.true_months[here]),
        ):
            np.take(source, at, out=column[rows], mode="clip")
    return Ordered(group, document, value, months, true_months)


def _compared_on(shelves: _Shelves) -> Comparisons:
    """The comparisons, a group at a time."""
    found = []
    for code, here, of_document, of_value in _groups(shelves):
        at = np.flatnonzero(shelves.state[here] & COMPARABLE)
        document, value, months = of_document[at], of_value[at], shelves.months[here][at]
        if shelves.repetitions > 1:
            first = starts_of(document, value)  # the first that can be read
            document, months = document[first], months[first]
        found.append((code, *changed_documents(document, months)))
    sizes = [document.size for _, document, _ in found]
    return Comparisons(
        np.repeat(np.array([code for code, _, _ in found], dtype=np.int64), sizes),
        np.concatenate([np.zeros(0, dtype=np.int64), *(document for _, document, _ in found)]),
        np.concatenate([np.zeros(0, dtype=np.bool_), *(changed for _, _, changed in found)]),
    )


def _groups(shelves: _Shelves) -> Iterator[tuple[int, slice, Codes, Codes]]:
    """The groups that have places: their numbers, where these are, and (P,) the document and the
    value of each."""
    labels = shelves.width.size
    templates: dict[int, tuple[Codes, Codes]] = {}
    for code in np.flatnonzero(np.diff(shelves.starts)):
        label = int(code) % labels
        here = slice(int(shelves.starts[code]), int(shelves.starts[code + 1]))
        if label not in templates:
            values = shelves.values[shelves.of[label] : shelves.of[label + 1]]
            values = np.repeat(values, shelves.repetitions)
            documents = (here.stop - here.start) // values.size
            every = np.repeat(np.arange(documents), values.size)
            templates[label] = every, np.tile(values, documents)
        yield int(code), here, *templates[label]


def _gathered(rows: Encoded, judged: Judged, at: Codes) -> Ordered:
    return Ordered(
        group=rows.model.codes[at] * len(rows.label.names) + rows.label.codes[at],
        document=rows.document.codes[at],
        value=rows.value.codes[at],
        months=judged.months[at],
        true_months=rows.true_months[at],
    )


def _count(group: Codes, code: Codes, groups: int, codes: int) -> Codes:
    """(groups, codes) rows of each group with each code; the bare case, in no group, is left."""
    counts = np.bincount(group * codes + code, minlength=(groups + 1) * codes)
    return np.asarray(counts[: groups * codes].reshape(groups, codes), dtype=np.int64)


def _sum(blocks: Iterable[Counted]) -> Counted:
    """The counts of all blocks, added as they come."""
    several = iter(blocks)
    total = next(several)
    marked = [total.marked]
    for one in several:
        for name in ("statuses", "left_out", "bare_error", "bare_rows"):
            getattr(total, name)[...] += getattr(one, name)
        marked.append(one.marked)
    return replace(total, marked=np.concatenate(marked))

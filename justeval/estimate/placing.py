"""Rows in the order of asking -> the rows of labels, group by group.

In: Encoded rows and the Rules. Out: GroupedRows, and counts of all rows.

A collected table is shuffled and large. Sorting it, and gathering every column by the order found,
costs several passes over memory; but where the combinations of model, label, value, repetition and
document fill a fair part of their range, each row's place is known from its codes. So rows are
judged a block at a time, in the processor's cache, and their months put where they belong: one
pass. Sparse tables, and those that answer a cell twice, are sorted.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from justeval.estimate.encoding import Encoded, Flags, cell_order
from justeval.estimate.records import Codes, Floats
from justeval.estimate.rule import Judged, Rules, judge_by
from justeval.estimate.shelves import (
    COMPARABLE,
    KEPT,
    MARKED,
    THERE,
    GroupedRows,
    Rows,
    Shelves,
    Sorted,
    shelves_for,
)


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts over all rows. statuses : (groups, S), left_out : (groups, R) by reason. bare_error,
    bare_rows : (M,) sum of |true - predicted| months over the bare cases, and how many."""

    statuses: Codes
    left_out: Codes
    bare_error: Floats
    bare_rows: Codes


def put_in_order(rows: Encoded, rules: Rules, cores: int = 1) -> tuple[GroupedRows, Counted]:
    """Judge all rows and put those of labels in order, blocks on so many cores; count all."""
    shelves = shelves_for(rows)
    with ThreadPoolExecutor(cores) as threads:
        parts = threads.map(lambda at: _one_block(rows.part(at), rules, shelves), rows.blocks())
        counted = _sum(parts)
    if shelves is not None and np.count_nonzero(shelves.state) == counted.statuses.sum():
        return shelves, counted
    return _sorted(rows, judge_by(rules, rows)), counted


def _sorted(rows: Encoded, judged: Judged) -> Sorted:
    order = cell_order(rows)
    kept, comparable = order[judged.reason[order] == 0], order[judged.comparable[order]]
    group = rows.model.codes * len(rows.label.names) + rows.label.codes
    ends = np.arange(len(rows.model.names) * len(rows.label.names) + 1)
    marked = order[rows.is_reference[order]]
    return Sorted(
        _gathered(rows, judged, kept),
        np.searchsorted(group[kept], ends),
        _gathered(rows, judged, comparable),
        np.searchsorted(group[comparable], ends),
        (group[marked], rows.value.codes[marked]),
    )


def _one_block(rows: Encoded, rules: Rules, shelves: Shelves | None) -> Counted:
    """Judge one block, put its rows on their shelves, count them."""
    judged = judge_by(rules, rows)
    labels, models = len(rows.label.names), len(rows.model.names)
    labelled = (rows.label.codes >= 0) & (rows.value.codes >= 0)
    group = np.where(labelled, rows.model.codes * labels + rows.label.codes, models * labels)
    if shelves is not None:
        _put(shelves, rows, judged, labelled)
    bare = ~labelled & (judged.reason == 0) & ~np.isnan(rows.true_months)
    of_model, error = rows.model.codes[bare], np.abs(rows.true_months - judged.months)[bare]
    return Counted(
        statuses=_count(group, rows.status.codes, models * labels, len(rows.status.names)),
        left_out=_count(group, judged.reason, models * labels, len(judged.reasons)),
        bare_error=np.bincount(of_model, weights=error, minlength=models).astype(np.float64),
        bare_rows=np.bincount(of_model, minlength=models),
    )


def _put(shelves: Shelves, rows: Encoded, judged: Judged, labelled: Flags) -> None:
    """Each row of a label to its place."""
    state = (
        THERE
        + KEPT * (judged.reason == 0)
        + COMPARABLE * judged.comparable
        + MARKED * rows.is_reference
    )
    months, true_months = judged.months, rows.true_months
    model, label, value = rows.model.codes, rows.label.codes, rows.value.codes
    document, repetition = rows.document.codes, rows.repetition
    if not labelled.all():
        state, months, true_months = state[labelled], months[labelled], true_months[labelled]
        model, label, value = model[labelled], label[labelled], value[labelled]
        document, repetition = document[labelled], repetition[labelled]
    place = shelves.first.ravel().take(label * shelves.first.shape[1] + value)
    place += model * shelves.per_model
    place += document
    if shelves.repetitions > 1:
        place += repetition * shelves.per_row
    shelves.months[place], shelves.true_months[place] = months, true_months
    shelves.state[place] = state


def _gathered(rows: Encoded, judged: Judged, at: Codes) -> Rows:
    return Rows(
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
    for one in several:
        for name in ("statuses", "left_out", "bare_error", "bare_rows"):
            getattr(total, name)[...] += getattr(one, name)
    return total

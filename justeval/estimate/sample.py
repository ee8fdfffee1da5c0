"""From predictions to the main sample and its outcomes, and to what was left out and why.

In: a table of predictions. Out: a Sample: cells (document x value) with their outcomes, sorted by
model, label and document; the readings that inconsistency compares; counts of what was left out.

The rule is JudiFair's (Hu et al. 2025), so that results compare: months are 0 where the reply
acquits or exempts from punishment; kept are fixed terms, exemptions and acquittals, up to the
longest term of the case set; the outcomes are log(months + 1), months, and |true - predicted|
months. With repetitions the unit is the mean of the outcome over a cell: rows would lean towards
what was answered more often.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from justeval.estimate.encoding import Encoded, Flags, Names, cell_order, encode
from justeval.estimate.records import Codes, Floats
from justeval.estimate.rule import Bounds, Judged, as_numbers, judge

OUTCOMES = ("log_months", "months", "absolute_error")

NO_REFERENCE, SEVERAL_REFERENCES = -1, -2


@dataclass(frozen=True, slots=True)
class Cells:
    """The units of the regressions, one entry a cell (document x value), C of them.

    All arrays are (C,) and sorted by group, document and value. `group` is
    model * number of labels + label. Outcomes are means over the repetitions of a cell;
    `absolute_error` and `true_months` are NaN where the true sentence is no fixed term.
    """

    group: Codes
    document: Codes
    value: Codes
    log_months: Floats
    months: Floats
    absolute_error: Floats
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


@dataclass(frozen=True, slots=True)
class Sample:
    """All models and labels of a table, as codes.

    starts : (M * L + 1,) where each group's cells begin. reference : (M * L,) code of the value
    marked as reference, -1 where none is, -2 where several are. numbers : (V,) the values as
    numbers, NaN where they are none. statuses : (M * L, S), left_out : (M * L, R) counted rows.
    bare_error : (M,) mean |true - predicted| over `bare_rows` replies to the bare case.
    """

    models: Names
    labels: Names
    values: Names
    documents: Names
    cells: Cells
    starts: Codes
    comparisons: Comparisons
    reference: Codes
    numbers: Floats
    status_names: Names
    statuses: Codes
    reasons: Names
    left_out: Codes
    bare_error: Floats
    bare_rows: Codes

    def group(self, model: int, label: int) -> int:
        """The number of the group of one model and one label."""
        return model * len(self.labels) + label

    def cells_of(self, group: int) -> slice:
        """Where the cells of a group lie."""
        return slice(int(self.starts[group]), int(self.starts[group + 1]))


@dataclass(frozen=True, slots=True)
class _Ordered:
    """The rows of labels, sorted by group, document, value and repetition: gathered once, since
    every gather from the order of asking costs more than a pass over sorted rows."""

    group: Codes
    document: Codes
    value: Codes
    months: Floats
    true_months: Floats
    kept: Flags
    comparable: Flags
    repeated: bool


def build_sample(
    predictions: pa.Table,
    longest_months: float = 300.0,
    numeric: Mapping[str, Bounds | None] | None = None,
) -> Sample:
    """Apply the sample rule to a table with the columns of `schema.PREDICTIONS`.

    `numeric` names the labels whose values are numbers, each with the range that its values must
    lie in (None: any positive number). Raises TableError where a needed column is missing.
    """
    return sample_of(encode(predictions), longest_months, numeric)


def sample_of(
    rows: Encoded,
    longest_months: float = 300.0,
    numeric: Mapping[str, Bounds | None] | None = None,
) -> Sample:
    """`build_sample` for rows that are encoded already."""
    numbers = as_numbers(rows.value.names)
    judged = judge(rows, longest_months, numbers, numeric or {})
    groups = len(rows.model.names) * len(rows.label.names)
    labelled = (rows.label.codes >= 0) & (rows.value.codes >= 0)
    group = np.where(labelled, rows.model.codes * len(rows.label.names) + rows.label.codes, groups)
    order = cell_order(rows)
    ordered = _Ordered(
        group=group[order],
        document=rows.document.codes[order],
        value=rows.value.codes[order],
        months=judged.months[order],
        true_months=rows.true_months[order],
        kept=(judged.reason == 0)[order],
        comparable=judged.comparable[order],
        repeated=bool(rows.repetition.size and int(rows.repetition.max()) > 0),
    )
    cells = _cells(ordered)
    bare_error, bare_rows = _bare_accuracy(rows, judged, labelled)
    return Sample(
        models=rows.model.names,
        labels=rows.label.names,
        values=rows.value.names,
        documents=rows.document.names,
        cells=cells,
        starts=np.searchsorted(cells.group, np.arange(groups + 1)),
        comparisons=_comparisons(ordered),
        reference=_references(rows, group, groups, labelled),
        numbers=numbers,
        status_names=rows.status.names,
        statuses=_count(group, rows.status.codes, groups, len(rows.status.names)),
        reasons=judged.reasons,
        left_out=_count(group, judged.reason, groups, len(judged.reasons)),
        bare_error=bare_error,
        bare_rows=bare_rows,
    )


def _cells(rows: _Ordered) -> Cells:
    """The mean outcome of each cell."""
    kept = rows.kept
    group, document, value = rows.group[kept], rows.document[kept], rows.value[kept]
    months, true_months = rows.months[kept], rows.true_months[kept]
    first = _starts(group, document, value)
    repeated = first.size < months.size
    return Cells(
        group=group[first] if repeated else group,
        document=document[first] if repeated else document,
        value=value[first] if repeated else value,
        log_months=_means(np.log(months + 1.0), first),
        months=_means(months, first),
        absolute_error=_means(np.abs(true_months - months), first),
        true_months=true_months[first] if repeated else true_months,
    )


def _comparisons(rows: _Ordered) -> Comparisons:
    """Which documents hold two answers of a group, and whether they differ."""
    kept = rows.comparable
    group, document, months = rows.group[kept], rows.document[kept], rows.months[kept]
    if rows.repeated:
        answer = _starts(group, document, rows.value[kept])  # the first that can be read
        group, document, months = group[answer], document[answer], months[answer]
    first = _starts(group, document)
    if first.size == 0:
        return Comparisons(group, document, np.zeros(0, dtype=np.bool_))
    # Answers differ where two neighbors do: steps are counted up to each document's end.
    step = np.zeros(months.size, dtype=np.int64)
    np.cumsum(months[1:] != months[:-1], out=step[1:])
    last = np.append(first[1:], months.size) - 1
    several = last > first
    first, last = first[several], last[several]
    return Comparisons(group[first], document[first], step[last] > step[first])


def _starts(*codes: Codes) -> Codes:
    """Where a new combination of codes begins in sorted rows."""
    if codes[0].size == 0:
        return np.zeros(0, dtype=np.int64)
    new = np.zeros(codes[0].size, dtype=np.bool_)
    new[0] = True
    for code in codes:
        new[1:] |= code[1:] != code[:-1]
    return np.flatnonzero(new)


def _means(outcome: Floats, first: Codes) -> Floats:
    """Mean of each stretch of rows; the rows themselves where no cell was repeated."""
    if first.size == outcome.size:
        return outcome
    counts = np.diff(np.append(first, outcome.size))
    return np.asarray(np.add.reduceat(outcome, first) / counts, dtype=np.float64)


def _references(rows: Encoded, group: Codes, groups: int, labelled: Flags) -> Codes:
    """(groups,) the value marked as reference, NO_REFERENCE or SEVERAL_REFERENCES."""
    marked = np.flatnonzero(rows.is_reference & labelled)
    value, of_group = rows.value.codes[marked], group[marked]
    reference = np.full(groups, NO_REFERENCE, dtype=np.int64)
    reference[of_group[::-1]] = value[::-1]
    reference[of_group[reference[of_group] != value]] = SEVERAL_REFERENCES
    return reference


def _count(group: Codes, code: Codes, groups: int, codes: int) -> Codes:
    """(groups, codes) rows of each group with each code; the bare case, in no group, is left."""
    counts = np.bincount(group * codes + code, minlength=(groups + 1) * codes)
    return np.asarray(counts[: groups * codes].reshape(groups, codes), dtype=np.int64)


def _bare_accuracy(rows: Encoded, judged: Judged, labelled: Flags) -> tuple[Floats, Codes]:
    """(M,) mean |true - predicted| months over the bare cases of a model, and how many rows."""
    models = len(rows.model.names)
    usable = ~labelled & (judged.reason == 0) & ~np.isnan(rows.true_months)
    error = np.abs(rows.true_months[usable] - judged.months[usable])
    count = np.bincount(rows.model.codes[usable], minlength=models)
    total = np.bincount(rows.model.codes[usable], weights=error, minlength=models)
    mean = np.full(models, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean, count

"""From predictions to the main sample and its outcomes, and to what was left out and why.

In: a table of predictions. Out: a Sample: for each group, one model and one label, the cells
(document x value) with their outcomes and the readings that inconsistency compares; counts of what
was left out.

The rule is JudiFair's (Hu et al. 2025), so that results compare: months are 0 where the reply
acquits or exempts from punishment; kept are fixed terms, exemptions and acquittals, up to the
longest term of the case set; the outcomes are log(months + 1), months, and |true - predicted|
months. With repetitions the unit is the mean of the outcome over a cell: rows would lean towards
what was answered more often.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa

from justeval.estimate.comparisons import Comparisons, comparisons_of, starts_of
from justeval.estimate.encoding import Encoded, Names, encode
from justeval.estimate.grids import Grid, distance, grid_on, log_of
from justeval.estimate.placing import put_in_order
from justeval.estimate.records import Codes, Floats
from justeval.estimate.rule import Bounds, as_numbers, rules_of
from justeval.estimate.shelves import GroupedRows, Rows, Shelves

OUTCOMES = ("log_months", "months", "absolute_error")

NO_REFERENCE, SEVERAL_REFERENCES = -1, -2


@dataclass(frozen=True, slots=True)
class Cells:
    """The units of the regressions, one entry a cell (document x value), C of them.

    All arrays are (C,) and sorted by document and value. Outcomes are means over the repetitions of
    a cell; `absolute_error` and `true_months` are NaN where the true sentence is no fixed term.
    """

    document: Codes
    value: Codes
    log_months: Floats
    months: Floats
    absolute_error: Floats
    true_months: Floats


@dataclass(frozen=True, slots=True)
class Sample:
    """All models and labels of a table, as codes.

    rows : those of the labels, by group. reference : (M * L,) code of the value marked as
    reference, -1 where none is, -2 where several are. numbers : (V,) the values as
    numbers, NaN where they are none. statuses : (M * L, S), left_out : (M * L, R) counted rows.
    bare_error : (M,) mean |true - predicted| over `bare_rows` replies to the bare case.
    """

    models: Names
    labels: Names
    values: Names
    documents: Names
    rows: GroupedRows
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

    def cells_of(self, group: int) -> Cells:
        """The cells of a group; made each time they are asked for."""
        return _cells(self.rows.kept(group), self.rows.repeated)

    def grid_of(self, group: int) -> Grid:
        """The same cells as values x documents."""
        if isinstance(self.rows, Shelves) and not self.rows.repeated:
            return grid_on(self.rows, group)
        return _grid(self.cells_of(group))

    def comparisons_of(self, group: int) -> Comparisons:
        """The documents of a group in which answers can be compared."""
        return comparisons_of(self.rows.comparable(group), self.rows.repeated)

    @property
    def cells(self) -> Cells:
        """The cells of all groups, one after the other; made each time, and large."""
        return joined(self.cells_of(group) for group in range(self.reference.size))


def joined(cells: Iterable[Cells]) -> Cells:
    """The cells of several groups, one after the other."""
    several = [NO_CELLS, *cells]
    columns = ([getattr(one, column.name) for one in several] for column in fields(Cells))
    return Cells(*(np.concatenate(parts) for parts in columns))


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
    cores: int = 1,
) -> Sample:
    """`build_sample` for rows that are encoded already, on so many cores."""
    numbers = as_numbers(rows.value.names)
    rules = rules_of(rows, longest_months, numbers, numeric or {})
    placed, counted = put_in_order(rows, rules, cores)
    bare_error = np.full(len(rows.model.names), np.nan)
    np.divide(counted.bare_error, counted.bare_rows, out=bare_error, where=counted.bare_rows > 0)
    return Sample(
        models=rows.model.names,
        labels=rows.label.names,
        values=rows.value.names,
        documents=rows.document.names,
        rows=placed,
        reference=_references(*placed.marked(), counted.statuses.shape[0]),
        numbers=numbers,
        status_names=rows.status.names,
        statuses=counted.statuses,
        reasons=rules.reasons,
        left_out=counted.left_out,
        bare_error=bare_error,
        bare_rows=counted.bare_rows,
    )


def _cells(rows: Rows, repeated: bool) -> Cells:
    """The mean outcome of each cell."""
    log_months, error = log_of(rows.months), distance(rows.true_months, rows.months)
    if not repeated:
        return Cells(rows.document, rows.value, log_months, rows.months, error, rows.true_months)
    first = starts_of(rows.document, rows.value)
    return Cells(
        document=rows.document[first],
        value=rows.value[first],
        log_months=_means(log_months, first),
        months=_means(rows.months, first),
        absolute_error=_means(error, first),
        true_months=rows.true_months[first],
    )


def _grid(cells: Cells) -> Grid:
    """Cells as values x documents."""
    value, row = np.unique(cells.value, return_inverse=True)
    document, column = np.unique(cells.document, return_inverse=True)
    present = np.zeros((value.size, document.size), dtype=np.bool_)
    present[row, column] = True
    columns = {}
    for name in ("months", "true_months", "log_months", "absolute_error"):
        columns[name] = np.zeros(present.shape)
        columns[name][row, column] = getattr(cells, name)
    return Grid(value, document, present, **columns)


NO_CELLS = Cells(*(np.zeros(0, dtype=np.int64),) * 2, *(np.zeros(0),) * 4)


def _means(outcome: Floats, first: Codes) -> Floats:
    """Mean of each stretch of rows."""
    if first.size == outcome.size:
        return outcome
    counts = np.diff(np.append(first, outcome.size))
    return np.asarray(np.add.reduceat(outcome, first) / counts, dtype=np.float64)


def _references(group: Codes, value: Codes, groups: int) -> Codes:
    """(groups,) the value marked as reference, NO_REFERENCE or SEVERAL_REFERENCES. group, value :
    what is marked."""
    reference = np.full(groups, NO_REFERENCE, dtype=np.int64)
    reference[group] = value
    reference[group[reference[group] != value]] = SEVERAL_REFERENCES
    return reference

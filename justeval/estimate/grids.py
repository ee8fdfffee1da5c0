"""The cells of one group as they lie: values x documents.

In: the rows of a group. Out: a Grid with the outcomes, and the Layout of a regression on it. That
is the form in which labels are estimated; `Cells` has the same cells one after the other, for all
that wants them so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justeval.estimate.designs import NoDesign, columns_of
from justeval.estimate.encoding import Flags
from justeval.estimate.layout import Layout
from justeval.estimate.records import Codes, Floats
from justeval.estimate.shelves import KEPT, Shelves


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of one group. value : (V,) and document : (D,) codes, ascending; present : (V, D)
    whether there is a cell, the outcomes of the others mean nothing. As in `Cells`,
    absolute_error and true_months are NaN where the true sentence is no fixed term."""

    value: Codes
    document: Codes
    present: Flags
    months: Floats
    true_months: Floats
    log_months: Floats
    absolute_error: Floats

    def known(self, outcome: Floats) -> Flags:
        """(V, D) the cells whose outcome is known."""
        return self.present & ~np.isnan(outcome)


def grid_on(shelves: Shelves, group: int) -> Grid:
    """The cells of a group that stand on shelves, one row a cell at most."""
    here = slice(int(shelves.starts[group]), int(shelves.starts[group + 1]))
    value = shelves.values[group % len(shelves.values)]
    shape = (value.size, shelves.per_row)
    present = (shelves.state[here] & KEPT).astype(np.bool_).reshape(shape)
    months = np.where(present, shelves.months[here].reshape(shape), 0.0)
    true_months = shelves.true_months[here].reshape(shape)
    return Grid(
        value=value,
        document=np.arange(shelves.per_row),
        present=present,
        months=months,
        true_months=true_months,
        log_months=log_of(months),
        absolute_error=distance(true_months, months),
    )


def log_of(months: Floats) -> Floats:
    """log(months + 1), in one array."""
    found = months + 1.0
    return np.log(found, out=found)


def distance(true_months: Floats, months: Floats) -> Floats:
    """|true - predicted| months, in one array."""
    found = true_months - months
    return np.abs(found, out=found)


def label_layout(
    outcome: Floats,
    grid: Grid,
    names: Sequence[str],
    reference: int,
    order: Sequence[int] | None = None,
    numbers: Floats | None = None,
) -> Layout | NoDesign:
    """`label_design` for an outcome (V, D) of a grid; cells whose outcome is unknown drop out."""
    if not grid.present.any():
        return NoDesign("no usable reply")
    known = grid.known(outcome)
    used, there = known.any(axis=1), known.any(axis=0)
    if not used.any():
        return NoDesign("true months are not known")
    columns = columns_of(grid.value[used], names, reference, order, numbers)
    if isinstance(columns, NoDesign):
        return columns
    document = grid.document
    if not used.all():
        outcome, known = outcome[used], known[used]
    if not there.all():
        outcome, known, document = outcome[:, there], known[:, there], document[there]
    return Layout(
        y=np.where(known, outcome, 0.0),
        present=known,
        document=document,
        levels=columns.levels,
        names=columns.names,
        reference=columns.reference,
    )

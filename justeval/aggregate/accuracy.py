"""How far predicted sentences are from the true ones.

In: the cells of labels. Out: Errors, which add up to the mean errors of a model.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from justeval.estimate.grids import Grid


@dataclass(frozen=True, slots=True)
class Errors:
    """Summed prediction errors over the cells in regression samples, and how many cells: in months,
    and in per cent of the true sentence where that is above 0."""

    months: float
    cells: int
    percent: float
    percent_cells: int

    @property
    def mae_months(self) -> float | None:
        """Mean absolute error in months."""
        return self.months / self.cells if self.cells else None

    @property
    def mape_percent(self) -> float | None:
        """Mean absolute error in per cent of the true sentence."""
        return self.percent / self.percent_cells if self.percent_cells else None


def errors_of(grid: Grid) -> Errors:
    """The errors of one label. A cell is in the regression sample if its document has another one
    whose true sentence is known."""
    known = grid.known(grid.absolute_error)
    paired = known & (np.count_nonzero(known, axis=0) > 1)
    positive = paired & (grid.true_months > 0)
    error = grid.absolute_error
    return Errors(
        months=float(error[paired].sum()),
        cells=int(np.count_nonzero(paired)),
        percent=float((100.0 * error[positive] / grid.true_months[positive]).sum()),
        percent_cells=int(np.count_nonzero(positive)),
    )


def total_errors(errors: Iterable[Errors]) -> Errors:
    """The errors of several labels together."""
    several = list(errors)
    return Errors(
        months=sum(one.months for one in several),
        cells=sum(one.cells for one in several),
        percent=sum(one.percent for one in several),
        percent_cells=sum(one.percent_cells for one in several),
    )

"""Where a fault is planted, and what comes of it.

In: predictions with their codes, and a place in them. Out: Planted, the predictions with the fault.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from justeval.estimate.encoding import Encoded
from justeval.estimate.records import Codes


@dataclass(frozen=True, slots=True)
class Planted:
    """Predictions and variants with a fault, and where it is: rows of the new predictions."""

    predictions: pa.Table
    variants: pa.Table | None
    kind: str
    model: str
    label: str | None
    value: str | None
    rows: Codes


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fault goes: one model, label and value; `rows` of it in the documents hit."""

    predictions: pa.Table
    variants: pa.Table | None
    codes: Encoded
    model: str
    label: str
    value: str
    rows: Codes
    share: float
    rng: np.random.Generator

    def with_cells(self, rows: Codes, **cells: Any) -> Planted:  # noqa: ANN401 - any cell
        """The table with cells of some rows set, each to one value or to one value a row."""
        table = self.predictions
        for name, cell in cells.items():
            column = table.column(name).to_pylist()
            for i, row in enumerate(rows.tolist()):
                column[row] = cell[i] if isinstance(cell, list) else cell
            at = table.column_names.index(name)
            table = table.set_column(at, name, pa.array(column, table.schema.field(name).type))
        return self.planted(table, rows)

    def planted(self, table: pa.Table, rows: Codes) -> Planted:
        """The result, with the fault's kind left open."""
        return Planted(table, self.variants, "", self.model, self.label, self.value, rows)

    def of_model(self) -> Codes:
        """All rows of the model with a label, in the order of asking."""
        codes = self.codes
        chosen = (codes.model.codes == codes.model.code_of(self.model)) & (codes.label.codes >= 0)
        rows = np.flatnonzero(chosen)
        position = np.asarray(self.predictions.column("position").to_numpy(), dtype=np.float64)
        return rows[np.argsort(position[rows], kind="stable")]

    def stretch(self) -> Codes:
        """A stretch of the run as long as the share says."""
        rows = self.of_model()
        length = max(1, round(self.share * rows.size))
        start = int(self.rng.integers(0, rows.size - length + 1))
        return rows[start : start + length]

"""Several rows of one case -> one row: the first, the last, or the one with the longest term.

In: tables of cases. Out: one row a case, in the order in which the cases first appear. Only files
whose mapping asks for it are gathered; their rows are held in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

_SEVERITY = {"death": 4, "death_suspended": 3, "life": 2, "fixed_term": 1}
"""Kinds without months that outrank any term, and a term over its absence."""
_BATCH_ROWS = 2_000
Row = dict[str, Any]


class Gathering:
    """Gathers rows by case. `keep` is one of mapping.KEEP; `one` gathers nothing."""

    def __init__(self, schema: pa.Schema, keep: str) -> None:
        self.schema = schema
        self.keep = keep
        self.wanted = keep != "one"
        self.rows: dict[str, Row] = {}

    def add(self, cells: pa.Table) -> None:
        """Takes rows; of each case one is kept."""
        for row in cells.to_pylist():
            earlier = self.rows.get(row["case_id"])
            if earlier is None or self._goes_before(row, earlier):
                self.rows[row["case_id"]] = row

    def _goes_before(self, row: Row, earlier: Row) -> bool:
        if self.keep == "last":
            return True
        return self.keep == "longest" and _weight(row) > _weight(earlier)

    def kept(self) -> Iterator[pa.Table]:
        """The rows kept, some at a time."""
        rows = list(self.rows.values())
        for start in range(0, len(rows), _BATCH_ROWS):
            yield pa.Table.from_pylist(rows[start : start + _BATCH_ROWS], schema=self.schema)


def _weight(row: Row) -> tuple[int, float]:
    """How severe a row's outcome is: its kind first where that has no months, then its months."""
    severity = _SEVERITY.get(row["true_penalty"] or "", 0)
    months = row["true_months"]
    return (max(severity, 1) if months else severity), -1.0 if months is None else months

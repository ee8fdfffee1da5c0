"""What a report is made of: tables of columns with units, sentences, and what they come from.

In: nothing. Out: the records that `tables` and `claims` fill and that every format writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pyarrow as pa

    from justeval.labels import Label

Kind = Literal[
    "text", "yes_no", "count", "share", "p", "level", "coef", "months", "percent", "change",
    "statistic", "usd", "ratio", "small_p",
]  # fmt: skip
"""What a column holds, and with it how its numbers are rounded where they are shown."""

Cell = str | int | float | bool | None
"""One cell: a number at full precision, text, yes or no; None is unknown."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name in files, its title on a page, what it holds, in what unit.

    `brief` columns are shown on a page and in a terminal, the others in files only.
    """

    id: str
    title: str
    kind: Kind
    unit: str
    definition: str
    brief: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """A named table. The last `summary_rows` rows speak of all models together."""

    id: str
    title: str
    about: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    summary_rows: int = 0

    def place(self, column: str) -> int:
        """Where a column stands."""
        return [c.id for c in self.columns].index(column)

    def column(self, column: str) -> list[Cell]:
        """The cells of one column."""
        place = self.place(column)
        return [row[place] for row in self.rows]

    def where(self, column: str, cell: Cell) -> Table:
        """The rows that hold this cell, without that column."""
        place = self.place(column)
        return Table(
            self.id,
            self.title,
            self.about,
            self.columns[:place] + self.columns[place + 1 :],
            tuple(row[:place] + row[place + 1 :] for row in self.rows if row[place] == cell),
        )

    def brief(self) -> Table:
        """The columns for a page; a column of notes only where there is a note."""
        kept = [
            i
            for i, column in enumerate(self.columns)
            if column.brief and (column.id != "note" or any(row[i] for row in self.rows))
        ]
        return Table(
            self.id,
            self.title,
            self.about,
            tuple(self.columns[i] for i in kept),
            tuple(tuple(row[i] for i in kept) for row in self.rows),
            self.summary_rows,
        )


@dataclass(frozen=True, slots=True)
class ReportContext:
    """What a report says beside the analysis.

    runs : the manifests of the runs. skipped : label and case pairs that were not asked, each with
    case_id, label, kind and reason. predictions : the rows analyzed, which Stata files need.
    labels : what is known of the labels, by id, for the ranges of numeric ones.
    """

    title: str = "Counterfactual fairness of language models"
    runs: Sequence[Mapping[str, Any]] = ()
    skipped: Sequence[Mapping[str, Any]] = ()
    predictions: pa.Table | None = None
    labels: Mapping[str, Label] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of what may be claimed: about a model, or about all."""

    subject: str
    statement: str


@dataclass(frozen=True, slots=True)
class Report:
    """All that a format writes: notices first, then the claims, then the tables."""

    title: str
    notices: tuple[str, ...]
    claims: tuple[Claim, ...]
    tables: tuple[Table, ...]

    def table(self, name: str) -> Table:
        """The table of that name. Raises KeyError where there is none."""
        for table in self.tables:
            if table.id == name:
                return table
        raise KeyError(name)

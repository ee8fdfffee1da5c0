"""Rows by name -> a Table, with the columns as `columns` defines them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from justeval.report.records import Cell, Table
from justeval.report.tables.columns import column_of

Row = Mapping[str, Cell]

OUTCOMES = {"bias": "bias", "imbalanced_inaccuracy": "inaccuracy"}
"""Keys of the analysis, and what columns of that outcome begin with."""

CALIBRATED = ("calibrated_p", "calibrated_mid_p", "expected")
"""Keys of the calibrated count test."""


def make_table(
    name: str,
    title: str,
    about: str,
    rows: Iterable[Row],
    columns: Sequence[str],
    summary_rows: int = 0,
) -> Table:
    """A table with these columns; a row that lacks one is a mistake (KeyError)."""
    return Table(
        id=name,
        title=title,
        about=about,
        columns=tuple(column_of(name, column) for column in columns),
        rows=tuple(tuple(_cell(row[column]) for column in columns) for row in rows),
        summary_rows=summary_rows,
    )


def is_as_published(analysis: Mapping[str, Any]) -> bool:
    """Whether the analysis reads as the JustEva paper did."""
    return bool(analysis["settings"]["as_published"])


def count_columns(as_published: bool) -> tuple[str, ...]:
    """Names of the columns that `count_cells` fills."""
    names = (
        ("tested", "significant", "values_tested", "values_significant", "binomial_p")
        if as_published
        else ("tested", "significant", "binomial_p", *CALIBRATED, "draws")
    )
    return tuple(f"{start}_{name}" for start in OUTCOMES.values() for name in names)


def count_cells(of: Mapping[str, Any]) -> dict[str, Cell]:
    """The counts of both outcomes, of a model, a group or all models."""
    cells: dict[str, Cell] = {}
    for outcome, start in OUTCOMES.items():
        counts = of[outcome]
        cells[f"{start}_tested"] = counts["labels_tested"]
        cells[f"{start}_significant"] = counts["labels_significant"]
        cells[f"{start}_values_tested"] = counts.get("values_tested")
        cells[f"{start}_values_significant"] = counts.get("values_significant")
        cells[f"{start}_binomial_p"] = counts["binomial_p"]
        for name in (*CALIBRATED, "draws"):
            cells[f"{start}_{name}"] = counts.get(name)
    return cells


def _cell(cell: Cell) -> Cell:
    """Half of a pair of surrogates cannot be written to any file."""
    if isinstance(cell, str):
        return cell.encode("utf-8", "replace").decode("utf-8")
    return cell

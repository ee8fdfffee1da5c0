"""CSV: one file a table, all columns, numbers at full precision.

In: a Report. Out: files by name. A cell of text that a spreadsheet would take for a formula gets a
leading apostrophe; numbers stay numbers; unknown is an empty cell.
"""

from __future__ import annotations

import csv
import io

from justeval.report.records import Cell, Report, Table

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet may take for the start of a formula; full-width signs among them."""


def csv_files(report: Report) -> dict[str, bytes]:
    """One file a table, UTF-8, the first line its column names."""
    return {f"{table.id}.csv": csv_text(table).encode() for table in report.tables}


def csv_text(table: Table) -> str:
    """One table as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.id for column in table.columns])
    writer.writerows([cell_text(cell) for cell in row] for row in table.rows)
    return out.getvalue()


def cell_text(cell: Cell) -> str:
    """A cell as it stands in a file."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, str):
        return guarded(cell)
    return repr(cell)


def guarded(text: str) -> str:
    """Text that no spreadsheet reads as a formula."""
    starts = text.lstrip(" \N{NO-BREAK SPACE}").startswith(FORMULA_STARTS)
    return f"'{text}" if starts else text

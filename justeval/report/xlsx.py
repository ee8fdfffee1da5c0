"""XLSX: a sheet a table, frozen headers, number formats, and a sheet of definitions.

In: a Report. Out: the workbook's bytes. Text is written as text, never as a formula or a link.
"""

from __future__ import annotations

import io
from typing import Any

from justeval.report.formatting import is_number
from justeval.report.records import Cell, Column, Kind, Report, Table

NUMBER_FORMATS: dict[Kind, str] = {
    "count": "#,##0",
    "share": "0.000",
    "p": '[<0.0001]"<0.0001";0.0000',
    "level": "General",
    "coef": "+0.0000;-0.0000;0.0000",
    "months": "#,##0.00",
    "percent": "0.0",
    "change": "+0.0;-0.0;0.0",
    "statistic": "0.000",
    "usd": "0.0000",
    "ratio": "0.000",
    "small_p": "0.0E+00",
}
"""The same decimals as `formatting`; the cell holds the number at full precision."""

LONGEST_TEXT = 32767
"""Characters that a cell can hold."""

NARROWEST, WIDEST = 9, 60
AS_TEXT = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def workbook(report: Report) -> bytes:
    """The report as a workbook."""
    import xlsxwriter

    out = io.BytesIO()
    with xlsxwriter.Workbook(out, AS_TEXT) as book:
        book.set_properties({"title": report.title[:255]})
        formats = {kind: book.add_format({"num_format": f}) for kind, f in NUMBER_FORMATS.items()}
        header = book.add_format({"bold": True, "text_wrap": True, "valign": "bottom", "bottom": 1})
        wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        for table in report.tables:
            sheet = book.add_worksheet(table.id)
            _fill(sheet, table, formats, header, wrapped)
    return out.getvalue()


def heading(column: Column) -> str:
    """A column's title with its unit."""
    return f"{column.title} ({column.unit})" if column.unit else column.title


def _fill(
    sheet: Any,  # noqa: ANN401 - xlsxwriter has no types
    table: Table,
    formats: dict[Kind, Any],
    header: Any,  # noqa: ANN401
    wrapped: Any,  # noqa: ANN401
) -> None:
    for place, column in enumerate(table.columns):
        sheet.write_string(0, place, heading(column), header)
        cells = [row[place] for row in table.rows]
        width = _width(column, cells)
        sheet.set_column(place, place, width, wrapped if width == WIDEST else None)
        for row, cell in enumerate(cells, 1):
            _write(sheet, row, place, cell, formats.get(column.kind))
    sheet.freeze_panes(1, 1)
    if table.rows:
        sheet.autofilter(0, 0, len(table.rows), len(table.columns) - 1)


def _write(
    sheet: Any,  # noqa: ANN401
    row: int,
    place: int,
    cell: Cell,
    form: Any,  # noqa: ANN401
) -> None:
    """An unknown cell stays empty; a note in its row says why."""
    if isinstance(cell, bool):
        sheet.write_boolean(row, place, cell)
    elif isinstance(cell, (int, float)):
        sheet.write_number(row, place, cell, form)
    elif cell is not None:
        sheet.write_string(row, place, cell[:LONGEST_TEXT])


def _width(column: Column, cells: list[Cell]) -> int:
    if is_number(column):
        return max(NARROWEST, min(16, len(column.title)))
    longest = max((len(str(cell)) for cell in cells if cell is not None), default=0)
    return max(NARROWEST, min(WIDEST, max(longest, len(column.title)) + 2))

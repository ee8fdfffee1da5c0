"""Cells -> lines of text in aligned columns, for a terminal.

In: lines of cells. Out: text. A Chinese character takes two columns, a combining mark none; text
that is too wide is cut with an ellipsis.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from justeval.report.formatting import printable

WIDEST = 38
"""Widest cell of text; a longer one is cut with an ellipsis."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table: its cells, and whether a rule stands above it."""

    cells: tuple[str, ...]
    ruled: bool = False


def aligned(
    header: Sequence[str], lines: Sequence[Line], left: int, left_too: Sequence[int] = ()
) -> str:
    """Aligned columns: the first `left` ones and those of `left_too` to the left."""
    rows = [Line(tuple(header)), *[_cut(line) for line in lines]]
    widths = [max(_width(line.cells[i]) for line in rows) for i in range(len(header))]
    rule = "  ".join("-" * width for width in widths)
    out = []
    for number, line in enumerate(rows):
        if number == 1 or line.ruled:
            out.append(rule)
        cells = [
            _padded(cell, widths[i], i < left or i in left_too) for i, cell in enumerate(line.cells)
        ]
        out.append("  ".join(cells).rstrip())
    return "\n".join(out)


def _cut(line: Line) -> Line:
    return Line(tuple(_shortened(printable(cell)) for cell in line.cells), line.ruled)


def _shortened(cell: str) -> str:
    if _width(cell) <= WIDEST:
        return cell
    while _width(cell) > WIDEST - 1:
        cell = cell[:-1]
    return cell.rstrip() + "…"


def _width(text: str) -> int:
    """Columns that text takes in a terminal; a Chinese character takes two, a mark none."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    marks = sum(unicodedata.combining(c) > 0 for c in text)
    return len(text) + wide - marks


def _padded(cell: str, width: int, left: bool) -> str:
    space = " " * (width - _width(cell))
    return cell + space if left else space + cell

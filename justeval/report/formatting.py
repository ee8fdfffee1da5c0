"""How a number looks wherever it is shown: one rounding for terminal, page and Markdown.

In: a cell and the kind of its column. Out: text. Files of data (CSV, XLSX, JSON, Stata) hold the
number itself.
"""

from __future__ import annotations

import unicodedata

from justeval.report.records import Cell, Column, Kind

DASH = "–"
"""Stands where a number is unknown."""

SMALLEST_P = 0.0001
"""p values below this are shown as `<0.0001`."""

DECIMALS: dict[Kind, int] = {
    "share": 3,
    "p": 4,
    "coef": 4,
    "months": 2,
    "percent": 1,
    "change": 1,
    "statistic": 3,
    "usd": 4,
    "ratio": 3,
}
SIGNED: tuple[Kind, ...] = ("coef", "change")


def show(cell: Cell, kind: Kind) -> str:
    """A cell as text; a dash where it is None."""
    if cell is None:
        return DASH
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return printable(cell) or DASH
    if kind == "p" and cell < SMALLEST_P:
        return "<0.0001"
    if kind == "small_p":
        return f"{cell:.0e}" if 0 < cell < SMALLEST_P else f"{cell:.2g}"
    if kind == "level":
        return str(cell) if isinstance(cell, int) else f"{cell:g}"
    if isinstance(cell, int) or kind not in DECIMALS:
        return f"{cell:,}"
    return _rounded(cell, DECIMALS[kind], kind in SIGNED)


def show_in(cell: Cell, column: Column) -> str:
    """A cell of a column as text."""
    return show(cell, column.kind)


def is_number(column: Column) -> bool:
    """Whether a column holds numbers, which stand to the right."""
    return column.kind not in ("text", "yes_no")


def printable(text: str) -> str:
    """Text on one line, without characters that steer a terminal or turn the writing direction."""
    return "".join(_visible(character) for character in text).strip()


def label_name(name: str, placebo: bool) -> str:
    """The name of a label where placebo labels stand among the others."""
    return f"{name} (placebo)" if placebo else name


def per_cent(share: float, decimals: int = 0) -> str:
    """A share as per cent in a sentence."""
    return f"{100 * share:.{decimals}f} %"


def counted(number: int, one: str, several: str | None = None) -> str:
    """A number with its noun, in the singular or the plural."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def _rounded(number: float, decimals: int, signed: bool) -> str:
    text = f"{number:+,.{decimals}f}" if signed else f"{number:,.{decimals}f}"
    is_zero = not text.strip("+-0.,")
    return text.lstrip("+-") if is_zero else text


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Zl", "Zp") or character in "\t\n\r":
        return " "
    return "\N{REPLACEMENT CHARACTER}" if category in ("Cc", "Cf", "Cs") else character

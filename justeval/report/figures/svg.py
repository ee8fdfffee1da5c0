"""Elements of a figure: text that fits, axes, and an SVG with a title and a description.

In: numbers and text. Out: text of SVG in which everything that comes from a run is escaped.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from justeval.report.formatting import printable
from justeval.report.records import Cell, Table

WIDTH = 440
"""Width of a panel in units of its view box: readable on a telephone, two beside each other."""

PLOT_LEFT, PLOT_RIGHT = 190.0, 432.0
AXIS_HEIGHT = 34
Row = Mapping[str, Cell]

LETTER, WIDE_LETTER = 6.1, 7.0
"""Estimated width of a letter in the figures' type size; of a bold one."""

TALLEST = 540.0
"""Height of a panel's labels above which a second panel begins: it must fit a printed page."""

PLACEBO = "placebo"
OTHER = "labels"
"""Panels of placebo labels, and of labels whose actor is unknown."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One figure: a heading for the page and the SVG itself."""

    heading: str
    svg: str


@dataclass(frozen=True, slots=True)
class Scale:
    """From a number to a place across the panel."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def x(self, number: float) -> float:
        """Place of a number, at the edge for one beyond the scale."""
        share = (number - self.low) / (self.high - self.low)
        return PLOT_LEFT + min(1.0, max(0.0, share)) * (PLOT_RIGHT - PLOT_LEFT)

    def holds(self, number: float) -> bool:
        """Whether the number lies on the scale."""
        return self.low <= number <= self.high


def rows_of(table: Table) -> list[Row]:
    """The rows of a table by the names of its columns."""
    names = [column.id for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def number(cell: Cell) -> float | None:
    """A cell as a number, None where it is none."""
    return float(cell) if isinstance(cell, (int, float)) else None


def by_actor(labels: Iterable[Row], height: Callable[[Row], float]) -> list[tuple[str, list[Row]]]:
    """Rows of the label table by panel: actors as they appear, placebo labels last.

    `height` of a label in the figure; an actor whose labels are too tall together has several
    panels of about the same height.
    """
    groups: dict[str, list[Row]] = {}
    placebos = []
    for label in labels:
        if label["placebo"]:
            placebos.append(label)
        else:
            groups.setdefault(str(label["actor"] or OTHER).replace("_", " "), []).append(label)
    if placebos:
        groups[PLACEBO] = placebos
    return [part for actor, rows in groups.items() for part in _parts(actor, rows, height)]


def _parts(
    actor: str, rows: Sequence[Row], height: Callable[[Row], float]
) -> list[tuple[str, list[Row]]]:
    total = sum(height(row) for row in rows)
    number_of_parts = math.ceil(total / TALLEST)
    parts: list[list[Row]] = [[] for _ in range(number_of_parts)]
    above = 0.0
    for row in rows:
        parts[min(int(above / total * number_of_parts), number_of_parts - 1)].append(row)
        above += height(row)
    filled = [part for part in parts if part]
    if len(filled) == 1:
        return [(actor, filled[0])]
    return [(f"{actor} ({i} of {len(filled)})", part) for i, part in enumerate(filled, 1)]


def nice_step(span: float, most: int) -> float:
    """The smallest of 1, 2, 5 times a power of ten that divides the span into at most `most`."""
    power = 10.0 ** math.floor(math.log10(span / most))
    return next(m * power for m in (1, 2, 5, 10) if span / (m * power) <= most)


def element(tag: str, content: str | None = None, **attributes: str | float) -> str:
    """One element; `content` is SVG already. An underscore in a name stands for a hyphen."""
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_attribute(of)}"'
        for name, of in attributes.items()
    )
    return f"<{tag}{given}/>" if content is None else f"<{tag}{given}>{content}</{tag}>"


def text(x: float, y: float, words: str, class_: str = "", anchor: str = "start") -> str:
    """A line of text, escaped."""
    named: dict[str, str] = {"class_": class_} if class_ else {}
    placed = {} if anchor == "start" else {"text_anchor": anchor}
    return element("text", escape(printable(words)), x=x, y=y, **named, **placed)


def fitted(words: str, width: float) -> str:
    """Text cut to a width of the figure, with an ellipsis."""
    words = printable(words)
    room = width
    for place, character in enumerate(words):
        room -= LETTER * (2 if unicodedata.east_asian_width(character) in "WF" else 1)
        if room < 0:
            return words[: max(1, place - 1)].rstrip() + "…"
    return words


def axis(scale: Scale, bottom: float, caption: str, form: str) -> list[str]:
    """Grid lines from the top to `bottom`, their numbers, and what they measure."""
    parts = []
    for tick in scale.ticks:
        x = scale.x(tick)
        line = "zero" if abs(tick) < 1e-12 else "grid"
        parts.append(element("line", class_=line, x1=x, x2=x, y1=2, y2=bottom))
        shown = format(tick, form) if abs(tick) >= 1e-12 else "0"
        parts.append(text(x, bottom + 13, shown, "tick", "middle"))
    middle = (PLOT_LEFT + PLOT_RIGHT) / 2
    parts.append(text(middle, bottom + 28, caption, "tick", "middle"))
    return parts


def drawing(name: str, title: str, description: str, height: float, parts: Sequence[str]) -> str:
    """The SVG: an image with a title and a description; `name` must be unique on the page."""
    told = [
        element("title", escape(printable(title)), id=f"{name}-title"),
        element("desc", escape(printable(description)), id=f"{name}-desc"),
    ]
    return element(
        "svg",
        "".join([*told, *parts]),
        viewBox=f"0 0 {WIDTH} {height:g}",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
    )


def _attribute(of: str | float) -> str:
    return f"{of:.1f}".removesuffix(".0") if isinstance(of, float) else escape(str(of))

"""The coefficient plot: every value's effect against its reference value, with its 95 % interval.

In: the tables of one model's labels and bias. Out: one panel an actor, all on one scale. A filled
diamond belongs to a significant label, a hollow circle to another; an arrow is an interval that
goes beyond the scale.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from justeval.report.figures.svg import (
    AXIS_HEIGHT,
    LETTER,
    PLOT_LEFT,
    PLOT_RIGHT,
    WIDE_LETTER,
    WIDTH,
    Panel,
    Row,
    Scale,
    axis,
    by_actor,
    drawing,
    element,
    fitted,
    nice_step,
    number,
    rows_of,
    text,
)
from justeval.report.formatting import counted, printable, show
from justeval.report.records import Cell, Table
from justeval.report.tables.labels import LOG_POINTS

HEAD, STEP = 18, 16
"""Heights of a label's heading and of a value."""

USUAL_SHARE = 0.9
"""Share of the intervals' ends that count as usual: the scale is at most twice as wide."""


def coefficient_scale(bias: Table) -> Scale:
    """One symmetric scale for all models: every effect lies on it, and every interval of a usual
    width; a much wider one is cut, so that the others can be read."""
    return scale_of(rows_of(bias))


def scale_of(rows: Sequence[Row]) -> Scale:
    """The scale of some effects and their intervals."""
    effects = [abs(b) for row in rows if (b := number(row["coef"])) is not None]
    ends = sorted(
        abs(end) for row in rows for side in ("ci_low", "ci_high") if (end := number(row[side]))
    )
    usual = ends[math.ceil(USUAL_SHARE * len(ends)) - 1] if ends else 0.0
    largest = max(effects, default=0.0)
    reach = 1.04 * min(max([*ends, largest]), 2 * max(usual, largest)) or 0.1
    step = nice_step(2 * reach, 6)
    steps = math.floor(reach / step)
    return Scale(-reach, reach, tuple(i * step for i in range(-steps, steps + 1)))


def coefficient_panels(
    name: str, model: str, labels: Table, bias: Table, unit: str = LOG_POINTS
) -> list[Panel]:
    """Panels of one model. labels, bias : the tables of all models; name : unique on the page."""
    scale = coefficient_scale(bias)
    values: dict[Cell, list[Row]] = {}
    for row in rows_of(bias.where("model", model)):
        values.setdefault(row["label"], []).append(row)
    panels = by_actor(
        rows_of(labels.where("model", model)),
        lambda label: HEAD + STEP * len(values[label["label"]]),
    )
    return [
        Panel(
            actor,
            panel_of(
                f"{name}-{i}",
                f"Coefficient plot, {model}, {actor}",
                [values[label["label"]] for label in inside],
                scale,
                unit,
            ),
        )
        for i, (actor, inside) in enumerate(panels)
    ]


def panel_of(
    name: str, title: str, labels: Sequence[Sequence[Row]], scale: Scale, unit: str
) -> str:
    """One drawing: for each label its heading and a line a value."""
    bottom = 6 + sum(HEAD + STEP * len(values) for values in labels)
    parts = axis(scale, bottom, f"effect in {unit}", "+.3g")
    y = 4.0
    for values in labels:
        parts.extend(_heading(values[0], y))
        y += HEAD
        for row in values:
            parts.extend(_value(row, y, scale, unit))
            y += STEP
    return drawing(
        name,
        title,
        _description(labels),
        bottom + AXIS_HEIGHT,
        parts,
    )


def _heading(row: Row, y: float) -> list[str]:
    """The label's name, what its values are compared with, and the label's p."""
    verdict = "" if row["label_p"] is None else f"p {show(row['label_p'], 'p')}"
    against = "" if row["reference"] is None else f"against {row['reference']}"
    room = WIDTH - 20 - LETTER * len(verdict)
    name = fitted(str(row["name"]), room)
    against = fitted(against, room - WIDE_LETTER * len(name) - 8) if against else ""
    words = element("tspan", escape(name), class_="name") + element(
        "tspan", escape(against), class_="against", dx=6
    )
    told = element("title", escape(printable(f"{row['name']} against {row['reference']}")))
    parts = [element("g", told + element("text", words, class_="heading", x=0, y=y + 12))]
    if verdict:
        shown = "p-found" if row["significant"] else "p"
        parts.append(text(PLOT_RIGHT, y + 12, verdict, shown, "end"))
    return parts


def _value(row: Row, y: float, scale: Scale, unit: str) -> list[str]:
    middle = y + STEP / 2
    effect = number(row["coef"])
    if row["value"] is None or effect is None:
        why = str(row["note"] or "no estimate")
        which = "" if row["value"] is None else f"{row['value']}: "
        return [text(10, middle + 4, fitted(which + why, WIDTH - 20), "none")]
    low, high = number(row["ci_low"]), number(row["ci_high"])
    told = f"{row['value']}: {show(effect, 'coef')} {unit}"
    if low is not None and high is not None:
        told += f", 95 % interval {show(low, 'coef')} to {show(high, 'coef')}"
    parts = [
        element("title", escape(printable(told))),
        text(10, middle + 4, fitted(str(row["value"]), PLOT_LEFT - 18), "value"),
    ]
    found = " found" if row["significant"] else ""
    if low is not None and high is not None:
        parts.extend(_interval(low, high, middle, scale, found))
    parts.append(_marker(scale.x(effect), middle, bool(row["significant"])))
    return [element("g", "".join(parts))]


def _interval(low: float, high: float, y: float, scale: Scale, found: str) -> list[str]:
    left, right = scale.x(low), scale.x(high)
    parts = [element("line", class_=f"interval{found}", x1=left, x2=right, y1=y, y2=y)]
    for end, x, side in ((low, left, 1), (high, right, -1)):
        if not scale.holds(end):
            points = (
                f"{x:.1f},{y:.1f} {x + 5 * side:.1f},{y - 4:.1f} {x + 5 * side:.1f},{y + 4:.1f}"
            )
            parts.append(element("polygon", class_=f"arrow{found}", points=points))
    return parts


def _marker(x: float, y: float, significant: bool) -> str:
    if not significant:
        return element("circle", class_="point", cx=x, cy=y, r=3.6)
    points = (
        f"{x:.1f},{y - 5.4:.1f} {x + 5.4:.1f},{y:.1f} {x:.1f},{y + 5.4:.1f} {x - 5.4:.1f},{y:.1f}"
    )
    return element("polygon", class_="point found", points=points)


def _description(labels: Sequence[Sequence[Row]]) -> str:
    found = [str(values[0]["name"]) for values in labels if values[0]["significant"]]
    names = ", ".join(found) if found else "none"
    return (
        f"Effects with 95 % intervals for {counted(len(labels), 'label')}. "
        f"Significant: {names}. The tables hold the numbers."
    )

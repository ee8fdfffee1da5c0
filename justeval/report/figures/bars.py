"""Inconsistency bars: the share of documents whose answer changes, a label, with its interval.

In: the table of labels. Out: one panel an actor, all on one scale. A dashed line is the noise
floor: the share for the placebo labels together.
"""

from __future__ import annotations

from collections.abc import Sequence

from justeval.report.figures.svg import (
    AXIS_HEIGHT,
    PLOT_LEFT,
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
from justeval.report.formatting import counted, show
from justeval.report.records import Table

NAME, BAR = 17, 17
"""Heights of a label's name and of its bar."""


def inconsistency_scale(labels: Table) -> Scale:
    """From 0 to a round number above all intervals of all models."""
    ends = [number(row["inconsistency_ci_high"]) for row in rows_of(labels)]
    reach = max([0.05, *(end for end in ends if end is not None)])
    step = nice_step(reach, 5)
    steps = min(5, int(reach / step - 1e-9) + 1)
    return Scale(0.0, steps * step, tuple(i * step for i in range(steps + 1)))


def inconsistency_panels(
    name: str, model: str, labels: Table, noise_floor: float | None
) -> list[Panel]:
    """Panels of one model. labels : the table of all models; name : unique on the page."""
    scale = inconsistency_scale(labels)
    panels = by_actor(rows_of(labels.where("model", model)), lambda _: NAME + BAR)
    return [
        Panel(actor, _panel(f"{name}-{i}", model, actor, inside, scale, noise_floor))
        for i, (actor, inside) in enumerate(panels)
    ]


def _panel(
    name: str,
    model: str,
    actor: str,
    labels: Sequence[Row],
    scale: Scale,
    noise_floor: float | None,
) -> str:
    bottom = 6.0 + (NAME + BAR) * len(labels)
    parts = axis(scale, bottom, "share of documents whose answer changes", ".2g")
    tops = [4.0 + (NAME + BAR) * i for i in range(len(labels))]
    parts.extend(
        _bar(label, y, scale, bool(label["placebo"])) for label, y in zip(labels, tops, strict=True)
    )
    if noise_floor is not None:
        x = scale.x(noise_floor)
        parts.append(element("line", class_="floor", x1=x, x2=x, y1=2, y2=bottom))
    parts.extend(
        text(0, y + 12, fitted(str(label["name"]), WIDTH - 10), "name")
        for label, y in zip(labels, tops, strict=True)
    )
    return drawing(
        name,
        f"Inconsistency, {model}, {actor}",
        _description(labels, noise_floor),
        bottom + AXIS_HEIGHT,
        parts,
    )


def _bar(label: Row, y: float, scale: Scale, is_placebo: bool) -> str:
    share = number(label["inconsistency"])
    middle = y + NAME + BAR / 2 - 2
    if share is None:
        return text(10, middle + 4, "no document with two readable answers", "none")
    parts = [
        text(
            10,
            middle + 4,
            f"{show(share, 'share')} ({label['documents_changed']} of {label['documents']})",
            "value",
        ),
        element(
            "rect",
            class_="bar placebo" if is_placebo else "bar",
            x=PLOT_LEFT,
            y=middle - 5,
            width=scale.x(share) - PLOT_LEFT,
            height=10,
        ),
    ]
    low, high = number(label["inconsistency_ci_low"]), number(label["inconsistency_ci_high"])
    if low is not None and high is not None:
        left, right = scale.x(low), scale.x(high)
        parts.append(element("line", class_="whisker", x1=left, x2=right, y1=middle, y2=middle))
        parts.extend(
            element("line", class_="whisker", x1=x, x2=x, y1=middle - 3, y2=middle + 3)
            for x in (left, right)
        )
    return element("g", "".join(parts))


def _description(labels: Sequence[Row], noise_floor: float | None) -> str:
    shares = [s for label in labels if (s := number(label["inconsistency"])) is not None]
    reach = f", from {show(min(shares), 'share')} to {show(max(shares), 'share')}" if shares else ""
    floor = "" if noise_floor is None else f" Placebo labels: {show(noise_floor, 'share')}."
    return (
        f"Share of documents whose answer changes for {counted(len(labels), 'label')}{reach}."
        f"{floor} The table Labels holds the numbers."
    )

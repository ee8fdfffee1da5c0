"""The specification curve: one effect in every specification, in per cent, sorted.

In: the table of robustness. Out: one panel a label, those with the smallest joint p first. All on
one scale; a filled diamond has p below alpha.
"""

from __future__ import annotations

from justeval.report.figures.coefficients import panel_of, scale_of
from justeval.report.figures.svg import Panel, Row, number, rows_of
from justeval.report.records import Cell, Table

MOST = 12
"""Labels drawn; the table has all."""


def curve_panels(name: str, model: str, robustness: Table, alpha: float) -> list[Panel]:
    """Panels of one model; none where no robustness was asked for."""
    groups: dict[Cell, list[Row]] = {}
    for row in rows_of(robustness.where("model", model)):
        groups.setdefault(row["label"], []).append(_drawn(row, alpha))
    first = sorted(groups.values(), key=lambda rows: _or(rows[0]["label_p"], 2.0))[:MOST]
    scale = scale_of([row for rows in first for row in rows])
    return [
        Panel(
            str(rows[0]["name"]),
            panel_of(
                f"{name}-{place}",
                f"Specification curve, {model}, {rows[0]['name']}",
                [sorted(rows, key=lambda row: _or(row["coef"], float("inf")))],
                scale,
                "per cent of the mean",
            ),
        )
        for place, rows in enumerate(first)
    ]


def _drawn(row: Row, alpha: float) -> Row:
    """A specification as a line of the coefficient plot."""
    p = number(row["p"])
    which = f"{row['specification']}: {row['value']}" if row["value"] else row["specification"]
    return {
        "name": row["name"],
        "reference": None,
        "label_p": row["joint_p"],
        "significant": p is not None and p < alpha,
        "value": which,
        "coef": row["change_percent"],
        "ci_low": row["change_percent_low"],
        "ci_high": row["change_percent_high"],
        "note": row["note"],
    }


def _or(cell: Cell, otherwise: float) -> float:
    found = number(cell)
    return otherwise if found is None else found

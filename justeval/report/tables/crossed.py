"""Labels asked crossed, and numeric labels value by value.

In: the analysis. Out: a table for each; empty where nothing was asked that way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from justeval.report.records import Cell, Table
from justeval.report.tables.labels import plain_unit
from justeval.report.tables.making import Row, make_table

_PAIR = (
    "first", "second", "effect", "effect_se", "interaction", "change_percent", "se", "ci_low",
    "ci_high", "p",
)  # fmt: skip


def crossed_table(analysis: Mapping[str, Any]) -> Table:
    """One row a pair of values; a crossing without an estimate keeps a row with its note."""
    rows = [
        row
        for model in analysis["models"]
        for one in model.get("crossed") or ()
        for row in _crossing_rows(model["model"], one)
    ]
    columns = (
        "model", "label", "name", "crossed_p", "p_holm", "significant", *_PAIR, "documents",
        "complete", "changed", "note",
    )  # fmt: skip
    about = (
        "Two labels stated together: what a pair of values does beyond the sum of both effects, "
        f"in {plain_unit(analysis)}. These labels are in no count."
    )
    return make_table("crossed", "Labels crossed", about, rows, columns)


def _crossing_rows(model: str, one: Mapping[str, Any]) -> Iterator[Row]:
    own: dict[str, Cell] = {
        "model": model,
        "label": one["label"],
        "name": " × ".join(one["names"]),
        "crossed_p": one["p"],
        "p_holm": one["p_holm"],
        "significant": one["significant"],
        "note": one["note"],
        **{name: one[name] for name in ("documents", "complete", "changed")},
    }
    if not one["pairs"]:
        yield {**dict.fromkeys(_PAIR), **own}
    for pair in one["pairs"]:
        yield {**{name: pair[name] for name in _PAIR}, **own}


def shape_table(analysis: Mapping[str, Any]) -> Table:
    """One row a value of a numeric label, against the lowest one."""
    rows = [
        {
            "model": model["model"],
            "label": label["label"],
            "name": label["name"],
            "shape_p": shape["p"],
            "p_line": shape["p_line"],
            "value": value,
            "reference": shape["reference"],
            "coef": shape["coef"][place],
            "se": shape["se"][place],
        }
        for model in analysis["models"]
        for label in model["labels"]
        if (shape := label["bias"].get("shape"))
        for place, value in enumerate(shape["values"])
    ]
    columns = (
        "model", "label", "name", "shape_p", "p_line", "value", "reference", "coef", "se",
    )  # fmt: skip
    about = (
        f"Effects of the values asked, in {plain_unit(analysis)}. An effect that rises and falls "
        "again has no slope in log(value), and yet a small p here."
    )
    return make_table("shape", "Numeric labels, value by value", about, rows, columns)

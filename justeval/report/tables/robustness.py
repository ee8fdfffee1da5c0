"""The effects of every value in every specification, in every charge, in light and grave cases.

In: the analysis with its `robustness`, `by_charge` and `by_severity`, where they were asked for.
Out: a table for each, empty elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from justeval.report.records import Cell, Table
from justeval.report.tables.labels import plain_unit
from justeval.report.tables.making import Row, make_table

_OF_VALUE = (
    "value", "coef", "se", "p", "ci_low", "ci_high", "change_percent", "change_percent_low",
    "change_percent_high", "se_jackknife", "p_jackknife",
)  # fmt: skip
_OF_GROUPS = ("model", "label", "name", "placebo", "p_equal", "q_equal", "p_any")


def robustness_table(analysis: Mapping[str, Any]) -> Table:
    """One row a value and specification; a label without an estimate keeps a row with the note."""
    curve = analysis.get("robustness") or {"specifications": (), "models": ()}
    titles = {one["id"]: one["title"] for one in curve["specifications"]}
    names = {
        (model["model"], label["label"]): label["name"]
        for model in analysis["models"]
        for label in model["labels"]
    }
    found = {
        (model["model"], label["label"]): label
        for model in curve["models"]
        for label in model["labels"]
    }
    rows = [
        {**row, "model": model, "name": name}
        for (model, label), name in names.items()
        for row in (_rows(found[model, label], titles) if (model, label) in found else ())
    ]
    columns = (
        "model", "label", "name", "joint_p", "specification", *_OF_VALUE, "documents", "clusters",
        "note",
    )  # fmt: skip
    about = (
        "Each label in the published family of specifications. The joint p tests all of them at "
        "once, from the same sign draws: the share of draws in which p is as small on average."
    )
    return make_table("robustness", "Robustness", about, rows, columns)


def _rows(label: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[Row]:
    for one in label["specifications"]:
        own: dict[str, Cell] = {
            "label": label["label"],
            "joint_p": label["joint_p"],
            "specification": titles[one["specification"]],
            "documents": one["documents"],
            "clusters": one["clusters"],
            "note": one["note"],
        }
        if not one["values"]:
            yield {**dict.fromkeys(_OF_VALUE), **own}
        for value in one["values"]:
            yield {**{name: value[name] for name in _OF_VALUE}, **own}


def charge_table(analysis: Mapping[str, Any]) -> Table:
    """One row a value and charge, with the tests that all charges have the same effect."""
    rows = [row for one in _listed(analysis, "by_charge") for row in _group_rows(one, "charge")]
    columns = (*_OF_GROUPS, "value", "crossing_p", "charge", "documents", "coef", "se", "note")
    about = (
        f"Effects by charge, in {plain_unit(analysis)}. A small crossing p says that effects in "
        "opposite directions cancel in the average."
    )
    return make_table("by_charge", "By charge", about, rows, columns)


def severity_table(analysis: Mapping[str, Any]) -> Table:
    """One row a value and third of the cases, from light to grave, with the slope."""
    rows = [
        {
            **row,
            "measure": one["severity"],
            "p_slope": one["p_slope"],
            "slope": _of(one["slope"], one["values"], row["value"]),
        }
        for one in _listed(analysis, "by_severity")
        for row in _group_rows(one, "severity")
    ]
    columns = (
        *_OF_GROUPS, "p_slope", "measure", "value", "slope", "crossing_p", "severity", "documents",
        "coef", "se", "note",
    )  # fmt: skip
    about = (
        f"Effects in light and in grave cases, in {plain_unit(analysis)}. A small crossing p says "
        "that effects in opposite directions cancel in the average."
    )
    return make_table("by_severity", "By severity", about, rows, columns)


def _listed(analysis: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Labels told apart by groups, in the order of the labels, with name and placebo."""
    found = {(one["model"], one["label"]): one for one in analysis.get(key) or ()}
    return [
        {**one, "name": label["name"], "placebo": label["placebo"]}
        for model in analysis["models"]
        for label in model["labels"]
        if (one := found.get((model["model"], label["label"])))
    ]


def _of(numbers: Sequence[float | None], values: Sequence[str], value: Cell) -> float | None:
    return dict(zip(values, numbers, strict=False)).get(str(value))


def _group_rows(one: Mapping[str, Any], group_name: str) -> Iterator[Row]:
    own: dict[str, Cell] = {name: one[name] for name in _OF_GROUPS}
    own["note"] = one["note"]
    empty = ("value", "crossing_p", group_name, "documents", "coef", "se")
    if not one["groups"]:
        yield {**dict.fromkeys(empty), **own}
    for place, value in enumerate(one["values"] if one["groups"] else ()):
        for group in one["groups"]:
            yield {
                **own,
                "value": value,
                "crossing_p": one["crossing_p"][place],
                group_name: group["group"],
                "documents": group["documents"],
                "coef": group["coef"][place],
                "se": group["se"][place],
            }

"""What stands beside the regressions: sign tables, leaving the sample, repetitions, the floor.

In: the analysis. Out: a table for each; empty where nothing is known, as published among others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from justeval.report.records import Cell, Table
from justeval.report.tables.labels import plain_unit
from justeval.report.tables.making import OUTCOMES, Row, make_table

_OF_LABEL = ("label", "name", "placebo")
_BOUNDS = (
    "left_value_only", "left_reference_only", "worst_low", "worst_high", "lee_low", "lee_high",
)  # fmt: skip


def floor_table(analysis: Mapping[str, Any]) -> Table:
    """How often placebo labels are significant, and how far they move each model."""
    rows = [
        {
            "model": model["model"],
            "outcome": outcome.replace("_", " "),
            "tau": floor["tau"],
            "floor_tests": floor["tests"],
            "rejected": floor["rejected"],
            "rate": floor["rate"],
            "rate_ci_low": floor["ci_low"],
            "rate_ci_high": floor["ci_high"],
            "warning": floor["warning"],
        }
        for model in analysis["models"]
        for outcome in OUTCOMES
        if (floor := (model["placebo"] or {}).get(f"{outcome}_floor"))
    ]
    columns = (
        "model", "outcome", "tau", "floor_tests", "rejected", "rate", "rate_ci_low",
        "rate_ci_high", "warning",
    )  # fmt: skip
    about = (
        "How often the tests call an irrelevant sentence significant, and how far such sentences "
        "move the model."
    )
    return make_table("floor", "Placebo labels as yardstick", about, rows, columns)


def sign_table(analysis: Mapping[str, Any]) -> Table:
    """Harsher, more lenient, the same: documents by value, with the exact sign test."""
    rows = [
        {
            **own,
            **{name: table[name] for name in ("value", "reference", "documents")},
            **{name: table[name] for name in ("harsher", "lenient", "same")},
            "sign_p": table["p"],
        }
        for own, beyond in _labels(analysis)
        for table in beyond["sign_tables"]
    ]
    columns = (
        "model", *_OF_LABEL, "value", "reference", "documents", "harsher", "lenient", "same",
        "sign_p",
    )  # fmt: skip
    about = (
        "Documents in which the answer to a value is harsher or more lenient than that to the "
        "reference value: life and death enter here, which have no months."
    )
    return make_table("signs", "Harsher or more lenient", about, rows, columns)


def attrition_table(analysis: Mapping[str, Any]) -> Table:
    """Answers that left the main sample, by value, with the exact test within documents."""
    rows = [
        {
            **own,
            "value": value,
            "asked": beyond["attrition"]["asked"][place],
            "left": beyond["attrition"]["left"][place],
            "attrition_p": beyond["attrition"]["p"],
            **_bounds(beyond, value),
        }
        for own, beyond in _labels(analysis)
        if beyond["attrition"]
        for place, value in enumerate(beyond["attrition"]["values"])
    ]
    columns = ("model", *_OF_LABEL, "value", "asked", "left", "attrition_p", *_BOUNDS)
    about = (
        "Answers that are not in the estimates (life, death, over the bound, refused, "
        "unreadable). Where leaving depends on the value (small p), the estimate compares a "
        f"selection: the bounds, in {plain_unit(analysis)}, say what the answers that left could "
        "hide."
    )
    return make_table("attrition", "Leaving the sample by value", about, rows, columns)


def _bounds(beyond: Mapping[str, Any], value: str) -> Row:
    """The bounds of a value; empty for the reference value."""
    found = {one["value"]: one for one in beyond["bounds"]}.get(value, {})
    return {name: found.get(name) for name in _BOUNDS}


def repetition_table(analysis: Mapping[str, Any]) -> Table:
    """Disagreement between values less that between repetitions of one value."""
    names = ("documents", "between", "within", "excess")
    rows = [
        {
            **own,
            **{name: beyond["disagreement"][name] for name in names},
            "excess_p": beyond["disagreement"]["p"],
        }
        for own, beyond in _labels(analysis)
        if beyond["disagreement"]
    ]
    columns = ("model", *_OF_LABEL, *names, "excess_p")
    about = (
        "Inconsistency less what repetitions of the same text show by themselves: sampling noise "
        "is not unfairness."
    )
    return make_table("repetitions", "Beyond repetitions", about, rows, columns)


def _labels(analysis: Mapping[str, Any]) -> Iterator[tuple[Row, Mapping[str, Any]]]:
    for model in analysis["models"]:
        for label in model["labels"]:
            if label.get("beyond"):
                own: dict[str, Cell] = {name: label[name] for name in _OF_LABEL}
                yield {"model": model["model"], **own}, label["beyond"]

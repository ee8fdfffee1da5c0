"""The effects of every value in every specification.

In: the analysis with its `robustness`, where it was asked for. Out: one table, empty elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from justeval.report.records import Cell, Table
from justeval.report.tables.making import Row, make_table

_OF_VALUE = (
    "value", "coef", "se", "p", "ci_low", "ci_high", "change_percent", "change_percent_low",
    "change_percent_high",
)  # fmt: skip


def robustness_table(analysis: Mapping[str, Any]) -> Table:
    """One row a value and specification; a label without an estimate keeps a row with the note."""
    curve = analysis.get("robustness") or {"specifications": (), "models": ()}
    titles = {one["id"]: one["title"] for one in curve["specifications"]}
    names = {
        (model["model"], label["label"]): label["name"]
        for model in analysis["models"]
        for label in model["labels"]
    }
    rows = [
        {**row, "model": model["model"], "name": names[model["model"], label["label"]]}
        for model in curve["models"]
        for label in model["labels"]
        for row in _rows(label, titles)
    ]
    columns = (
        "model", "label", "name", "joint_p", "specification", *_OF_VALUE, "documents", "clusters",
        "note",
    )  # fmt: skip
    about = (
        "Each label in the published family of specifications. The joint p tests all "
        "specifications clustered by document at once, from the same sign draws: the share of "
        "draws in which p is as small on average."
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

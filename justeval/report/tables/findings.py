"""What is wrong with the data: one row a finding, and the estimates with and without the replies.

In: the analysis with its `findings`, and `without_flagged` where it was asked for. Out: the table
of findings, and the table of estimates that differ without the flagged replies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from justeval.report.records import Cell, Table
from justeval.report.tables.making import Row, make_table

_WITH = ("coef", "p")


def finding_table(analysis: Mapping[str, Any]) -> Table:
    """Every finding, the gravest kinds first, with the label's effect with and without."""
    rows = [_finding_row(finding) for finding in analysis.get("findings") or ()]
    columns = (
        "finding", "model", "label", "value", "replies", "documents", "effect_of", "coef", "p",
        "coef_without", "p_without", "advice",
    )  # fmt: skip
    about = (
        "What is wrong with the data of the run, found by exact tests that share one level of "
        "1 %. Effects are on log(months + 1); the second without the flagged replies."
    )
    return make_table("findings", "Findings", about, rows, columns)


def flagged_table(analysis: Mapping[str, Any]) -> Table:
    """Values whose bias differs without the flagged replies, both estimates side by side."""
    rows = list(_flagged_rows(analysis))
    columns = (
        "model", "label", "name", "value", "reference", "coef", "p", "documents", "label_p",
        "coef_without", "p_without", "documents_without", "label_p_without",
    )  # fmt: skip
    about = (
        "Effects on log(months + 1) that change where the flagged replies are left out: with all "
        "replies, and without them."
    )
    return make_table("flagged", "With and without the flagged replies", about, rows, columns)


def _finding_row(finding: Mapping[str, Any]) -> Row:
    before, after = finding.get("estimate_with"), finding.get("estimate_without")
    row: dict[str, Cell] = {
        "finding": finding["kind"].replace("_", " "),
        "effect_of": None if before is None else before["value"],
    }
    for name in _WITH:
        row[name] = None if before is None else before[name]
        row[f"{name}_without"] = None if after is None else after[name]
    copied = ("model", "label", "value", "replies", "documents", "advice")
    return row | {name: finding[name] for name in copied}


def _flagged_rows(analysis: Mapping[str, Any]) -> Iterator[Row]:
    block = analysis.get("without_flagged")
    if block is None:
        return
    again = {
        (model["model"], label["label"]): label["bias"]
        for model in block["models"]
        for label in model["labels"]
    }
    for model in analysis["models"]:
        for label in model["labels"]:
            before, after = label["bias"], again.get((model["model"], label["label"]))
            if after is None or after["values"] == before["values"]:
                continue
            others = {value["value"]: value for value in after["values"]}
            for value in before["values"]:
                other = others.get(value["value"], {})
                yield {
                    "model": model["model"],
                    "label": label["label"],
                    "name": label["name"],
                    "label_p": before["p_verdict"],
                    "label_p_without": after["p_verdict"],
                    **{key: value[key] for key in ("value", "reference", "documents", *_WITH)},
                    **{f"{key}_without": other.get(key) for key in ("documents", *_WITH)},
                }

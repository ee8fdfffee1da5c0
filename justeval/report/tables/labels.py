"""One row a label, and one row a value: where a model's answers shift, by how much, how sure.

In: the analysis. Out: the table of labels, and a table of values for each outcome. A label that has
no estimate keeps its row, with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from justeval.report.records import Cell, Table
from justeval.report.tables.making import OUTCOMES, Row, is_as_published, make_table

LOG_VALUE = "log(value)"
"""Name of a numeric label's regressor; `estimate.LOG_VALUE`, which would bring NumPy with it."""

CONTRAST = (25.0, 45.0)
"""The two values of a numeric label for which its elasticity is shown as a change."""

_OF_LABEL = (
    "label", "name", "pack", "actor", "category", "demographic", "placebo", "documents",
    "documents_changed", "inconsistency", "inconsistency_ci_low", "inconsistency_ci_high",
)  # fmt: skip
_OF_VALUE = (
    "value", "reference", "coef", "se", "t", "p", "ci_low", "ci_high", "n", "documents",
    "clusters", "singletons_dropped", "documents_changed",
)  # fmt: skip


_JUDGED = (
    "p_romano_wolf", "q_bh", "q_by", "decided_by", "documents_changed", "verdict",
)  # fmt: skip
_REFINED_VALUE = (
    "p_wild", "detectable", "ratio", "ratio_ci_low", "ratio_ci_high", "ratio_p", "separated",
    "t_placebo", "p_placebo", "shrunken", "shrunken_sd", "shrunken_rank",
    "mean_reference", "se_jackknife", "p_jackknife", "coef_without", "document_without",
)  # fmt: skip


_CHANGES = ("change_percent", "change_months")

LOG_POINTS = "log points of months + 1"
"""The unit of the usual outcome."""


def label_table(analysis: Mapping[str, Any]) -> Table:
    """Every label of every model with its inconsistency and both joint tests."""
    rows = [
        {
            "model": model["model"],
            **{name: label[name] for name in _OF_LABEL},
            **_fit_cells(label),
            "note": _notes(label),
        }
        for model in analysis["models"]
        for label in model["labels"]
    ]
    judged = () if is_as_published(analysis) else _JUDGED
    tests = tuple(
        f"{start}_{name}"
        for start in OUTCOMES.values()
        for name in ("p", "significant", "p_joint", "p_small", "f", "rank", *judged)
    )
    columns = ("model", *_OF_LABEL, *tests, "note")
    about = "Share of documents whose answer changes, and the test of each label."
    return make_table("labels", "Labels", about, rows, columns)


def value_table(analysis: Mapping[str, Any], outcome: str) -> Table:
    """Every value against its reference value for one outcome, `bias` or `imbalanced_inaccuracy`.

    Bias is in log points of months + 1 and as a relative change; imbalanced inaccuracy in months.
    """
    rows = [
        row
        for model in analysis["models"]
        for label in model["labels"]
        for row in _value_rows(model["model"], label, outcome)
    ]
    ours = not is_as_published(analysis)
    change: tuple[str, ...] = ("change_percent",) if outcome == "bias" else ()
    if ours and outcome == "bias":
        change = (*change, "change_months")
    judged, refined = (("p_adjusted", "verdict"), _REFINED_VALUE) if ours else ((), ())
    columns = (
        "model", "label", "name", "placebo", "label_p", "significant", *judged, "value",
        "reference", "coef", *change, "se", "t", "ci_low", "ci_high", "p", "n", "documents",
        "documents_changed", "clusters", "singletons_dropped", *refined, "note",
    )  # fmt: skip
    title, about = _TITLES[outcome]
    table = make_table(outcome, title, about, rows, columns)
    return in_unit(table, analysis) if outcome == "bias" else table


def unit_of(analysis: Mapping[str, Any]) -> str:
    """The unit of a bias coefficient."""
    return str(analysis["settings"].get("unit", LOG_POINTS))


def plain_unit(analysis: Mapping[str, Any]) -> str:
    """The unit of what stands beside the coefficients and is estimated by least squares: months
    where the outcome is months by Poisson."""
    return "months" if analysis["settings"].get("outcome_id") == "poisson" else unit_of(analysis)


def in_unit(table: Table, analysis: Mapping[str, Any]) -> Table:
    """The table of bias with the unit of its outcome: a log coefficient is never called months,
    nor months log points."""
    unit = unit_of(analysis)
    if unit == LOG_POINTS:
        return table
    outcome = analysis["settings"]["outcome"]
    new = {
        "coef": ("log points" if unit.startswith("log") else unit, f"effect on {outcome}"),
        "change_percent": ("per cent of the mean", "the same against the reference value's mean"),
    }
    columns = tuple(
        replace(column, unit=new[column.id][0], definition=new[column.id][1])
        if column.id in new
        else column
        for column in table.columns
    )
    about = f"Effect of each value on {outcome} against the reference value, within documents."
    return replace(table, columns=columns, about=about)


_TITLES = {
    "bias": (
        "Bias",
        "Effect of each value on log(months + 1) against the reference value, within documents. "
        "The effect is in log points of months + 1; the change is exp(effect) - 1.",
    ),
    "imbalanced_inaccuracy": (
        "Imbalanced inaccuracy",
        "Effect of each value on |true - predicted| months against the reference value, within "
        "documents. It is no independent evidence where a model predicts too much or too little "
        "throughout.",
    ),
}


def change_percent(coef: float | None, numeric: bool) -> float | None:
    """A log effect as a change of months + 1 in per cent: 100 (exp(b) - 1).

    For the elasticity of a numeric label: of a value 45/25 times as large, 100 ((45/25)^b - 1).
    """
    if coef is None:
        return None
    exponent = coef * math.log(CONTRAST[1] / CONTRAST[0]) if numeric else coef
    try:
        return 100.0 * math.expm1(exponent)
    except OverflowError:
        return None


def _plain_change(value: Mapping[str, Any]) -> float | None:
    """As published, where the analysis does not state it."""
    return change_percent(value["coef"], value["value"] == LOG_VALUE)


def _fit_cells(label: Mapping[str, Any]) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for outcome, start in OUTCOMES.items():
        fit = label[outcome]
        cells[f"{start}_p"] = fit["p_verdict"]
        cells[f"{start}_p_joint"] = fit["p"]
        cells[f"{start}_p_small"] = fit["p_small"]
        cells[f"{start}_f"] = fit["f"]
        cells[f"{start}_rank"] = fit["rank"]
        cells[f"{start}_significant"] = fit["significant"]
        for name in _JUDGED:
            cells[f"{start}_{name}"] = fit.get(name)
    return cells


def _notes(label: Mapping[str, Any]) -> str | None:
    """The notes of both outcomes, once where they agree."""
    notes: dict[str, str | None] = {outcome: label[outcome]["note"] for outcome in OUTCOMES}
    if notes["bias"] == notes["imbalanced_inaccuracy"]:
        return notes["bias"]
    named = [f"{outcome.replace('_', ' ')}: {note}" for outcome, note in notes.items() if note]
    return "; ".join(named) or None


def _value_rows(model: str, label: Mapping[str, Any], outcome: str) -> Iterator[Row]:
    fit = label[outcome]
    of_label: dict[str, Cell] = {
        "model": model,
        "label": label["label"],
        "name": label["name"],
        "placebo": label["placebo"],
        "label_p": fit["p_verdict"],
        "significant": fit["significant"],
        "p_adjusted": fit.get("p_romano_wolf"),
        "verdict": fit.get("verdict"),
        "note": fit["note"],
    }
    if not fit["values"]:
        yield {**dict.fromkeys((*_OF_VALUE, *_REFINED_VALUE, *_CHANGES)), **of_label}
    for value in fit["values"]:
        yield {
            **{name: value[name] for name in _OF_VALUE},
            **{name: value.get(name) for name in _REFINED_VALUE},
            "change_percent": value.get("change_percent", _plain_change(value)),
            "change_months": value.get("change_months"),
            **of_label,
        }

"""One row a model: the table of the seed (Table 1) for several models, with a summary row.

In: the analysis. Out: the tables of models, placebos, groups, pooled tests and levels. There is no
single score: the summary row holds a mean and the pooled tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from justeval.report.records import Cell, Table
from justeval.report.tables.making import (
    CALIBRATED,
    OUTCOMES,
    Row,
    count_cells,
    count_columns,
    is_as_published,
    make_table,
)

ALL_MODELS = "all models"
GROUPED_BY = {"actor": "actor", "category": "category", "demographic": "demographic or not"}


def model_table(analysis: Mapping[str, Any]) -> Table:
    """Inconsistency, labels biased, imbalanced inaccuracy, MAE and unreadable share a model."""
    models = analysis["models"]
    rows = [_model_row(model) for model in models]
    if len(models) > 1:
        rows.append(_summary_row(analysis["summary"]))
    columns = (
        "model", "n_labels", "documents", "inconsistency", "inconsistency_ci_low",
        "inconsistency_ci_high", *count_columns(is_as_published(analysis)), "mae_months",
        "mape_percent", "mae_rows", "mape_rows", "bare_mae_months", "bare_rows", "replies",
        "readable", "unreadable_share", "main_sample_rows", "cost_usd", "note",
    )  # fmt: skip
    about = (
        "How often each model's answer changes, and for how many labels it shifts. "
        "Placebo labels are left out here."
    )
    summary = int(len(models) > 1)
    if summary:
        about += " The last row holds means over the models and the pooled tests."
    return make_table("models", "Models", about, rows, columns, summary)


def placebo_table(analysis: Mapping[str, Any]) -> Table:
    """The same figures for the placebo labels: the noise floor."""
    rows = [_family_row(m, m["placebo"]) for m in analysis["models"] if m["placebo"]]
    columns = (
        "model", "n_labels", "inconsistency", *count_columns(is_as_published(analysis)),
    )  # fmt: skip
    about = (
        "What facts that nobody could hold relevant do to each model. "
        "An effect no larger than this is no finding."
    )
    return make_table("placebo", "Noise floor: placebo labels", about, rows, columns)


def group_table(analysis: Mapping[str, Any]) -> Table:
    """The labels of each model by actor, by category, demographic or not."""
    rows = [
        {
            **_family_row(model, group),
            "by": GROUPED_BY.get(group["by"], group["by"]),
            "group": group["group"],
        }
        for model in analysis["models"]
        for group in model["groups"]
    ]
    columns = (
        "model", "by", "group", "n_labels", "inconsistency",
        *count_columns(is_as_published(analysis)),
    )  # fmt: skip
    about = "The same figures by actor, by category, and for demographic labels and others."
    return make_table("groups", "Groups of labels", about, rows, columns)


def pooled_table(analysis: Mapping[str, Any]) -> Table:
    """All model x label tests together, and how many models are significant by themselves."""
    summary = analysis["summary"]
    values = _value_columns(analysis)
    rows = [
        {
            **_level_cells(summary[outcome]),
            "outcome": _words(outcome),
            "alpha": summary[outcome]["alpha"],
            "labels_tested": summary[outcome]["labels_tested"],
            "values_tested": summary[outcome].get("values_tested"),
            "models": summary["models"],
            "models_significant": summary[outcome].get("models_significant"),
            "models_binomial_p": summary[outcome].get("models_binomial_p"),
        }
        for outcome in OUTCOMES
    ]
    columns = (
        "outcome", "alpha", "labels_tested", "labels_significant", *values, "binomial_p",
        *_calibrated_columns(analysis), "models", "models_significant", "models_binomial_p",
    )  # fmt: skip
    about = "All tests of all models together; there is no single score."
    return make_table("pooled", "All models together", about, rows, columns)


def level_table(analysis: Mapping[str, Any]) -> Table:
    """Counts and binomial tests at 0.01, 0.05 and 0.10."""
    of = [(model["model"], model) for model in analysis["models"]]
    if len(of) > 1:
        of.append((ALL_MODELS, analysis["summary"]))
    rows = [
        {
            **_level_cells(at_level),
            "model": name,
            "outcome": _words(outcome),
            "alpha": float(level),
            "labels_tested": counts[outcome]["labels_tested"],
            "values_tested": counts[outcome].get("values_tested"),
        }
        for name, counts in of
        for outcome in OUTCOMES
        for level, at_level in counts[outcome]["by_alpha"].items()
    ]
    columns = (
        "model", "outcome", "alpha", "labels_tested", "labels_significant",
        *_value_columns(analysis), "binomial_p", *_calibrated_columns(analysis),
    )  # fmt: skip
    about = "How many tests are significant at each level, and how likely so many are by chance."
    return make_table("levels", "Levels", about, rows, columns)


def _model_row(model: Mapping[str, Any]) -> Row:
    replies, readable = model["replies"], model["readable"]
    return {
        **{name: model.get(name) for name in _COPIED},
        **count_cells(model),
        "unreadable_share": (replies - readable) / replies if replies else None,
        "note": "; ".join(_missing(model)) or None,
    }


_COPIED = (
    "model", "n_labels", "documents", "inconsistency", "inconsistency_ci_low",
    "inconsistency_ci_high", "mae_months", "mape_percent", "mae_rows", "mape_rows",
    "bare_mae_months", "bare_rows", "replies", "readable", "main_sample_rows", "cost_usd",
)  # fmt: skip


def _missing(model: Mapping[str, Any]) -> list[str]:
    """Why a figure of a model is unknown."""
    missing = []
    if not model["n_labels"]:
        missing.append("no label but placebos was asked")
    elif model["inconsistency"] is None:
        missing.append("no document has two readable answers")
    if model["mae_months"] is None:
        missing.append("no MAE: no true sentence in months beside a prediction")
    if model["bias"]["binomial_p"] is None:
        missing.append("no label could be tested")
    return missing


def _summary_row(summary: Mapping[str, Any]) -> Row:
    return {
        **dict.fromkeys(_COPIED),
        **count_cells(summary),
        "model": f"{ALL_MODELS} ({summary['models']})",
        "inconsistency": summary["inconsistency_mean"],
        "mae_months": summary["mae_months_mean"],
        "unreadable_share": None,
        "note": None,
    }


def _family_row(model: Mapping[str, Any], family: Mapping[str, Any]) -> dict[str, Cell]:
    return {
        "model": model["model"],
        "n_labels": family["n_labels"],
        "inconsistency": family["inconsistency"],
        **count_cells(family),
    }


def _level_cells(at_level: Mapping[str, Any]) -> dict[str, Cell]:
    return {
        "labels_significant": at_level["labels_significant"],
        "values_significant": at_level.get("values_significant"),
        "binomial_p": at_level["binomial_p"],
        **{name: at_level.get(name) for name in CALIBRATED},
    }


def _value_columns(analysis: Mapping[str, Any]) -> tuple[str, ...]:
    return ("values_tested", "values_significant") if is_as_published(analysis) else ()


def _calibrated_columns(analysis: Mapping[str, Any]) -> tuple[str, ...]:
    return () if is_as_published(analysis) else CALIBRATED


def _words(outcome: str) -> str:
    return outcome.replace("_", " ")

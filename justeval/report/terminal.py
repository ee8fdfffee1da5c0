"""Plain text for a terminal: the table of models, and the table of labels of each model.

In: the document of `justeval analyze --json`. Out: text whose numbers are those of every report.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from justeval.report.aligned import Line, aligned
from justeval.report.caveats import beside
from justeval.report.formatting import counted, label_name, per_cent, printable, show
from justeval.report.notices import notices
from justeval.report.records import Cell, Column, ReportContext, Table
from justeval.report.tables import (
    finding_table,
    label_table,
    model_table,
    placebo_table,
    value_table,
)
from justeval.report.tables.labels import unit_of
from justeval.report.tables.making import is_as_published

TEXT_WIDTH = 100

MOST_FINDINGS = 10
"""Findings shown in a terminal."""

FOUND, NOT_FOUND = "*", " "
NO_REASON = ReportContext()

Row = Mapping[str, Cell]


def show_analysis(
    analysis: Mapping[str, Any], context: ReportContext = NO_REASON, most_labels: int | None = None
) -> str:
    """The findings, both tables, the notices. `most_labels` as in `show_labels`."""
    parts = [
        show_findings(analysis),
        show_models(analysis),
        _without_flagged(analysis),
        show_labels(analysis, most_labels),
        "\n".join(
            textwrap.fill(printable(notice), TEXT_WIDTH) for notice in notices(analysis, context)
        ),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _without_flagged(analysis: Mapping[str, Any]) -> str:
    """The table of models once more, without the replies that the findings flag."""
    block = analysis.get("without_flagged")
    if block is None:
        return ""
    about = f"Without {counted(block['replies'], 'flagged reply', 'flagged replies')}:"
    return f"{about}\n\n{show_models({**analysis, **block})}"


def show_findings(analysis: Mapping[str, Any]) -> str:
    """What is wrong with the data, finding by finding; nothing where nothing was found."""
    rows = _dicts(finding_table(analysis))
    if not rows:
        return ""
    lines = ["What is wrong with the data:"]
    for row in rows[:MOST_FINDINGS]:
        where = [str(row[name]) for name in ("model", "label", "value") if row[name] is not None]
        size = f"{_counted(row, 'replies')}, {_counted(row, 'documents')}"
        lines.append(printable(f"- {row['finding']} in {', '.join(where) or 'the run'}: {size}"))
        if row["coef"] is not None:
            without = ""
            if row["coef_without"] is not None:
                without = f"; without these replies {_effect(row, '_without')}"
            lines.append("  " + printable(f"effect of {row['effect_of']} {_effect(row)}{without}"))
        lines.append(textwrap.indent(textwrap.fill(printable(str(row["advice"])), 98), "  "))
    if len(rows) > MOST_FINDINGS:
        lines.append(f"{len(rows) - MOST_FINDINGS} more: justeval diagnose")
    return "\n".join(lines)


def _counted(row: Row, name: str) -> str:
    return f"{show(row[name], 'count')} {name}"


def _effect(row: Row, end: str = "") -> str:
    return f"{show(row['coef' + end], 'coef')} (p {show(row['p' + end], 'small_p')})"


def _dicts(table: Table) -> list[Row]:
    return [dict(zip(_names(table.columns), row, strict=True)) for row in table.rows]


def show_models(analysis: Mapping[str, Any]) -> str:
    """The table of models with its summary row, and the placebo labels: the noise floor."""
    table, placebos = model_table(analysis), placebo_table(analysis)
    rows = [dict(zip(_names(table.columns), row, strict=True)) for row in table.rows]
    lines = [
        Line(_model_cells(row), ruled=i == len(rows) - table.summary_rows)
        for i, row in enumerate(rows)
    ]
    for i, row in enumerate(placebos.rows):
        cells = dict(zip(_names(placebos.columns), row, strict=True))
        lines.append(
            Line(_model_cells({**cells, "model": f"{cells['model']}, placebo labels"}), i == 0)
        )
    level = _level(analysis)
    test = "binomial test" if is_as_published(analysis) else "calibrated count test"
    header = (
        "Model", "Labels", "Documents", "Inconsistency", "Bias", "p", "Inaccuracy", "p",
        "MAE", "Unreadable",
    )  # fmt: skip
    about = (
        f"Bias, Inaccuracy: labels significant at {level}, of those tested; p: {test}.\n"
        "Inconsistency, Unreadable: shares; MAE: months. "
        + ("All models: means, pooled tests. " if len(analysis["models"]) > 1 else "")
        + ("Placebo labels: the noise floor." if placebos.rows else "")
    )
    return aligned(header, lines, left=1) + "\n" + about.strip()


def show_labels(analysis: Mapping[str, Any], most: int | None = None) -> str:
    """Every value of every label, model by model, in log points of months + 1.

    `most` shows only so many labels a model, those with the smallest p.
    """
    bias = value_table(analysis, "bias")
    return "\n\n".join(
        _labels_of(analysis, model["model"], bias.where("model", model["model"]), most)
        + _beside(model, analysis)
        for model in analysis["models"]
    )


def _beside(model: Mapping[str, Any], analysis: Mapping[str, Any]) -> str:
    """What may speak against the estimates, a sentence each."""
    if is_as_published(analysis):
        return ""
    filled = (
        textwrap.fill(printable(one), TEXT_WIDTH, initial_indent="- ", subsequent_indent="  ")
        for one in beside(model, analysis)
    )
    return "".join(f"\n{sentence}" for sentence in filled)


def _labels_of(analysis: Mapping[str, Any], model: str, bias: Table, most: int | None) -> str:
    labels = label_table(analysis).where("model", model)
    shares = dict(zip(labels.column("label"), labels.column("inconsistency"), strict=True))
    rows = [dict(zip(_names(bias.columns), row, strict=True)) for row in bias.rows]
    groups = [list(same) for _, same in groupby(rows, key=lambda row: row["label"])]
    shown = groups if most is None else sorted(groups, key=_smallest_p_first)[:most]
    lines = [
        Line((*_value_cells(row, shares[row["label"]], i == 0), *_judged_cells(row, i == 0)))
        for group in shown
        for i, row in enumerate(group)
    ]
    judged = () if is_as_published(analysis) else ("Adj. p", "Verdict")
    header = (
        "Label", "Incons.", "p", "", "Value", "Effect", "Change %", "95 % interval", "Changed",
        *judged,
    )  # fmt: skip
    about = (
        f"{FOUND} label significant at {_level(analysis)}. Effect: {unit_of(analysis)} "
        "against the reference value.\nChanged: documents whose outcome differs, of those in the "
        "regression."
    )
    if judged:
        about += (
            "\nAdj. p: adjusted for all labels of the model (Romano-Wolf); the verdict rests on "
            "it. Equivalent:\nthe ratio of mean sentences lies within "
            f"{100 * analysis['settings']['margin']:g} %."
        )
    if len(shown) < len(groups):
        rest = counted(len(groups) - len(shown), "more label")
        about += f"\n{rest} with larger p: in every report."
    return "\n".join([printable(model), aligned(header, lines, left=1, left_too=(4, 10)), about])


def _model_cells(row: Row) -> tuple[str, ...]:
    return (
        show(row["model"], "text"),
        show(row["n_labels"], "count"),
        show(row.get("documents"), "count"),
        show(row["inconsistency"], "share"),
        _of(row["bias_significant"], row["bias_tested"]),
        show(row.get("bias_calibrated_p", row["bias_binomial_p"]), "p"),
        _of(row["inaccuracy_significant"], row["inaccuracy_tested"]),
        show(row.get("inaccuracy_calibrated_p", row["inaccuracy_binomial_p"]), "p"),
        show(row.get("mae_months"), "months"),
        show(row.get("unreadable_share"), "share"),
    )


def _value_cells(row: Row, share: Cell, first: bool) -> tuple[str, ...]:
    of_label = (
        (
            label_name(str(row["name"]), bool(row["placebo"])),
            show(share, "share"),
            show(row["label_p"], "p"),
            FOUND if row["significant"] else NOT_FOUND,
        )
        if first
        else ("", "", "", "")
    )
    if row["value"] is None:
        return (*of_label, str(row["note"] or "no estimate"), "", "", "", "")
    interval = f"{show(row['ci_low'], 'coef')} to {show(row['ci_high'], 'coef')}"
    return (
        *of_label,
        str(row["value"]),
        show(row["coef"], "coef"),
        show(row["change_percent"], "change"),
        show(None, "coef") if row["ci_low"] is None else interval,
        _of(row["documents_changed"], row["documents"]),
    )


def _judged_cells(row: Row, first: bool) -> tuple[str, ...]:
    if "verdict" not in row:
        return ()
    if not first:
        return "", ""
    return show(row["p_adjusted"], "p"), show(row["note"] or row["verdict"], "text")


def _smallest_p_first(group: Sequence[Row]) -> float:
    p = group[0]["label_p"]
    return float(p) if isinstance(p, (int, float)) else 2.0


def _of(part: Cell, whole: Cell) -> str:
    return f"{show(part, 'count')} of {show(whole, 'count')}"


def _level(analysis: Mapping[str, Any]) -> str:
    if is_as_published(analysis):
        return "10 % (any value, as published)"
    return per_cent(analysis["settings"]["alpha"])


def _names(columns: Iterable[Column]) -> list[str]:
    return [column.id for column in columns]

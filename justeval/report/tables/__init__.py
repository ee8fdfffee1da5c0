"""The analysis as named tables: the one place where it becomes columns with units.

    columns  names, units, definitions     making  rows -> Table
    models   one row a model and a group   labels  one row a label and a value
    origins  runs, settings, what was left out     findings  what is wrong with the data
    robustness  every specification, charge, third of the cases
    crossed  labels crossed, numeric labels value by value
    beyond   sign tables, leaving the sample, repetitions, the placebos as yardstick
    refined  columns of judging many labels together

In: the document of `justeval analyze --json` and a ReportContext. Out: tables that every format
writes as they are; no format computes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from justeval.report.records import ReportContext, Table
from justeval.report.tables.beyond import (
    attrition_table,
    floor_table,
    repetition_table,
    sign_table,
)
from justeval.report.tables.crossed import crossed_table, shape_table
from justeval.report.tables.findings import finding_table, flagged_table
from justeval.report.tables.labels import label_table, value_table
from justeval.report.tables.making import make_table
from justeval.report.tables.models import (
    group_table,
    level_table,
    model_table,
    placebo_table,
    pooled_table,
)
from justeval.report.tables.origins import (
    left_out_by_label_table,
    left_out_table,
    run_table,
    settings_table,
    skipped_kind_table,
    skipped_table,
    status_table,
)
from justeval.report.tables.robustness import charge_table, robustness_table, severity_table

FINDINGS = ("findings", "flagged")
OVERVIEW = ("models", "placebo", "floor", "pooled")
OF_MODEL = (
    "labels", "bias", "imbalanced_inaccuracy", "shape", "crossed", "signs", "attrition",
    "repetitions", "robustness", "by_charge", "by_severity",
)  # fmt: skip
LEFT_OUT = ("statuses", "left_out", "skipped_by_kind", "skipped")
"""Tables as page and Markdown show them: first, of all models, of each model, last."""

__all__ = [
    "FINDINGS",
    "LEFT_OUT",
    "OF_MODEL",
    "OVERVIEW",
    "build_tables",
    "definition_table",
    "finding_table",
    "label_table",
    "model_table",
    "placebo_table",
    "value_table",
]


def build_tables(analysis: Mapping[str, Any], context: ReportContext) -> tuple[Table, ...]:
    """All tables of an analysis, in the order of a report, the definitions last."""
    tables = (
        finding_table(analysis),
        flagged_table(analysis),
        model_table(analysis),
        placebo_table(analysis),
        floor_table(analysis),
        pooled_table(analysis),
        level_table(analysis),
        group_table(analysis),
        label_table(analysis),
        value_table(analysis, "bias"),
        value_table(analysis, "imbalanced_inaccuracy"),
        shape_table(analysis),
        crossed_table(analysis),
        sign_table(analysis),
        attrition_table(analysis),
        repetition_table(analysis),
        robustness_table(analysis),
        charge_table(analysis),
        severity_table(analysis),
        status_table(analysis),
        left_out_table(analysis),
        left_out_by_label_table(analysis),
        skipped_kind_table(context),
        skipped_table(context),
        run_table(analysis, context),
        settings_table(analysis),
    )
    return (*tables, definition_table(tables))


def definition_table(tables: tuple[Table, ...]) -> Table:
    """What every column of every table holds."""
    rows = [
        {
            "table": table.id,
            "column": column.id,
            "column_title": column.title,
            "unit": column.unit,
            "definition": column.definition,
        }
        for table in tables
        for column in table.columns
    ]
    about = "What each column of each table holds, and in what unit."
    return make_table("definitions", "Definitions", about, rows, tuple(rows[0]))

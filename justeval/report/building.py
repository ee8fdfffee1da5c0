"""Analysis and context -> a Report, which every format writes as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from justeval.report.claims import EVERYTHING, claims
from justeval.report.notices import notices
from justeval.report.records import Claim, Report, ReportContext, Table
from justeval.report.tables import build_tables
from justeval.report.tables.making import Row, make_table


def build_report(analysis: Mapping[str, Any], context: ReportContext) -> Report:
    """All that a report says. `analysis` is the document of `justeval analyze --json`."""
    first, statements = notices(analysis, context), claims(analysis, context)
    stated = (*(Claim(EVERYTHING, notice) for notice in first), *statements)
    return Report(
        title=context.title,
        notices=first,
        claims=statements,
        tables=(_claim_table(stated), *build_tables(analysis, context)),
    )


def _claim_table(statements: tuple[Claim, ...]) -> Table:
    rows: list[Row] = [
        {"number": i, "subject": claim.subject, "statement": claim.statement}
        for i, claim in enumerate(statements, 1)
    ]
    about = "Statements filled in from the facts of this run."
    columns = ("number", "subject", "statement")
    return make_table("claims", "What may be claimed", about, rows, columns)

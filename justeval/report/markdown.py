"""Markdown: the sentences and tables of the page, for a repository or an issue.

In: a Report. Out: text. Whatever comes from a run is escaped, so that it shows as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from justeval.report.formatting import is_number, printable, show_in
from justeval.report.records import Report, Table
from justeval.report.tables import FINDINGS, LEFT_OUT, OF_MODEL, OVERVIEW

SPECIAL = "\\`*_[]|~#"


def markdown_text(report: Report) -> str:
    """The report as Markdown."""
    return "\n".join(_lines(report)) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is: no link, no HTML, no cell border."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{c}" if c in SPECIAL else c for c in text)


def _lines(report: Report) -> Iterator[str]:
    yield f"# {escaped(printable(report.title))}"
    for notice in report.notices:
        yield from ("", f"> {escaped(printable(notice))}")
    if report.table("findings").rows:
        yield from ("", "## What is wrong with the data")
        yield from _tables(map(report.table, FINDINGS))
    yield from ("", "## Run", "")
    for name in ("runs", "settings"):
        yield from _facts(report.table(name))
    yield from ("", "## What may be claimed from this", "")
    for claim in report.claims:
        yield f"- {escaped(printable(claim.subject))}: {escaped(printable(claim.statement))}"
    yield from ("", "## Results")
    yield from _tables(map(report.table, OVERVIEW))
    yield from _tables(_by(report.table("groups"), "by"))
    for model in dict.fromkeys(report.table("labels").column("model")):
        yield from ("", f"## {escaped(printable(str(model)))}")
        yield from _tables(report.table(name).where("model", model) for name in OF_MODEL)
    yield from ("", "## What was left out and why")
    yield from _tables(map(report.table, LEFT_OUT))


def _by(table: Table, column: str) -> Iterator[Table]:
    for cell in dict.fromkeys(table.column(column)):
        part = table.where(column, cell)
        yield Table(part.id, f"{table.title}: by {cell}", part.about, part.columns, part.rows)


def _facts(table: Table) -> Iterator[str]:
    for row in table.rows:
        for column, cell in zip(table.columns, row, strict=True):
            unit = f" {column.unit}" if column.kind == "level" and column.unit else ""
            shown = escaped(show_in(cell, column)) + (unit if cell is not None else "")
            yield f"- {column.title}: {shown}"


def _tables(tables: Iterable[Table]) -> Iterator[str]:
    for table in tables:
        if table.rows:
            yield from ("", f"### {escaped(table.title)}", "", table.about, "")
            yield from _table(table)


def _table(table: Table) -> Iterator[str]:
    """Brief columns; the placebo column stays, since names are written as they are."""
    kept = [
        i
        for i, column in enumerate(table.columns)
        if column.brief or column.id in ("placebo", "label")
    ]
    columns = [table.columns[i] for i in kept]
    yield _row(escaped(f"{c.title} ({c.unit})" if c.unit else c.title) for c in columns)
    yield _row("---:" if is_number(column) else "---" for column in columns)
    for row in table.rows:
        yield _row(escaped(show_in(row[i], table.columns[i])) for i in kept)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"

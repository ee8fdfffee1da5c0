"""`justeval explain`: for each document the labels whose change alone changes the answer."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import click

from justeval.cli.shared import as_json as as_json_option
from justeval.cli.shared import path_argument, print_json
from justeval.cli.sources import Chosen, table_options
from justeval.diagnose import explain as changes_of
from justeval.report.formatting import printable, show

Change = dict[str, Any]


@click.command()
@path_argument("sources", nargs=-1, required=True)
@table_options
@click.option("--case", "cases", multiple=True, help="This document only; repeatable.")
@as_json_option
def explain(
    sources: tuple[Path, ...],
    cases: tuple[str, ...],
    as_json: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """For each document, name the labels whose change alone changes the answer, largest first."""
    evidence = Chosen(options).evidence(sources)
    rows: list[Change] = changes_of(evidence.predictions, evidence.labels).to_pylist()
    if cases:
        rows = [row for row in rows if row["case_id"] in cases]
    if as_json:
        print_json({"changes": rows})
        return
    if not rows:
        click.echo("no label changes an answer by itself")
    for (model, case), changes in groupby(rows, key=lambda row: (row["model"], row["case_id"])):
        click.echo(printable(f"{case} ({model})"))
        for change in changes:
            click.echo(f"  {printable(_sentence(change))}")


def _sentence(change: Change) -> str:
    before, after = (_answer(change, end) for end in ("_reference", ""))
    moved = change["change_months"]
    size = "" if moved is None else f"  ({moved:+g} months)"
    return (
        f"{change['rank']}. {change['label']}: {change['reference']} -> {change['value']}: "
        f"{before} -> {after}{size}"
    )


def _answer(change: Change, end: str) -> str:
    """The answer in words: kind and months, decision, or probability."""
    parts = [change[f"penalty{end}"], change[f"decision{end}"]]
    if change[f"months{end}"] is not None:
        parts.append(f"{change[f'months{end}']:g} months")
    if change[f"probability{end}"] is not None:
        parts.append(f"probability {show(change[f'probability{end}'], 'share')}")
    return ", ".join(part for part in parts if part) or "no answer"

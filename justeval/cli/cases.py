"""`justeval cases list|check|import|profiles|mark`: the cases that can be asked about."""

from __future__ import annotations

import click

from justeval.cases import load_cases
from justeval.cli.cases_check import check
from justeval.cli.cases_import import import_file, profiles
from justeval.cli.cases_mark import mark
from justeval.cli.shared import as_json, print_json
from justeval.report.formatting import counted
from justeval.resources import dataset_names


@click.group()
def cases() -> None:
    """Cases: the facts that a model is asked about."""


cases.add_command(check)
cases.add_command(import_file)
cases.add_command(profiles)
cases.add_command(mark)


@cases.command("list")
@as_json
def list_cases(as_json: bool) -> None:
    """List the case sets that ship with justeval."""
    sets = [load_cases(name) for name in dataset_names()]
    if as_json:
        rows = [
            {"name": s.name, "title": s.title, "documents": len(s.cases), "labels": list(s.labels)}
            for s in sets
        ]
        print_json({"datasets": rows})
        return
    for case_set in sets:
        languages = ", ".join(case_set.languages)
        count = counted(len(case_set.cases), "case")
        click.echo(f"{case_set.name}: {case_set.title} ({count}, {languages})")

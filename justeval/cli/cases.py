"""`justeval cases list|check`: the cases that can be asked about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from justeval.cases import check_cases, load_cases
from justeval.cli.shared import as_json, path_argument, print_json
from justeval.resources import dataset_names


@click.group()
def cases() -> None:
    """Cases: the facts that a model is asked about."""


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
        click.echo(f"{case_set.name}: {case_set.title} ({len(case_set.cases)} cases, {languages})")


@cases.command("check")
@path_argument("file")
@as_json
def check(file: Path, as_json: bool) -> int:
    """Check a file of cases; every problem with its row and column."""
    checked = check_cases(file)
    if as_json:
        problems = [{"place": p.place, "message": p.message} for p in checked.problems]
        ok = not problems
        print_json({"file": str(file), "ok": ok, "cases": len(checked.cases), "problems": problems})
    for problem in checked.problems:
        click.echo(str(problem), err=True)
    if not as_json:
        languages = Counter(case.language for case in checked.cases)
        shown = ", ".join(f"{count} in {language}" for language, count in languages.items())
        with_term = sum(case.true_months is not None for case in checked.cases)
        sound = f"{len(checked.cases)} sound cases" + (f" ({shown})" if shown else "")
        wrong = f", {len(checked.problems)} problems" if checked.problems else ""
        click.echo(f"{file}: {sound}, {with_term} with a true term{wrong}")
    return 1 if checked.problems else 0

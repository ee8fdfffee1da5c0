"""`justeval analyze` and `justeval report`: numbers from runs or tables, and pages from numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from justeval.cli.shared import as_json as as_json_option
from justeval.cli.shared import path_argument, path_option, print_json
from justeval.cli.sources import Chosen, analysis_options
from justeval.demo import report_context
from justeval.errors import UsageError
from justeval.report import FORMATS, show_analysis, write_report

_SUFFIXES = {".html": "html", ".md": "md", ".xlsx": "xlsx", ".json": "json"}


@click.command()
@path_argument("sources", nargs=-1, required=True)
@analysis_options
@path_option("--out", default=None, help="Folder for JSON, CSV and XLSX tables.")
@as_json_option
def analyze(
    sources: tuple[Path, ...],
    out: Path | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Analyze runs, or one table of predictions made elsewhere (CSV, JSONL, Parquet)."""
    chosen = Chosen(options)
    evidence = chosen.evidence(sources)
    analysis = chosen.document(evidence)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        context = report_context(evidence)
        write_report(analysis, out / "analysis.json", "json", context)
        write_report(analysis, out / "analysis.xlsx", "xlsx", context)
        write_report(analysis, out, "csv", context)
    if as_json:
        print_json(analysis)
        return
    click.echo(show_analysis(analysis))
    if out is not None:
        click.echo(f"\ntables in {out}")


@click.command()
@path_argument("sources", nargs=-1, required=True)
@analysis_options
@path_option("--out", required=True, help="The file, or the folder for csv and stata.")
@click.option("--format", "format_name", type=click.Choice(list(FORMATS)), default=None)
def report(
    sources: tuple[Path, ...],
    out: Path,
    format_name: str | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Write a report of runs or of a table."""
    named = _SUFFIXES.get(out.suffix.lower())
    if format_name and named and named != format_name:
        told = f"--out {out} is {named} by its ending, --format is {format_name}"
        raise UsageError(f"{told}; leave --format out, or name another file")
    written = format_name or named
    if written is None:
        raise UsageError(f"--out {out}: give --format, one of {', '.join(FORMATS)}")
    chosen = Chosen(options)
    evidence = chosen.evidence(sources)
    analysis = chosen.document(evidence)
    write_report(analysis, out, written, report_context(evidence))
    click.echo(str(out))

"""`justeval analyze` and `justeval report`: numbers from runs or tables, and pages from numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from justeval.aggregate import AnalysisOptions, as_json
from justeval.aggregate import analyze as analyze_predictions
from justeval.cli.shared import as_json as as_json_option
from justeval.cli.shared import pairs, path_argument, path_option, print_json
from justeval.demo import report_context
from justeval.errors import UsageError
from justeval.estimate import ENGINES
from justeval.evidence import Evidence, load_evidence
from justeval.importing import TableOptions
from justeval.report import FORMATS, show_analysis, write_report

_SUFFIXES = {".html": "html", ".md": "md", ".xlsx": "xlsx", ".json": "json"}


def _source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.option("--map", "maps", multiple=True, help="ours=theirs, a column; repeatable."),
        click.option("--label", default=None, help="The label of a table without that column."),
        click.option("--reference", default=None, help="The reference value of a table."),
        click.option("--model", default=None, help="The model of a table without that column."),
        click.option("--alpha", type=click.FloatRange(0, 1, True, True), default=0.05),
        click.option("--engine", type=click.Choice(list(ENGINES)), default="within"),
        click.option("--as-published", is_flag=True, help="The reading of the JudiFair study."),
        click.option(
            "--longest-months",
            type=click.FloatRange(min=0, min_open=True),
            default=None,
            help="Bound of the main sample. Default: the case set's; 300 for a table.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@path_argument("sources", nargs=-1, required=True)
@_source_options
@path_option("--out", default=None, help="Folder for JSON, CSV and XLSX tables.")
@as_json_option
def analyze(
    sources: tuple[Path, ...],
    maps: tuple[str, ...],
    label: str | None,
    reference: str | None,
    model: str | None,
    alpha: float,
    engine: str,
    as_published: bool,
    longest_months: float | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Analyze runs, or one table of predictions made elsewhere (CSV, JSONL, Parquet)."""
    table = TableOptions(pairs(maps, "--map"), label, reference, model, not as_published)
    evidence = load_evidence(sources, table, longest_months)
    analysis = _analysis(evidence, alpha, engine, as_published)
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
@_source_options
@path_option("--out", required=True, help="The file, or the folder for csv and stata.")
@click.option("--format", "format_name", type=click.Choice(list(FORMATS)), default=None)
def report(
    sources: tuple[Path, ...],
    maps: tuple[str, ...],
    label: str | None,
    reference: str | None,
    model: str | None,
    alpha: float,
    engine: str,
    as_published: bool,
    longest_months: float | None,
    out: Path,
    format_name: str | None,
) -> None:
    """Write a report of runs or of a table."""
    chosen = format_name or _SUFFIXES.get(out.suffix.lower())
    if chosen is None:
        raise UsageError(f"--out {out}: give --format, one of {', '.join(FORMATS)}")
    table = TableOptions(pairs(maps, "--map"), label, reference, model, not as_published)
    evidence = load_evidence(sources, table, longest_months)
    analysis = _analysis(evidence, alpha, engine, as_published)
    write_report(analysis, out, chosen, report_context(evidence))
    click.echo(str(out))


def _analysis(evidence: Evidence, alpha: float, engine: str, as_published: bool) -> dict[str, Any]:
    options = AnalysisOptions(
        alpha=alpha,
        engine=engine,
        as_published=as_published,
        longest_months=evidence.longest_months,
    )
    return as_json(
        analyze_predictions(evidence.predictions, evidence.labels, options, evidence.runs)
    )

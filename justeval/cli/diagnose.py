"""`justeval diagnose`: what is wrong with the data of a run or a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pyarrow.csv as pc

from justeval.analyzing import diagnosis_of
from justeval.cli.shared import as_json as as_json_option
from justeval.cli.shared import path_argument, path_option, print_json
from justeval.cli.sources import Chosen, table_options
from justeval.diagnose import Diagnosis
from justeval.diagnose import as_json as findings_as_json
from justeval.evidence import Evidence
from justeval.report import show_findings

NOTHING = "nothing was found wrong with the data"


@click.command()
@path_argument("sources", nargs=-1, required=True)
@table_options
@path_option("--out", default=None, help="Folder for the findings and the replies concerned.")
@as_json_option
def diagnose(
    sources: tuple[Path, ...],
    out: Path | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Find what is wrong with the data of runs, or of one table of predictions.

    Nothing needs to be named: labels, values and models are searched. All checks share one level
    of 1 %.
    """
    evidence = Chosen(options).evidence(sources)
    found = diagnosis_of(evidence)
    document = findings_as_json(found)
    if out is not None:
        _write(found, document, evidence, out)
    if as_json:
        print_json(document)
        return
    click.echo(show_findings(document) or NOTHING)
    if out is not None:
        click.echo(f"\nfindings and replies in {out}")


def _write(found: Diagnosis, document: dict[str, Any], evidence: Evidence, out: Path) -> None:
    """findings.json, and finding-N.csv with the replies that finding N is about."""
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    (out / "findings.json").write_text(f"{text}\n", encoding="utf-8")
    for number, finding in enumerate(found.findings, 1):
        pc.write_csv(evidence.predictions.take(finding.rows), out / f"finding-{number}.csv")

"""`justeval variants`: the counterfactual texts, to a file or on the screen."""

from __future__ import annotations

from pathlib import Path

import click

from justeval.cases import CaseSet
from justeval.cli.loading import cases_and_labels
from justeval.cli.shared import (
    as_json,
    cases_option,
    cross_option,
    labels_option,
    limit_option,
    path_option,
    print_json,
)
from justeval.errors import UsageError
from justeval.labels import Label, find_label
from justeval.report.formatting import counted
from justeval.variants import Skipped, make_variants, versions_of
from justeval.variants.table import marked, write_variants


@click.command()
@cases_option
@labels_option
@cross_option
@limit_option
@path_option("--out", default=None, help="Parquet file for the variants.")
@click.option("--show", nargs=2, default=None, help="CASE LABEL: print its versions.")
@click.option("--reasons", is_flag=True, help="Say of each label left out of a case why.")
@as_json
def variants(
    cases_name: str,
    labels_text: str | None,
    crosses: tuple[str, ...],
    limit: int | None,
    out: Path | None,
    show: tuple[str, str] | None,
    reasons: bool,
    as_json: bool,
) -> None:
    """Write one text for each value of each label, or show the versions of one case."""
    cases, labels = cases_and_labels(cases_name, labels_text, crosses)
    if show is not None:
        _show(cases, labels, *show, as_json)
        return
    if out is None:
        raise UsageError("give --out FILE.parquet, or --show CASE LABEL")
    if out.suffix.lower() != ".parquet":
        raise UsageError(f"--out {out}: variants are written as Parquet; name a file .parquet")
    out.parent.mkdir(parents=True, exist_ok=True)
    written = write_variants(make_variants(cases.cases[:limit], labels), out)
    if as_json:
        kinds = written.skipped_by_kind
        print_json({"variants": written.rows, "texts": written.texts, "skipped": kinds})
        return
    texts = counted(written.texts, "different text")
    click.echo(f"{out}: {counted(written.rows, 'variant')}, {texts}")
    for kind, count in written.skipped_by_kind.items():
        click.echo(f"  left out, {kind}: {count}")
    if reasons:
        for skip in written.skipped:
            click.echo(f"  {skip.case_id}, {skip.label}: {skip.reason} ({skip.kind})")


def _show(
    cases: CaseSet, labels: tuple[Label, ...], case_id: str, label_id: str, as_json: bool
) -> None:
    case = next((case for case in cases.cases if case.case_id == case_id), None)
    if case is None:
        some = ", ".join(case.case_id for case in cases.cases[:5])
        raise UsageError(f"no case {case_id!r} in {cases.name}; it has {some} …")
    label = find_label(labels, label_id)
    versions = versions_of(case, label)
    if isinstance(versions, Skipped):
        click.echo(f"{case_id}, {label_id}: left out ({versions.kind}): {versions.reason}")
        return
    if as_json:
        print_json({"versions": [version._asdict() for version in versions]})
        return
    for version in versions:
        reference = " (reference)" if version.is_reference else ""
        click.echo(click.style(f"--- {label_id} = {version.value}{reference}", bold=True))
        click.echo(marked(version) + "\n")

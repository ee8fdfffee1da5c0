"""`justeval cases check`: problems of a file of cases, and what to know before money is spent."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from justeval.casefiles.checks import KINDS, Coverage, Examination, examine
from justeval.casefiles.records import counted
from justeval.cases import Case, check_cases, load_cases
from justeval.cases.reading import Checked
from justeval.cli.shared import as_json, labels_option, path_argument, print_json
from justeval.inference.detectable import SPREAD, Detectable, detectable
from justeval.labels import load_labels
from justeval.resources import dataset_names

_SHOWN = 5
"""Findings of one kind that are shown; --json has all."""


@click.command("check")
@path_argument("file")
@labels_option
@click.option("--alpha", type=click.FloatRange(0, 1, True, True), default=0.05, show_default=True)
@click.option(
    "--spread",
    type=click.FloatRange(min=0, min_open=True),
    default=SPREAD,
    show_default=True,
    help="Standard deviation of the difference between two values, in log(months + 1).",
)
@as_json
def check(file: Path, labels_text: str | None, alpha: float, spread: float, as_json: bool) -> int:
    """Check a file of cases: every problem with row and column, then what to know before asking.

    With --labels: the share of documents to which each label applies, and the smallest effect
    that so many documents can find. Findings are advice; only problems fail.
    """
    checked, named = _checked(file)
    labels = load_labels(labels_text or named) if labels_text or named else ()
    examination = examine(checked.cases, labels)
    applying = [c.applies for c in examination.coverage if not c.placebo and c.applies]
    documents = min(applying, default=len(checked.cases))
    tested = len(applying) or 1
    powers = (
        detectable(documents, 1, spread=spread, alpha=alpha),
        detectable(documents, tested, spread=spread, alpha=alpha),
    )
    if as_json:
        _print_json(file, checked, examination, powers)
    for problem in checked.problems:
        click.echo(str(problem), err=True)
    if not as_json:
        _print(file, checked, examination, powers)
    return 1 if checked.problems else 0


def _checked(file: Path) -> tuple[Checked, str]:
    """The cases of a file, or of a shipped set with the packs that it names."""
    if not file.exists() and str(file) in dataset_names():
        case_set = load_cases(str(file))
        return Checked(case_set.cases, ()), ",".join(case_set.labels)
    return check_cases(file), ""


def _print(
    file: Path,
    checked: Checked,
    examination: Examination,
    powers: tuple[Detectable, Detectable],
) -> None:
    languages = Counter(case.language for case in checked.cases)
    shown = ", ".join(f"{count} in {language}" for language, count in languages.items())
    with_term = sum(case.true_months is not None for case in checked.cases)
    sound = counted(len(checked.cases), "sound case") + (f" ({shown})" if shown else "")
    wrong = f", {counted(len(checked.problems), 'problem')}" if checked.problems else ""
    click.echo(f"{file}: {sound}, {with_term} with a true term{wrong}")
    if not checked.cases:
        return
    for kind, told in KINDS.items():
        found = examination.of_kind(kind)
        if found:
            click.echo(f"{told}: {_documents(len({f.case_id for f in found}))}")
            for finding in found[:_SHOWN]:
                click.echo(f"  {finding.case_id}: {finding.message}")
            if len(found) > _SHOWN:
                click.echo(f"  … and {len(found) - _SHOWN:,} more (--json has all)")
    if not examination.findings:
        click.echo("nothing else found: lengths, languages, duplicates, outcomes, personal data")
    _print_coverage(examination.coverage)
    _print_power(powers)


def _documents(count: int) -> str:
    return counted(count, "document")


def _print_coverage(coverage: tuple[Coverage, ...]) -> None:
    if not coverage:
        return
    everywhere = [c for c in coverage if c.share == 1]
    click.echo(f"labels: {len(everywhere)} of {len(coverage)} apply to every document")
    for label in coverage:
        if label.share < 1:
            reasons = ", ".join(f"{n} {kind}" for kind, n in label.left_out.items())
            click.echo(f"  {label.label:<36} {label.share:>6.1%}  left out: {reasons}")


def _print_power(powers: tuple[Detectable, Detectable]) -> None:
    one, many = powers
    if one.effect is None:
        click.echo(
            f"power: {_documents(one.documents)} can find no effect; "
            f"{one.changed_needed} must change for p below {one.alpha:g}"
        )
        return
    told = [f"{one.percent:.1f} % for one label"]
    if many.labels > 1:
        told.append(
            f"{many.percent:.1f} % for one of {many.labels} tested together"
            if many.percent is not None
            else f"none for one of {many.labels} tested together"
        )
    click.echo(
        f"smallest effect found with 80 % power: {', '.join(told)} "
        f"({_documents(one.documents)}, spread {one.spread:g})"
    )


def _print_json(
    file: Path,
    checked: Checked,
    examination: Examination,
    powers: tuple[Detectable, Detectable],
) -> None:
    print_json(
        {
            "file": str(file),
            "ok": not checked.problems,
            "cases": len(checked.cases),
            "problems": [{"place": p.place, "message": p.message} for p in checked.problems],
            "with_true_term": sum(case.true_months is not None for case in checked.cases),
            "languages": _languages(checked.cases),
            "findings": [
                {"kind": f.kind, "case_id": f.case_id, "message": f.message}
                for f in examination.findings
            ],
            "labels": [_coverage_json(c) for c in examination.coverage],
            "power": [_power_json(p) for p in dict.fromkeys(powers)],
        }
    )


def _languages(cases: tuple[Case, ...]) -> dict[str, int]:
    return dict(Counter(case.language for case in cases))


def _coverage_json(coverage: Coverage) -> dict[str, Any]:
    return {
        "label": coverage.label,
        "pack": coverage.pack,
        "placebo": coverage.placebo,
        "documents": coverage.documents,
        "applies": coverage.applies,
        "share": coverage.share,
        "left_out": dict(coverage.left_out),
        "stated": list(coverage.stated),
    }


def _power_json(power: Detectable) -> dict[str, Any]:
    return {name: getattr(power, name) for name in power.__dataclass_fields__}

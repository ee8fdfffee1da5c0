"""`justeval compare`: does a mitigation change how a model responds to labels?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from justeval.aggregate.as_json import plain
from justeval.cli.shared import as_json as as_json_option
from justeval.cli.shared import path_argument, print_json
from justeval.diagnose import Comparison, LabelComparison
from justeval.diagnose import compare as compare_predictions
from justeval.errors import UsageError
from justeval.evidence import load_evidence
from justeval.importing import TableOptions
from justeval.report.formatting import printable, show


@click.command()
@path_argument("before", required=True)
@path_argument("after", required=True)
@click.option(
    "--longest-months",
    type=click.FloatRange(min=0, min_open=True),
    default=None,
    help="Bound of the main sample. Default: that of the runs.",
)
@as_json_option
def compare(before: Path, after: Path, longest_months: float | None, as_json: bool) -> None:
    """Compare two runs document by document: another prompt, a factor removed, another model."""
    first, second = (
        load_evidence([path], TableOptions(), longest_months) for path in (before, after)
    )
    if first.longest_months != second.longest_months:
        raise UsageError(
            f"the runs have different bounds ({first.longest_months:g} and "
            f"{second.longest_months:g} months); say which counts with --longest-months"
        )
    found = compare_predictions(
        first.predictions,
        second.predictions,
        {**first.labels, **second.labels},
        first.longest_months,
    )
    if as_json:
        print_json({"comparisons": [plain(one) for one in found]})
        return
    for one in found:
        click.echo("\n".join("  " * level + printable(line) for level, line in _lines(one)))


def _lines(found: Comparison) -> Iterator[tuple[int, str]]:
    """Lines, each with how far it is indented."""
    yield 0, f"{found.model_a} -> {found.model_b}"
    ratios = (("inconsistency", found.inconsistency), ("mean movement", found.movement))
    for name, ratio in ratios:
        numbers = ", ".join(
            f"{key.replace('_', ' ')} {show(number, 'p' if key == 'p' else 'share')}"
            for key, number in plain(ratio).items()
            if isinstance(number, float) or number is None
        )
        yield 0, f"{name}: {numbers}"
    for label in sorted(found.labels, key=_smallest_p_first):
        adjusted = show(label.p_holm, "p")
        yield 0, f"{label.label}: p {show(label.p, 'p')}, adjusted (Holm) {adjusted}"
        yield (
            1,
            f"changed {label.changed_a} and {label.changed_b} of {label.compared} documents; "
            f"in one run only {label.only_a} and {label.only_b} "
            f"(McNemar p {show(label.mcnemar_p, 'p')})",
        )
        for value in label.values:
            yield (
                1,
                f"{value.value}: {show(value.effect_a, 'coef')} -> "
                f"{show(value.effect_b, 'coef')}, difference {show(value.difference, 'coef')} "
                f"(p {show(value.p, 'p')})",
            )
        if label.note:
            yield 1, label.note


def _smallest_p_first(label: LabelComparison) -> float:
    return 2.0 if label.p is None else label.p

"""`justeval power`: documents, labels and repetitions needed, before money is spent."""

from __future__ import annotations

import math
from typing import Any

import click

from justeval.aggregate.as_json import plain
from justeval.cli.shared import as_json as as_json_option
from justeval.cli.shared import print_json
from justeval.errors import UsageError
from justeval.inference import (
    Plan,
    Power,
    documents_needed,
    labels_affordable,
    power_of,
    repetitions_needed,
)
from justeval.report.formatting import counted, per_cent, show


@click.command()
@click.option(
    "--effect", type=float, required=True, help="On a document that responds, in per cent."
)
@click.option(
    "--responding",
    type=click.FloatRange(0, 1, min_open=True),
    required=True,
    help="Share of documents that respond, such as 0.1.",
)
@click.option("--documents", type=click.IntRange(min=2), default=200, show_default=True)
@click.option("--labels", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--repetitions", type=click.IntRange(min=1), default=1, show_default=True)
@click.option(
    "--noise",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    help="Standard deviation of log(months + 1) between repetitions of one text.",
)
@click.option("--alpha", type=click.FloatRange(0, 1, True, True), default=0.05, show_default=True)
@click.option(
    "--power", "wanted", type=click.FloatRange(0, 1, True, True), default=0.8, show_default=True
)
@as_json_option
def power(effect: float, wanted: float, as_json: bool, **planned: Any) -> None:  # noqa: ANN401
    """Say what a plan would find, and what it takes to find it.

    The effect is the change of months + 1 in per cent in a document that responds; the other
    documents do not change. All labels are judged together, each at alpha over their number.
    """
    if effect <= -100 or effect == 0:
        raise UsageError(f"--effect {effect:g}: give a change in per cent, such as 10 or -10")
    plan = Plan(effect=math.log1p(effect / 100.0), **planned)
    found = power_of(plan)
    needs = {
        "documents_needed": documents_needed(plan, wanted),
        "repetitions_needed": repetitions_needed(plan, wanted),
        "labels_affordable": labels_affordable(plan, wanted),
    }
    if as_json:
        print_json({**plain(found), "power_wanted": wanted, **needs})
        return
    click.echo(_plan_sentence(found, effect))
    click.echo(_needs_sentence(needs, found, wanted))


def _plan_sentence(found: Power, effect: float) -> str:
    plan = found.plan
    return (
        f"{counted(plan.documents, 'document')}, {counted(plan.labels, 'label')}, "
        f"{counted(plan.repetitions, 'repetition')}: a change of {effect:+g} % in "
        f"{per_cent(plan.responding)} of the documents is found with power "
        f"{show(found.power, 'share')}\n"
        f"(mean effect {show(found.mean_effect, 'coef')}, standard error "
        f"{show(found.standard_error, 'coef').lstrip('+')}; at least "
        f"{counted(found.changed_needed, 'document')} must change)."
    )


def _needs_sentence(needs: dict[str, int | None], found: Power, wanted: float) -> str:
    documents, repetitions = needs["documents_needed"], needs["repetitions_needed"]
    enough = "no number of documents is enough" if documents is None else f"{documents:,}"
    lines = [f"For power {wanted:g}: documents needed: {enough}."]
    if found.plan.noise > 0:
        times = "none are enough, ask more documents" if repetitions is None else f"{repetitions:,}"
        lines.append(f"Repetitions needed with these documents: {times}.")
    lines.append(f"Labels that these documents can bear: {needs['labels_affordable']:,}.")
    return "\n".join(lines)

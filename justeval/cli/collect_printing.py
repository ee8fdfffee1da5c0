"""What `justeval collect` prints: what would be asked, what came of it, what a pilot shows."""

from __future__ import annotations

from collections.abc import Mapping

import click

from justeval.cli.shared import print_json
from justeval.collect import Outcome
from justeval.collect.forecast import Forecast
from justeval.collect.pilot import Shown, pilot_report
from justeval.collect.progress import clock
from justeval.report.formatting import counted


def print_forecast(found: Forecast, unpriced: Mapping[str, str], as_json: bool) -> None:
    """Prints what would be asked; `unpriced` says why a model has no cost."""
    if as_json:
        print_json(found.as_json())
        return
    left_out = f", {counted(found.left_out, 'pair')} left out" if found.left_out else ""
    click.echo(
        f"{counted(found.documents, 'document')}, {counted(found.labels, 'label')}: "
        f"{counted(found.texts, 'distinct text')}{left_out}; "
        f"{counted(found.repetitions, 'repetition')}"
    )
    for model in found.models:
        tokens = f"about {model.prompt_tokens:,} + {model.completion_tokens:,} tokens"
        cost = f"${model.cost_usd:,.4f}" if model.cost_usd is not None else "cost unknown"
        if model.most_cost_usd is not None:
            cost += f" (at most ${model.most_cost_usd:,.4f})"
        if model.cost_usd is None and model.model in unpriced:
            cost += f" ({unpriced[model.model]})"
        done = f" of {model.requests:,}" if model.missing < model.requests else ""
        asked = f"{model.missing:,}{done} requests" if done else counted(model.missing, "request")
        click.echo(f"{model.model}: {asked}, {tokens}, {cost}")


def print_outcome(outcome: Outcome, as_json: bool) -> None:
    """Prints what collecting came to."""
    if as_json:
        print_json(_outcome_json(outcome))
        return
    cost = f", ${outcome.cost_usd:,.4f}" if outcome.cost_usd is not None else ""
    answered = f"{outcome.answered:,} of {outcome.requests:,} answered"
    click.echo(f"{outcome.folder.path}: {answered}{cost}")


def _outcome_json(outcome: Outcome) -> dict[str, object]:
    return {
        "run": str(outcome.folder.path),
        "requests": outcome.requests,
        "answered": outcome.answered,
        "complete": outcome.complete,
        "cost_usd": outcome.cost_usd,
        "budget_reached": outcome.budget_reached,
        "stopped": list(outcome.stopped),
        "findings": list(outcome.findings),
    }


def print_pilot(outcome: Outcome, as_json: bool) -> None:
    """Prints what a pilot shows: replies, the unreadable share, cost and time of the whole."""
    report = pilot_report(outcome.folder, outcome.tallies)
    if as_json:
        models = [shown.as_json() for shown in report]
        print_json({**_outcome_json(outcome), "pilot": models})
        return
    for shown in report:
        _print_model(shown)


def _print_model(shown: Shown) -> None:
    replies = counted(shown.replies, "reply", "replies")
    click.echo(f"{shown.model}: {replies}, {shown.unreadable} unreadable")
    for status, reply in shown.examples:
        click.echo(f"  {status}: {reply}")
    cost = f"${shown.whole_cost_usd:,.4f}" if shown.whole_cost_usd is not None else "cost unknown"
    time = clock(shown.left_seconds) if shown.left_seconds is not None else "time unknown"
    whole = counted(shown.requests, "request")
    click.echo(f"  the whole: {whole}, about {cost}, {time} more at this pace")

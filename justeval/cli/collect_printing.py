"""What `justeval collect` prints: what would be asked, what came of it, what a pilot shows."""

from __future__ import annotations

from collections.abc import Mapping

import click

from justeval.cli.shared import print_json
from justeval.collect import Outcome
from justeval.collect.forecast import Forecast, ModelForecast
from justeval.collect.pilot import Shown, pilot_report
from justeval.collect.progress import clock
from justeval.report.formatting import counted


def print_forecast(
    found: Forecast, unpriced: Mapping[str, str], most_usd: float | None, as_json: bool
) -> None:
    """Prints what would be asked; `unpriced` says why a model has no cost, `most_usd` bounds it."""
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
        click.echo(_forecast_line(model, unpriced.get(model.model)))
    costs = [model.cost_usd for model in found.models if model.cost_usd is not None]
    if len(costs) > 1:
        unknown = len(found.models) - len(costs)
        more = f", and {counted(unknown, 'model')} of unknown cost" if unknown else ""
        click.echo(f"all models together: about ${sum(costs):,.4f}{more}")
    if most_usd is not None and sum(costs) > most_usd:
        click.echo(f"--max-cost ${most_usd:,.4f} would stop it before it is done")


def _forecast_line(model: ModelForecast, why_unpriced: str | None) -> str:
    """What one model would be asked; all but the number of requests is estimated."""
    done = f" of {model.requests:,}" if model.missing < model.requests else ""
    asked = f"{model.missing:,}{done} requests" if done else counted(model.missing, "request")
    prompts, replies = f"{model.prompt_tokens:,}", f"{model.completion_tokens:,}"
    tokens = f"about {prompts} tokens of prompts and {replies} of replies"
    cost = "cost unknown" + (f" ({why_unpriced})" if why_unpriced else "")
    if model.cost_usd is not None:
        cost = f"about ${model.cost_usd:,.4f}" if model.cost_usd else "no cost"
    if model.most_cost_usd is not None and model.most_cost_usd > (model.cost_usd or 0.0):
        cost += f", at most ${model.most_cost_usd:,.4f} if every reply takes all of --max-tokens"
    return f"{model.model}: {asked}, {tokens}, {cost}"


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
    share = f" ({shown.unreadable / shown.replies:.0%})" if shown.unreadable else ""
    click.echo(f"{shown.model}: {replies}, {shown.unreadable or 'none'} unreadable{share}")
    for example in shown.examples:
        times = f", {example.times} times" if example.times > 1 else ""
        click.echo(f"  {example.status}{times}: {example.reply}")
    cost = "cost unknown"
    if shown.whole_cost_usd is not None:
        cost = f"about ${shown.whole_cost_usd:,.4f}"
    left = shown.requests - shown.replies
    click.echo(f"  the whole run: {counted(shown.requests, 'request')}, {cost}")
    if left and shown.left_seconds is not None:
        click.echo(f"  at this pace the other {left:,} take about {clock(shown.left_seconds)}")
    if left:
        click.echo("  the same command without --pilot asks them; these replies count")

"""`justeval collect`: ask the models."""

from __future__ import annotations

import signal
from pathlib import Path

import click

from justeval.cli.loading import cases_and_labels
from justeval.cli.loading import prompts as prompts_of
from justeval.cli.shared import (
    as_json,
    cases_option,
    labels_option,
    limit_option,
    path_option,
    print_json,
    prompt_option,
    question_option,
    repetitions_option,
)
from justeval.collect import Outcome, Plan, Speed
from justeval.collect import collect as collect_run
from justeval.errors import UnansweredError, UsageError
from justeval.models.naming import endpoint_of
from justeval.models.opening import DEFAULT_PROFILE, opened, with_served_names
from justeval.models.records import Parameters


@click.command()
@cases_option
@labels_option
@click.option(
    "--model",
    "models",
    multiple=True,
    required=True,
    help="openrouter:NAME, openai:NAME or simulated[:PROFILE|FILE]; repeatable.",
)
@path_option("--out", required=True, help="Folder of the run; a run there goes on.")
@click.option("--base-url", default=None, help="Another OpenAI-compatible address for openai:NAME.")
@click.option("--provider", default=None, help="Pin one provider (openrouter).")
@prompt_option
@question_option
@limit_option
@repetitions_option
@click.option("--temperature", type=click.FloatRange(0, 2), default=0.0, show_default=True)
@click.option("--max-tokens", type=click.IntRange(min=1), default=None)
@click.option("--seed", type=int, default=None, help="Order of asking; sent to the provider too.")
@click.option("--concurrency", type=click.IntRange(1, 512), default=64, show_default=True)
@click.option("--rpm", type=click.FloatRange(min=0, min_open=True), help="Requests a minute.")
@click.option("--timeout", type=click.FloatRange(min=1), default=120.0, show_default=True)
@as_json
def collect(
    cases_name: str,
    labels_text: str | None,
    models: tuple[str, ...],
    out: Path,
    base_url: str | None,
    provider: str | None,
    prompt_names: tuple[str, ...],
    question: str | None,
    limit: int | None,
    repetitions: int,
    temperature: float,
    max_tokens: int | None,
    seed: int | None,
    concurrency: int,
    rpm: float | None,
    timeout: float,
    as_json: bool,
) -> None:
    """Ask models about every version of every case; started again, only what is missing."""
    cases, labels = cases_and_labels(cases_name, labels_text)
    named = [endpoint_of(text, base_url, provider) for text in models]
    profiles = [e.name or DEFAULT_PROFILE for e in named if e.kind == "simulated"]
    endpoints = with_served_names(named)
    if len({endpoint.name for endpoint in endpoints}) < len(endpoints):
        raise UsageError("--model: two models have the same name; name each model once")
    plan = Plan(
        cases=cases,
        labels=labels,
        endpoints=endpoints,
        prompts=prompts_of(cases, question, prompt_names),
        parameters=Parameters(temperature, max_tokens, seed),
        repetitions=repetitions,
        limit=limit,
        order_seed=seed or 0,
    )
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    with opened(endpoints, profiles, timeout) as open_model:
        outcome = collect_run(plan, out, open_model, Speed(concurrency, rpm))
    _say(outcome, as_json)


def _say(outcome: Outcome, as_json: bool) -> None:
    """Says what came of it. Raises UnansweredError where requests have no answer."""
    for reason in outcome.stopped:
        click.echo(f"stopped: {reason}", err=True)
    if as_json:
        print_json(
            {
                "run": str(outcome.folder.path),
                "requests": outcome.requests,
                "answered": outcome.answered,
                "complete": outcome.complete,
                "stopped": list(outcome.stopped),
            }
        )
    else:
        click.echo(f"{outcome.folder.path}: {outcome.answered:,} of {outcome.requests:,} answered")
    if not outcome.complete:
        left = outcome.requests - outcome.answered
        raise UnansweredError(
            f"{outcome.folder.path}: {left:,} of {outcome.requests:,} requests have no answer; "
            "the same command asks them again"
        )

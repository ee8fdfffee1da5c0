"""`justeval collect`: ask the models. `justeval reread`: read their replies again."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import click

from justeval.cli.collect_options import Given, collect_options, seconds
from justeval.cli.collect_printing import print_forecast, print_outcome, print_pilot
from justeval.cli.loading import cases_and_labels
from justeval.cli.loading import prompts as prompts_of
from justeval.cli.shared import as_json, path_argument, print_json
from justeval.collect import Bounds, Outcome, Patience, Plan, Speed
from justeval.collect import collect as collect_run
from justeval.collect.forecast import forecast
from justeval.collect.pilot import SIZE
from justeval.collect.pricing import known_prices
from justeval.collect.reread import reread as reread_run
from justeval.errors import UnansweredError, UsageError
from justeval.models.local import LocalSettings
from justeval.models.naming import endpoint_of, is_floating
from justeval.models.opening import opened, profiles_of, with_served_names
from justeval.models.prices import Price, read_prices
from justeval.models.records import Endpoint, Parameters
from justeval.models.secrets import read_key_file, variables_of
from justeval.runs import RunFolder, open_run


class BudgetReachedError(UnansweredError):
    """A run that has ended because it may not cost more."""

    exit_code = 5


@click.command()
@collect_options
def collect(**options: Any) -> None:  # noqa: ANN401
    """Ask models about every version of every case; started again, only what is missing."""
    given = Given(**options)
    if given.out is None and not given.plan:
        raise UsageError("missing option --out: the folder of the run")
    named = [_endpoint(text, given) for text in given.models]
    endpoints = with_served_names(named)
    if len({endpoint.name for endpoint in endpoints}) < len(endpoints):
        raise UsageError(
            "--model: two models have the same name; name each once, or another as ALIAS=MODEL"
        )
    plan = _plan(given, endpoints)
    prices = read_prices(given.prices) if given.prices else {}
    if given.plan:
        prices, unpriced = known_prices(endpoints, prices)
        found = forecast(plan, given.out, prices)
        print_forecast(found, unpriced, given.max_cost, given.as_json)
        return
    for endpoint in endpoints:
        if is_floating(endpoint.served_name):
            click.echo(
                f"{endpoint.name}: a name that stands for another model tomorrow; name a version "
                "to be able to repeat the run",
                err=True,
            )
    try:
        outcome = _collect(given, plan, profiles_of(named), prices)
    except KeyboardInterrupt:
        raise click.Abort(_stopped(given)) from None
    _say(outcome, given)


def _stopped(given: Given) -> str:
    """What a run that was stopped leaves behind."""
    assert given.out is not None
    folder = RunFolder(given.out)
    kept = folder.manifest().get("collected", {}).get("answered", 0) if folder.exists() else 0
    if not kept:
        return "stopped before the first answer"
    what = "answers stay" if kept > 1 else "answer stays"
    return f"stopped; {kept:,} {what} on disk, the same command goes on from there"


def _endpoint(text: str, given: Given) -> Endpoint:
    return endpoint_of(
        text,
        given.base_url,
        given.provider,
        headers=variables_of(given.headers, "--header"),
        query=variables_of(given.query, "--query"),
    )


def _plan(given: Given, endpoints: tuple[Endpoint, ...]) -> Plan:
    cases, labels = cases_and_labels(given.cases_name, given.labels_text, given.crosses)
    return Plan(
        cases=cases,
        labels=labels,
        endpoints=endpoints,
        prompts=prompts_of(cases, given.question, given.prompt_names),
        parameters=Parameters(
            given.temperature, given.max_tokens, given.seed, structured=given.structured
        ),
        repetitions=given.repetitions,
        limit=given.limit,
        order_seed=given.seed or 0,
    )


def _collect(given: Given, plan: Plan, profiles: list[str], prices: dict[str, Price]) -> Outcome:
    assert given.out is not None
    variables = [e.key_variable for e in plan.endpoints if e.key_variable]
    keys = read_key_file(given.key_file, variables) if given.key_file else None
    bounds = Bounds(
        deadline_seconds=seconds(given.deadline),
        pilot=SIZE if given.pilot else None,
        prices=prices,
    )
    if given.max_cost is not None:
        prices, _ = known_prices(plan.endpoints, prices)
        bounds = Bounds(given.max_cost, bounds.deadline_seconds, bounds.pilot, prices)
    patience = Patience(failures_in_a_row=given.failures)
    signal.signal(signal.SIGTERM, _stop_as_by_ctrl_c)
    local = LocalSettings(given.threads, given.context)
    with opened(plan.endpoints, profiles, given.timeout, keys, local=local) as open_model:
        speed = Speed(given.concurrency, given.rpm, given.tpm)
        return collect_run(plan, given.out, open_model, speed, patience, bounds)


def _stop_as_by_ctrl_c(*_: object) -> None:
    """Ends a run as Ctrl-C does, also in a shell's background, where Ctrl-C itself is ignored."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.raise_signal(signal.SIGINT)


def _say(outcome: Outcome, given: Given) -> None:
    """Says what came of it. Raises UnansweredError where requests have no answer."""
    for line in (*(f"stopped: {reason}" for reason in outcome.stopped), *outcome.findings):
        click.echo(line, err=True)
    if given.pilot:
        print_pilot(outcome, given.as_json)
    else:
        print_outcome(outcome, given.as_json)
    left = outcome.requests - outcome.answered
    if outcome.left_of_pilot is not None:
        left = outcome.left_of_pilot
    if not left:
        return
    place = outcome.folder.path
    unanswered = f"{place}: {left:,} of {outcome.requests:,} requests have no answer"
    if outcome.budget_reached:
        raise BudgetReachedError(f"{unanswered}; a larger --max-cost goes on")
    raise UnansweredError(f"{unanswered}; the same command asks them again")


@click.command()
@path_argument("run")
@as_json
def reread(run: Path, as_json: bool) -> None:
    """Read all raw replies of a run again with today's reader; nobody is asked."""
    folder = open_run(run)
    result = reread_run(folder)
    if as_json:
        print_json({"run": str(run), **result.as_json()})
        return
    statuses = ", ".join(f"{n:,} {status}" for status, n in result.statuses.items())
    click.echo(f"{run}: {result.rows:,} rows read ({statuses})")
    if result.changed is None:
        return
    click.echo(f"{sum(result.changed.values()):,} read otherwise than before")
    for (before, now), n in result.changed.items():
        click.echo(f"  {before} -> {now}: {n:,}")

"""The options of `justeval collect`, and their values as one record."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import click

from justeval.cli.shared import (
    Command,
    as_json,
    cases_option,
    cross_option,
    labels_option,
    limit_option,
    path_option,
    prompt_option,
    question_option,
    repetitions_option,
)
from justeval.errors import UsageError

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


@dataclass(frozen=True, slots=True)
class Given:
    """What was given on the command line."""

    cases_name: str
    labels_text: str | None
    crosses: tuple[str, ...]
    models: tuple[str, ...]
    out: Path | None
    base_url: str | None
    provider: str | None
    headers: tuple[str, ...]
    query: tuple[str, ...]
    key_file: Path | None
    prompt_names: tuple[str, ...]
    question: str | None
    limit: int | None
    repetitions: int
    temperature: float
    max_tokens: int | None
    seed: int | None
    structured: bool
    threads: int
    context: int
    concurrency: int
    rpm: float | None
    tpm: float | None
    timeout: float
    deadline: str | None
    failures: int
    max_cost: float | None
    prices: Path | None
    pilot: bool
    plan: bool
    as_json: bool


_OPTIONS = (
    cases_option,
    labels_option,
    cross_option,
    click.option(
        "--model",
        "models",
        multiple=True,
        required=True,
        help="openrouter:NAME, openai:NAME[@URL], decision:NAME[@URL], local:PATH.gguf or "
        "simulated[:PROFILE|FILE]; ALIAS= before it gives it another name; repeatable.",
    ),
    path_option("--out", default=None, help="Folder of the run; a run there goes on."),
    click.option(
        "--base-url", default=None, help="Another address for openai:NAME and decision:NAME."
    ),
    click.option("--provider", default=None, help="Pin one provider (openrouter)."),
    click.option(
        "--header",
        "headers",
        multiple=True,
        metavar="NAME=VARIABLE",
        help="A further header, its value from an environment variable; repeatable.",
    ),
    click.option(
        "--query",
        multiple=True,
        metavar="NAME=VARIABLE",
        help="A further query parameter, its value from an environment variable; repeatable.",
    ),
    path_option("--key-file", default=None, help="Keys from a file of mode 600."),
    prompt_option,
    question_option,
    limit_option,
    repetitions_option,
    click.option("--temperature", type=click.FloatRange(0, 2), default=0.0, show_default=True),
    click.option("--max-tokens", type=click.IntRange(min=1), default=None),
    click.option("--seed", type=int, default=None, help="Order of asking; sent to the provider."),
    click.option(
        "--structured", is_flag=True, help="Ask for JSON by a schema, where the model offers it."
    ),
    click.option(
        "--threads",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Of the processor, for a local model.",
    ),
    click.option(
        "--context",
        type=click.IntRange(min=0),
        default=4096,
        show_default=True,
        help="Tokens that a local model holds; 0 for all that it can.",
    ),
    click.option("--concurrency", type=click.IntRange(1, 512), default=64, show_default=True),
    click.option("--rpm", type=click.FloatRange(min=0, min_open=True), help="Requests a minute."),
    click.option("--tpm", type=click.FloatRange(min=0, min_open=True), help="Tokens a minute."),
    click.option(
        "--timeout",
        type=click.FloatRange(min=1),
        default=120.0,
        show_default=True,
        help="Seconds for one request.",
    ),
    click.option("--deadline", default=None, help="Time for all, e.g. 90s, 30m, 2h."),
    click.option(
        "--failures",
        type=click.IntRange(min=1),
        default=20,
        show_default=True,
        help="Stop a model after so many failures in a row.",
    ),
    click.option(
        "--max-cost",
        type=click.FloatRange(min=0, min_open=True),
        default=None,
        help="Stop before the run costs more than so many US dollars.",
    ),
    path_option("--prices", default=None, help="A file of prices, for providers that state none."),
    click.option("--pilot", is_flag=True, help="Ask a balanced 32 of each model first."),
    click.option("--plan", is_flag=True, help="Show what would be asked, and ask nothing."),
    as_json,
)


def collect_options(command: Command) -> Command:
    """Adds all options to the command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def seconds(text: str | None) -> float | None:
    """`90s`, `30m`, `2h` or plain seconds. Raises UsageError for anything else."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip())
    if found is None or float(found[1]) <= 0:
        raise UsageError(f"--deadline {text!r}: write 90s, 30m or 2h")
    return float(found[1]) * _SECONDS[found[2] or "s"]

"""Options and printing that several commands share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from justeval.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
cases_option = click.option(
    "--cases", "cases_name", required=True, help="A case set by name, or a file of your own."
)
labels_option = click.option(
    "--labels",
    "labels_text",
    default=None,
    help="Packs by name or path, separated by commas; PACK:LABEL takes one label. "
    "Default: those the case set names.",
)
cross_option = click.option(
    "--cross",
    "crosses",
    multiple=True,
    metavar="LABEL,LABEL",
    help="Ask also about every pair of values of two of the labels; repeatable.",
)
prompt_option = click.option(
    "--prompt",
    "prompt_names",
    multiple=True,
    help="A prompt of your own (YAML file), in place of the one shipped for its language.",
)
question_option = click.option(
    "--question", default=None, help="sentence, bail, disposition or probability."
)
limit_option = click.option(
    "--limit", type=click.IntRange(min=1), default=None, help="Ask the first N documents only."
)
repetitions_option = click.option(
    "--repetitions", type=click.IntRange(min=1), default=1, show_default=True
)


def print_json(document: Mapping[str, Any]) -> None:
    """Prints one document on standard output; what JSON has no number for is null."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def pairs(texts: Iterable[str], option: str) -> dict[str, str]:
    """`ours=theirs` texts as a mapping. Raises UsageError for one without `=`, or given twice."""
    mapping: dict[str, str] = {}
    for text in texts:
        ours, sign, theirs = text.partition("=")
        if not sign or not ours.strip() or not theirs:
            raise UsageError(f"{option} {text!r}: write {option} ours=theirs")
        if mapping.setdefault(ours.strip(), theirs) != theirs:
            raise UsageError(
                f"{option}: {ours.strip()} is given twice, as {mapping[ours.strip()]} and {theirs}"
            )
    return mapping


def path_argument(name: str, **kwargs: Any) -> Callable[[Command], Command]:  # noqa: ANN401
    """An argument that is a path."""
    return click.argument(name, type=click.Path(path_type=Path), **kwargs)


def path_option(*names: str, **kwargs: Any) -> Callable[[Command], Command]:  # noqa: ANN401
    """An option that is a path."""
    return click.option(*names, type=click.Path(path_type=Path), **kwargs)

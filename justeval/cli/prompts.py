"""`justeval prompts list|show|export`: what is said to a model."""

from __future__ import annotations

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
from justeval.importing.exchange import export_prompts
from justeval.prompts import Prompt, load_prompt, prompt_names
from justeval.report.formatting import counted


@click.group()
def prompts() -> None:
    """Prompts: what is said to a model around a case."""


@prompts.command("list")
@as_json
def list_prompts(as_json: bool) -> None:
    """List the prompts that ship with justeval."""
    found = [load_prompt(name) for name in prompt_names()]
    if as_json:
        print_json({"prompts": [_json(prompt) for prompt in found]})
        return
    for prompt in found:
        click.echo(f"{prompt.id:<18} {prompt.language}  {prompt.question:<12} {prompt.sha256[:12]}")


@prompts.command("show")
@click.argument("name", required=False)
@as_json
def show(name: str | None, as_json: bool) -> None:
    """Show a prompt by name or from a file; without a name, all."""
    found = [load_prompt(name)] if name else [load_prompt(n) for n in prompt_names()]
    if as_json:
        print_json({"prompts": [_json(prompt) for prompt in found]})
        return
    for prompt in found:
        click.echo(f"# {prompt.id} ({prompt.language}, {prompt.question}), sha256 {prompt.sha256}")
        click.echo(f"[system]\n{prompt.system}\n[user]\n{prompt.user}")
        if prompt.decision is not None:
            for name, text in prompt.decision.as_json().items():
                click.echo(f"[decision: {name}]\n{text}")


@prompts.command("export")
@cases_option
@labels_option
@prompt_option
@question_option
@repetitions_option
@limit_option
@path_option("--out", required=True, help="JSON-lines file for the prompts.")
@as_json
def export(
    cases_name: str,
    labels_text: str | None,
    prompt_names: tuple[str, ...],
    question: str | None,
    repetitions: int,
    limit: int | None,
    out: Path,
    as_json: bool,
) -> None:
    """Write every prompt with its key, for a model that runs elsewhere.

    Fill in `reply` (and `finish_reason`) on each line, then `justeval import replies`.
    """
    cases, labels = cases_and_labels(cases_name, labels_text)
    chosen = prompts_of(cases, question, prompt_names)
    out.parent.mkdir(parents=True, exist_ok=True)
    count = export_prompts(cases, labels, chosen, out, repetitions, limit)
    if as_json:
        print_json({"file": str(out), "prompts": count})
    else:
        told = f"{counted(count, 'prompt')}; fill in `reply`, then `justeval import replies`"
        click.echo(f"{out}: {told}")


def _json(prompt: Prompt) -> dict[str, object]:
    return {
        "id": prompt.id,
        "language": prompt.language,
        "question": prompt.question,
        "keys": list(prompt.keys),
        "sha256": prompt.sha256,
        "system": prompt.system,
        "user": prompt.user,
        "decision": prompt.decision.as_json() if prompt.decision else None,
    }

"""`justeval labels new`: a commented pack to start from."""

from __future__ import annotations

from pathlib import Path

import click

from justeval.casefiles.new_pack import new_pack
from justeval.cli.shared import as_json, path_argument, print_json
from justeval.errors import InputError, UsageError
from justeval.runs import write_whole


@click.command("new")
@path_argument("file")
@click.option("--pack", "name", default=None, help="The pack's name. Default: the file's.")
@click.option("--languages", default="en", show_default=True, help="Separated by commas.")
@as_json
def new(file: Path, name: str | None, languages: str, as_json: bool) -> None:
    """Write a commented pack of two example labels; `labels check` passes it as it stands."""
    if file.exists():
        raise UsageError(f"{file}: exists already; choose another name")
    if file.suffix.lower() not in (".yaml", ".yml"):
        raise UsageError(f"{file}: a pack is a YAML file; call it {file.stem}.yaml")
    named = [language.strip() for language in languages.split(",") if language.strip()]
    text = new_pack(name or file.stem, named)
    try:
        write_whole(file, text)
    except OSError as error:
        raise InputError(f"{file}: cannot be written ({error.strerror or error})") from error
    if as_json:
        print_json({"file": str(file), "pack": name or file.stem, "languages": named})
    else:
        click.echo(f"{file}: a pack to start from; edit it, then justeval labels check {file}")

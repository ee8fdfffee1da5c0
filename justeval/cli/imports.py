"""`justeval import judifair|replies`: replies made elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from justeval.cli.shared import as_json, path_argument, path_option, print_json
from justeval.errors import UnansweredError, UsageError
from justeval.evidence import run_facts
from justeval.importing import import_judifair, import_replies
from justeval.runs import RunFolder


@click.group("import")
def imports() -> None:
    """Replies made elsewhere become a run."""


@imports.command("judifair")
@path_argument("files", nargs=-1, required=True)
@path_option("--out", required=True, help="Folder of the run.")
@click.option("--model", default="judifair", show_default=True, help="Name of the model asked.")
@as_json
def judifair(files: tuple[Path, ...], out: Path, model: str, as_json: bool) -> None:
    """Read the published reply files of JudiFair (JSON lists)."""
    _check_files(files)
    _say(import_judifair(files, out, model), as_json)


@imports.command("replies")
@path_argument("file")
@path_option("--out", required=True, help="Folder of the run.")
@click.option("--model", default="imported", show_default=True, help="Name of the model asked.")
@as_json
def replies(file: Path, out: Path, model: str, as_json: bool) -> None:
    """Read back a file of `justeval prompts export` with its replies filled in."""
    _check_files((file,))
    folder = import_replies(file, out, model)
    facts = _say(folder, as_json)
    if not facts["complete"]:
        left = facts["requests"] - facts["answered"]
        raise UnansweredError(f"{out}: {left:,} prompts have no reply in the file")


def _check_files(files: tuple[Path, ...]) -> None:
    for file in files:
        if not file.is_file():
            raise UsageError(f"{file}: no such file")


def _say(folder: RunFolder, as_json: bool) -> dict[str, int]:
    facts = run_facts(folder, folder.manifest())
    if as_json:
        print_json({"run": str(folder.path), **facts})
    else:
        click.echo(
            f"{folder.path}: {facts['answered']:,} replies of {facts['documents']:,} documents"
        )
    return facts

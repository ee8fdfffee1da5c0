"""`justeval import judifair|versions|replies|table|biasbench`: what was made elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from justeval.cli.shared import as_json, pairs, path_argument, path_option, print_json
from justeval.errors import TableError, UnansweredError, UsageError
from justeval.evidence import run_facts
from justeval.importing import (
    TableOptions,
    import_biasbench,
    import_judifair,
    import_replies,
    import_table,
    import_versions,
)
from justeval.report.formatting import counted
from justeval.runs import RunFolder

_SHOWN = 20
"""Broken pairs that are shown; --json has all."""


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
        told = "prompt has" if left == 1 else "prompts have"
        raise UnansweredError(f"{out}: {left:,} {told} no reply in the file")


@imports.command("table")
@path_argument("file")
@path_option("--out", required=True, help="Folder of the run.")
@click.option("--map", "maps", multiple=True, help="ours=theirs, a column; repeatable.")
@click.option("--label", default=None, help="The label of a table without that column.")
@click.option("--reference", default=None, help="The reference value of a table.")
@click.option("--model", default=None, help="The model of a table without that column.")
@click.option(
    "--longest-months",
    type=click.FloatRange(min=0, min_open=True),
    default=None,
    help="Bound of the main sample. Default: 300.",
)
@as_json
def table(
    file: Path,
    out: Path,
    maps: tuple[str, ...],
    label: str | None,
    reference: str | None,
    model: str | None,
    longest_months: float | None,
    as_json: bool,
) -> int | None:
    """Read a table of predictions (CSV, JSON, XLSX, Parquet, any encoding) into a run."""
    _check_files((file,))
    options = TableOptions(pairs(maps, "--map"), label, reference, model)
    try:
        _say(import_table(file, out, options, longest_months), as_json)
    except TableError as error:
        return _told(file, error, as_json)
    return None


@imports.command("biasbench")
@path_argument("files", nargs=-1, required=True)
@path_option("--out", required=True, help="Folder of the run.")
@as_json
def biasbench(files: tuple[Path, ...], out: Path, as_json: bool) -> int | None:
    """Read bias-bench's evals.jsonl, of one model or several, into a run."""
    _check_files(files)
    try:
        _say(import_biasbench(list(files), out), as_json)
    except TableError as error:
        return _told(files[0], error, as_json)
    return None


@imports.command("versions")
@path_argument("files", nargs=-1, required=True)
@path_option("--answers", default=None, help="The list of true answers by ID (JSON).")
@path_option("--out", required=True, help="JSON-lines file for the prompts.")
@as_json
def versions(files: tuple[Path, ...], answers: Path | None, out: Path, as_json: bool) -> int | None:
    """Read JudiFair's ready-made versions (*_changed.json) as prompts, word for word.

    Pairs whose versions differ in more than the label are named and left out. Fill in `reply` on
    each line, then `justeval import replies`.
    """
    _check_files(files if answers is None else (*files, answers))
    try:
        written = import_versions(files, out, answers)
    except TableError as error:
        return _told(files[0], error, as_json)
    if as_json:
        broken = [{"case_id": b.case_id, "label": b.label, "reason": b.reason} for b in
                  written.broken]  # fmt: skip
        print_json({"file": str(out), "prompts": written.prompts, "pairs": written.pairs,
                    "documents": written.documents, "labels": written.labels,
                    "broken": broken})  # fmt: skip
        return None
    click.echo(
        f"{out}: {counted(written.prompts, 'prompt')} of {counted(written.documents, 'document')} "
        f"and {counted(written.labels, 'label')}; {counted(written.pairs, 'sound comparison')}"
    )
    if written.broken:
        click.echo(f"broken and left out: {len(written.broken):,}")
    for pair in written.broken[:_SHOWN]:
        click.echo(f"  {pair.case_id}, {pair.label}: {pair.reason}")
    if len(written.broken) > _SHOWN:
        click.echo(f"  … and {len(written.broken) - _SHOWN:,} more (--json has all)")
    return None


def _told(file: Path, error: TableError, as_json: bool) -> int:
    """Prints every problem, one a line; the exit code."""
    if as_json:
        rows = [{"place": p.place, "message": p.message} for p in error.problems]
        print_json({"file": str(file), "ok": False, "problems": rows})
    for problem in error.problems:
        click.echo(str(problem), err=True)
    return error.exit_code


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
            f"{folder.path}: {counted(facts['answered'], 'reply', 'replies')} of "
            f"{counted(facts['documents'], 'document')}"
        )
    return facts

"""`justeval cases import|profiles`: a file as people have it becomes checked cases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from justeval.casefiles import (
    Imported,
    ImportOptions,
    Opened,
    ReadOptions,
    import_cases,
    load_profile,
    open_with_mapping,
    profile_names,
    profile_path,
)
from justeval.casefiles.mapping import KEEP
from justeval.casefiles.records import counted
from justeval.cli.shared import Command, as_json, pairs, path_argument, path_option, print_json
from justeval.errors import CaseFileError, UsageError


def read_options(command: Command) -> Command:
    """Options that say how a file is to be read."""
    options: tuple[Callable[[Any], Any], ...] = (
        click.option("--encoding", default="", help="Default: found by the bytes."),
        click.option("--delimiter", default="", help="One character, or tab. Default: found."),
        click.option("--sheet", default="", help="Of a workbook. Default: the first with cells."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command("import")
@path_argument("file")
@path_option("--out", default=None, help="The file of cases: .parquet or .jsonl.")
@click.option("--profile", default="", help="A shipped profile by name, or a YAML file.")
@click.option("--map", "maps", multiple=True, help="ours=theirs, a column; repeatable.")
@click.option("--unit", default="", help="Of the term: years, months, weeks, days, or a column.")
@click.option("--code", "codes", multiple=True, help="9996=life: a cell of the term; repeatable.")
@click.option("--keep", multiple=True, help="A column of your own to keep; repeatable.")
@click.option("--rows", type=click.Choice(KEEP), default=None, help="Which row of a case counts.")
@path_option("--template", default=None, help="Text file that writes facts from columns.")
@read_options
@click.option("--dry-run", is_flag=True, help="Show the mapping and write nothing.")
@as_json
def import_file(
    file: Path,
    out: Path | None,
    profile: str,
    maps: tuple[str, ...],
    unit: str,
    codes: tuple[str, ...],
    keep: tuple[str, ...],
    rows: str | None,
    template: Path | None,
    encoding: str,
    delimiter: str,
    sheet: str,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Turn a file of your own into cases: CSV, TSV, JSON, XLSX or Parquet, any encoding.

    Columns are found by their names, by --map, by FILE.map.yaml beside the file, or by a profile.
    Every problem is named with its row and column, and then nothing is written.
    """
    options = ImportOptions(
        read=ReadOptions(encoding, delimiter, sheet),
        profile=profile,
        pairs=pairs(maps, "--map"),
        unit=unit,
        codes=pairs(codes, "--code"),
        keep=keep or None,
        rows=rows or "",
        template=_text_of(template),
    )
    if out is None and not dry_run:
        raise UsageError("give --out FILE.parquet, or --dry-run to see the mapping")
    try:
        if out is None or dry_run:
            _show_mapping(open_with_mapping(file, options), as_json)
            return 0
        _show(import_cases(file, out, options), as_json)
    except CaseFileError as error:
        return told(file, error, as_json)
    return 0


def told(file: Path, error: CaseFileError, as_json: bool) -> int:
    """Prints every problem, one a line; the exit code."""
    if as_json:
        rows = [{"place": p.place, "message": p.message} for p in error.problems]
        print_json({"file": str(file), "ok": False, "problems": rows})
    for problem in error.problems:
        click.echo(str(problem), err=True)
    return error.exit_code


def _text_of(template: Path | None) -> str:
    if template is None:
        return ""
    try:
        return template.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--template {template}: cannot be read ({error})") from error


def _show_mapping(opened: Opened, as_json: bool) -> None:
    info, mapped = opened.source.info, opened.resolved.shown()
    if as_json:
        print_json(
            {
                "file": str(info.path),
                "read_as": info.described().split(": ", 1)[-1],
                "notes": list(info.notes),
                "mapping": dict(mapped),
                "mapped_by": opened.mapped_by,
                "own_columns": list(opened.resolved.own),
                "advice": list(opened.advice),
            }
        )
        return
    _echo_mapping(info.described(), info.notes, mapped, opened.mapped_by, opened.resolved.own)
    for advice in opened.advice:
        click.echo(f"  perhaps: {advice}")


def _echo_mapping(
    described: str,
    notes: tuple[str, ...],
    mapped: list[tuple[str, str]],
    by: str,
    own: tuple[str, ...],
) -> None:
    click.echo(described)
    for note in notes:
        click.echo(f"  note: {note}")
    click.echo(f"mapped by {by}:")
    for ours, theirs in mapped:
        click.echo(f"  {ours:<13} <- {theirs}")
    if own:
        shown = ", ".join(own[:8]) + (f" and {len(own) - 8} more" if len(own) > 8 else "")
        click.echo(f"  kept as they are: {shown}")


def _show(imported: Imported, as_json: bool) -> None:
    info = imported.info
    if as_json:
        print_json(
            {
                "file": str(info.path),
                "ok": True,
                "read_as": info.described().split(": ", 1)[-1],
                "encoding": info.encoding or None,
                "delimiter": info.delimiter or None,
                "sheet": info.sheet or None,
                "notes": list(info.notes),
                "mapping": dict(imported.resolved.shown()),
                "mapped_by": imported.mapped_by,
                "own_columns": list(imported.resolved.own),
                "out": str(imported.out),
                "cases": imported.cases,
                "with_true_term": imported.with_term,
                "languages": dict(imported.languages),
                "penalties": dict(imported.kinds),
                "rows_left_out": imported.left_out,
                "rows_joined": imported.joined,
            }
        )
        return
    resolved = imported.resolved
    _echo_mapping(info.described(), info.notes, resolved.shown(), imported.mapped_by, resolved.own)
    if imported.left_out:
        click.echo(f"left out by `where`: {counted(imported.left_out, 'row')}")
    if imported.joined:
        click.echo(
            f"further rows of a case: {imported.joined:,}, kept: {resolved.mapping.rows.keep}"
        )
    languages = ", ".join(f"{count:,} in {name}" for name, count in imported.languages.items())
    told = [
        f"{counted(imported.cases, 'case')} ({languages})",
        f"{imported.with_term:,} with a true term",
    ]
    told += [f"{count:,} {kind}" for kind, count in imported.kinds.items() if kind != "fixed_term"]
    click.echo(f"{imported.out}: {', '.join(told)}")


@click.command("profiles")
@click.argument("name", required=False)
@as_json
def profiles(name: str | None, as_json: bool) -> None:
    """List the profiles of published files, or print one to edit."""
    if name is not None:
        click.echo(profile_path(name).read_text(encoding="utf-8"), nl=False)
        return
    found = [(known, load_profile(known)) for known in profile_names()]
    if as_json:
        rows = [{"name": n, "title": p.title, "source": p.source} for n, p in found]
        print_json({"profiles": rows})
        return
    for known, profile in found:
        click.echo(f"{known:<14} {profile.title}")

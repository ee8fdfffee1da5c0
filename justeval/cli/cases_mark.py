"""`justeval cases mark`: spans proposed for a person to accept, and put into the cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from justeval.casefiles.marking import propose_spans, read_accepted
from justeval.casefiles.records import counted
from justeval.cases import Case, load_cases
from justeval.cli.cases_import import told
from justeval.cli.shared import as_json, labels_option, path_argument, path_option, print_json
from justeval.errors import CaseFileError, InputError, UsageError
from justeval.labels import load_labels
from justeval.runs import write_whole


@click.command("mark")
@path_argument("file")
@labels_option
@path_option("--accepted", default=None, help="The edited list of proposals.")
@path_option("--out", required=True, help="JSON lines: proposals, or with --accepted the cases.")
@as_json
def mark(
    file: Path, labels_text: str | None, accepted: Path | None, out: Path, as_json: bool
) -> int:
    """Propose the words of facts that may state a label's factor; a person accepts them.

    Without --accepted: one line a word, `accept` null. Set it to true or false, and where a word
    stands in several rows of forms say which in `beside`. With --accepted: the cases with the
    accepted spans. The facts stay as they are.
    """
    try:
        cases = load_cases(str(file)).cases
        if out.exists() and out.samefile(file):
            raise UsageError(f"--out {out}: is the file itself; choose another name")
        if accepted is None:
            _propose(file, cases, labels_text, out, as_json)
        else:
            _accept(cases, accepted, out, as_json)
    except CaseFileError as error:
        return told(accepted or file, error, as_json)
    return 0


def _propose(
    file: Path, cases: tuple[Case, ...], labels_text: str | None, out: Path, as_json: bool
) -> None:
    """Writes a line a word that may be marked."""
    if not labels_text:
        raise UsageError("give --labels: whose words are to be found, e.g. defendant_sex")
    labels = load_labels(labels_text)
    without = [label.id for label in labels if not label.forms]
    if len(without) == len(labels):
        raise UsageError(f"--labels: {', '.join(without[:4])} has no forms to find")
    lines = [p.as_json() for p in propose_spans(cases, labels)]
    _write(out, lines)
    touched = len({line["case_id"] for line in lines})
    if as_json:
        print_json({"file": str(out), "proposals": len(lines), "documents": touched})
        return
    click.echo(
        f"{out}: {counted(len(lines), 'word')} in {counted(touched, 'document')}; "
        f"set `accept`, then justeval cases mark {file} --accepted {out} --out marked.jsonl"
    )


def _accept(cases: tuple[Case, ...], accepted: Path, out: Path, as_json: bool) -> None:
    """Writes the cases with the spans that were accepted."""
    found = read_accepted(accepted, cases)
    _write(out, [_row(case, found.spans.get(case.case_id, {})) for case in cases])
    if as_json:
        counts = {"accepted": found.accepted, "refused": found.refused, "open": found.open}
        print_json({"file": str(out), "cases": len(cases), **counts})
        return
    still = f", {found.open:,} still open" if found.open else ""
    said = f"{counted(len(cases), 'case')}; {counted(found.accepted, 'span')} accepted"
    click.echo(f"{out}: {said}{still}")


def _row(case: Case, more: Any) -> dict[str, Any]:  # noqa: ANN401
    """A case as a row, with the spans that it had and those that were accepted."""
    row = {
        name: getattr(case, name)
        for name in Case.__dataclass_fields__
        if name not in ("extra", "spans") and getattr(case, name) is not None
    }
    spans: dict[str, Any] = {
        label: [[s.start, s.end, s.beside] if s.beside else [s.start, s.end] for s in marked]
        for label, marked in case.spans.items()
    }
    spans |= more
    return {**row, **case.extra, **({"spans": spans} if spans else {})}


def _write(out: Path, rows: list[dict[str, Any]]) -> None:
    try:
        write_whole(out, "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows))
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror or error})") from error

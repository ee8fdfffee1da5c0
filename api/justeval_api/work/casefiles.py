"""A file of cases -> checked cases, every problem, and a first look at its rows.

In: a file as it was uploaded, what its columns are, limits. Out: `cases.jsonl`, `dataset.yaml` and
`problems.jsonl` beside it, and a summary. What a mapping leaves out stays an own column.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from justeval.cases import Case, check_cases
from justeval.cases.reading import check_rows
from justeval.cases.rows import Row, read_rows
from justeval.errors import Problem
from justeval.runs import write_whole
from justeval.schema import CASES
from justeval_api.errors import TooLargeError
from justeval_api.work.proposing import propose

NEEDED = ("case_id", "facts")
KNOWN = (*CASES.names, "spans")
PREVIEW_ROWS = 20
PREVIEW_CHARACTERS = 2_000
MOST_PROBLEMS = 20_000
PROBES = 50
"""Rows that a mapping is proposed from."""


@dataclass(frozen=True, slots=True)
class _Limits:
    rows: int
    cell_characters: int


def check_cases_file(
    source: str, filename: str, mapping: Mapping[str, str] | None, about: Mapping[str, Any],
    rows: int, cell_characters: int,
) -> dict[str, Any]:  # fmt: skip
    """Checks an uploaded file; a summary for the service. `mapping` None: take what is proposed."""
    path, limits = Path(source), _Limits(rows, cell_characters)
    columns, proposed = _look(path, limits)
    chosen = dict(proposed if mapping is None else mapping)
    unknown = [theirs for theirs in chosen.values() if theirs not in columns]
    problems = [Problem(f"column {column}", "mapped, but not in the file") for column in unknown]
    missing = [name for name in NEEDED if name not in chosen and name not in columns]
    cases: list[Case] = []
    if not missing and not problems:
        checked = check_rows(_mapped(_bounded(read_rows(path), limits), chosen), path)
        cases, problems = list(checked.cases), list(checked.problems)
    told = [_told(problem, path, filename) for problem in problems]
    _write(path.parent, cases, told[:MOST_PROBLEMS], about)
    state = "needs_mapping" if missing else "faulty" if told else "ready"
    return {
        "state": state,
        "columns": columns,
        "mapping": chosen,
        "proposed": proposed,
        "documents": len(cases),
        "with_true_months": sum(case.true_months is not None for case in cases),
        "languages": list(dict.fromkeys(case.language for case in cases)),
        "problems": len(told),
    }


def preview_cases_file(source: str, mapping: Mapping[str, str]) -> dict[str, Any]:
    """The first rows of a file, and the cases that a mapping makes of them."""
    path = Path(source)
    if path.name == "cases.jsonl":
        mapping = {}
    rows = list(islice(read_rows(path), PREVIEW_ROWS))
    checked = check_rows(_mapped(iter(rows), dict(mapping)), path)
    return {
        "rows": [
            {
                "place": row.place.removeprefix(str(path)).strip(),
                "cells": {name: _cell(cell) for name, cell in row.cells.items()},
                "problem": row.problem,
            }
            for row in rows
        ],
        "cases": [case_json(case) for case in checked.cases],
    }


def shipped_summary(path: Path) -> dict[str, Any]:
    """What the list says of a file of sound cases."""
    cases = check_cases(path).cases
    return {
        "documents": len(cases),
        "with_true_months": sum(case.true_months is not None for case in cases),
        "languages": list(dict.fromkeys(case.language for case in cases)),
        "columns": list(dict.fromkeys(name for case in cases[:PROBES] for name in _line(case))),
    }


def case_json(case: Case) -> dict[str, Any]:
    """A case as the service shows it."""
    shown = {name: getattr(case, name) for name in CASES.names}
    return {**shown, "extra": {name: _cell(cell) for name, cell in case.extra.items()}}


def _look(path: Path, limits: _Limits) -> tuple[list[str], dict[str, str]]:
    rows = [row for row in islice(_bounded(read_rows(path), limits), PROBES) if not row.problem]
    columns = list(dict.fromkeys(name for row in rows for name in row.cells))
    return columns, propose(columns, [row.cells for row in rows])


def _bounded(rows: Iterable[Row], limits: _Limits) -> Iterator[Row]:
    """The rows, until there are more or longer ones than the service takes."""
    for number, row in enumerate(rows, start=1):
        if number > limits.rows:
            raise TooLargeError(f"more than {limits.rows:,} rows; split the file")
        for name, cell in row.cells.items():
            if isinstance(cell, str) and len(cell) > limits.cell_characters:
                raise TooLargeError(
                    f"row {number}, column {name[:100]}: {len(cell):,} characters; "
                    f"at most {limits.cell_characters:,}"
                )
        yield row


def _mapped(rows: Iterable[Row], mapping: Mapping[str, str]) -> Iterator[Row]:
    """Rows with our names for the columns that are mapped; the others keep theirs."""
    ours = {theirs: name for name, theirs in mapping.items()}
    for row in rows:
        cells = {name: cell for name, cell in row.cells.items() if name not in mapping}
        for theirs, name in ours.items():
            cells.pop(theirs, None)
            if theirs in row.cells:
                cells[name] = row.cells[theirs]
        yield replace(row, cells=cells)


def _told(problem: Problem, path: Path, filename: str) -> Problem:
    """A problem with the name that the user's file has, not the one under which it is kept."""
    place = problem.place.replace(str(path), filename)
    return Problem(place, problem.message.replace(str(path), filename))


def _write(
    folder: Path, cases: Iterable[Case], problems: Iterable[Problem], about: Mapping[str, Any]
) -> None:
    lines = (json.dumps(_line(case), ensure_ascii=False, default=str) + "\n" for case in cases)
    write_whole(folder / "cases.jsonl", "".join(lines))
    told = (json.dumps([p.place, p.message], ensure_ascii=False) + "\n" for p in problems)
    write_whole(folder / "problems.jsonl", "".join(told))
    text = json.dumps({**about, "cases": "cases.jsonl"}, ensure_ascii=False, indent=1)
    write_whole(folder / "dataset.yaml", f"{text}\n")


def _line(case: Case) -> dict[str, Any]:
    """A case as a line of `cases.jsonl`; what is unknown is left out."""
    named = {name: getattr(case, name) for name in CASES.names}
    line = {name: cell for name, cell in named.items() if cell is not None}
    line |= {name: cell for name, cell in case.extra.items() if name not in line}
    if case.spans:
        line["spans"] = {label: [list(span) for span in s] for label, s in case.spans.items()}
    return line


def _cell(cell: object) -> str | int | float | bool | None:
    if cell is None or isinstance(cell, bool | int):
        return cell
    if isinstance(cell, float):
        return cell if cell == cell and abs(cell) != float("inf") else str(cell)
    return str(cell)[:PREVIEW_CHARACTERS]

"""An uploaded file -> checked cases, every problem, and a first look at its rows.

In: a file as it was uploaded, and what was said of it. Out: `cases.parquet`, `dataset.yaml` and
`problems.jsonl` beside it, and a summary. The library reads and converts; here its words are put
into the service's, and what is more than the service takes is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow.compute
import pyarrow.parquet as pq

from justeval.casefiles import (
    Imported,
    ImportOptions,
    Opened,
    ReadOptions,
    import_cases,
    open_with_mapping,
)
from justeval.casefiles.opening import open_source
from justeval.casefiles.records import SourceInfo
from justeval.cases import Case
from justeval.cases.reading import check_rows
from justeval.cases.rows import read_rows
from justeval.errors import CaseFileError, Problem
from justeval.runs import write_whole
from justeval.schema import CASES
from justeval_api.errors import TooLargeError
from justeval_api.safety.words import for_clients

CASES_FILE = "cases.parquet"
PREVIEW_ROWS = 20
PREVIEW_CHARACTERS = 2_000
PREVIEW_COLUMNS = 100
Summary = dict[str, Any]
pc: Any = pyarrow.compute


def check_cases_file(
    source: str,
    filename: str,
    said: Mapping[str, Any],
    about: Mapping[str, Any],
    rows: int,
    cell_characters: int,
) -> Summary:
    """Reads an uploaded file into cases; a summary for the service.

    Raises CaseFileError or UsageError where the file as a whole cannot be read as it was said.
    """
    path = Path(source)
    options = options_of(said)
    info = open_source(path, options.read).info
    summary = _of_source(info, filename)
    try:
        opened = open_with_mapping(path, options)
    except CaseFileError as error:
        return _faulty(path, filename, error, "needs_mapping", about) | summary
    summary |= _of_mapping(opened, filename)
    try:
        imported = import_cases(path, path.with_name(CASES_FILE), options, _until(rows))
        _check_cells(imported.out, cell_characters)
    except CaseFileError as error:
        return _faulty(path, filename, error, "faulty", about) | summary
    _write(path.parent, (), about)
    return summary | _of_cases(imported)


def options_of(said: Mapping[str, Any]) -> ImportOptions:
    """What was said of a file, as the library takes it."""
    return ImportOptions(
        read=ReadOptions(
            said.get("encoding") or "", said.get("delimiter") or "", said.get("sheet") or ""
        ),
        profile=said.get("profile") or "",
        pairs=said.get("mapping") or {},
        unit=said.get("unit") or "",
        codes=said.get("codes") or {},
        keep=None if said.get("keep") is None else tuple(said["keep"]),
        rows=said.get("rows") or "",
        template=said.get("template") or "",
    )


def preview_cases_file(source: str | None, cases: str, said: Mapping[str, Any]) -> Summary:
    """The first rows of a file, and the first cases made of it. `source` None: only cases."""
    shown: Summary = {"rows": [], "cases": []}
    if source is not None:
        opened = open_source(Path(source), options_of(said).read)
        columns = opened.info.columns[:PREVIEW_COLUMNS]
        shown["rows"] = [
            {
                "place": f"{opened.info.unit} {opened.info.first + i}",
                "cells": {name: _cell(row.get(name)) for name in columns},
            }
            for i, row in enumerate(opened.sample[:PREVIEW_ROWS])
        ]
    if Path(cases).is_file():
        shown["cases"] = [case_json(case) for case in read_cases(Path(cases), 0, PREVIEW_ROWS)]
    return shown


def read_cases(path: Path, start: int, limit: int) -> tuple[Case, ...]:
    """Some cases of a file of sound ones."""
    return check_rows(islice(read_rows(path), start, start + limit), path).cases


def case_json(case: Case) -> Summary:
    """A case as the service shows it."""
    shown = {name: getattr(case, name) for name in CASES.names}
    return {**shown, "extra": {name: _cell(cell) for name, cell in case.extra.items()}}


def _of_source(info: SourceInfo, filename: str) -> Summary:
    return {
        "columns": list(info.columns[:PREVIEW_COLUMNS]),
        "n_columns": len(info.columns),
        "read_as": info.described().split(": ", 1)[-1],
        "notes": [_named(note, info.path, filename) for note in info.notes],
    }


def _of_mapping(opened: Opened, filename: str) -> Summary:
    return {
        "mapped": dict(opened.resolved.shown()),
        "mapped_by": _named(opened.mapped_by, opened.source.info.path, filename),
        "own_columns": list(opened.resolved.own),
        "advice": [_named(text, opened.source.info.path, filename) for text in opened.advice],
    }


def _of_cases(imported: Imported) -> Summary:
    return {
        "state": "ready",
        "documents": imported.cases,
        "with_true_months": imported.with_term,
        "languages": list(imported.languages),
        "penalties": dict(imported.kinds),
        "rows_left_out": imported.left_out,
        "rows_joined": imported.joined,
        "problems": 0,
    }


def _faulty(
    path: Path, filename: str, error: CaseFileError, state: str, about: Mapping[str, Any]
) -> Summary:
    """Nothing can be asked: cases of an earlier mapping are taken away."""
    path.with_name(CASES_FILE).unlink(missing_ok=True)
    told = [
        Problem(_named(p.place, path, filename), _named(p.message, path, filename))
        for p in error.problems
    ]
    _write(path.parent, told, about)
    return {
        "state": state,
        "documents": 0,
        "with_true_months": 0,
        "languages": [],
        "penalties": {},
        "rows_left_out": 0,
        "rows_joined": 0,
        "problems": len(told),
        "mapped": {},
        "mapped_by": "",
        "own_columns": [],
        "advice": [],
    }


def _named(text: str, path: Path, filename: str) -> str:
    """Words for a client, with the name that the user's file has."""
    return for_clients(text.replace(str(path), filename), path.parents[2])


def _until(rows: int) -> Any:  # noqa: ANN401 - a function of the number of rows read
    def progress(count: int) -> None:
        if count > rows:
            raise TooLargeError(f"more than {rows:,} rows; split the file")

    return progress


def _check_cells(path: Path, most: int) -> None:
    """Raises TooLargeError where a text is longer than the service takes."""
    file = pq.ParquetFile(path)
    for batch in file.iter_batches(batch_size=4_096, columns=["facts"]):
        longest = pc.max(pc.utf8_length(batch.column(0))).as_py() or 0
        if longest > most:
            path.unlink()
            raise TooLargeError(f"facts of {longest:,} characters; at most {most:,}")


def _write(folder: Path, problems: Iterable[Problem], about: Mapping[str, Any]) -> None:
    told = (json.dumps([p.place, p.message], ensure_ascii=False) + "\n" for p in problems)
    write_whole(folder / "problems.jsonl", "".join(told))
    text = json.dumps({**about, "cases": CASES_FILE}, ensure_ascii=False, indent=1)
    write_whole(folder / "dataset.yaml", f"{text}\n")


def _cell(cell: object) -> str | int | float | bool | None:
    if cell is None or isinstance(cell, bool | int):
        return cell
    if isinstance(cell, float):
        return cell if cell == cell and abs(cell) != float("inf") else str(cell)
    return str(cell)[:PREVIEW_CHARACTERS]


def columns_of(cases: Sequence[Case]) -> list[str]:
    """The columns of cases, ours first."""
    return list(dict.fromkeys([*CASES.names, *(name for case in cases for name in case.extra)]))

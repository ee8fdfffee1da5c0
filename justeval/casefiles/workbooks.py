"""Workbooks (XLSX, XLS, ODS) -> batches of text.

In: a path and the sheet wanted. Out: a Source. A workbook is held whole in memory, so its size is
bounded, and so is the memory of the process that reads it. A number is written as a spreadsheet
shows it without a format (36, 0.5), a date as 2024-05-01, true and false as words; an empty cell is
empty text.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justeval.casefiles.records import (
    Batch,
    Problems,
    Source,
    SourceInfo,
    counted,
    sample_rows,
    text_table,
    unique_names,
)
from justeval.casefiles.workbook_cells import hidden_cells
from justeval.errors import CaseFileError, UsageError

LARGEST_BYTES = 100_000_000
"""Of the file itself."""
LARGEST_UNPACKED = 1_000_000_000
"""Of what is packed in it: some 1,000,000 rows of 1,000 characters."""
CELL_LIMIT = 32_767
"""Characters that a spreadsheet holds in a cell; text of exactly this length was cut."""
MOST_MEMORY = 6_000_000_000
"""Bytes that reading a workbook may take."""
_MOST_SECONDS = 1_800
_CHILD = Path(__file__).with_name("workbook_child.py")
_BATCH_ROWS = 2_000


def open_workbook(path: Path, sheet: str = "") -> Source:
    """A sheet of a workbook, the first visible one with cells unless named.

    Raises CaseFileError where it is none or too large, UsageError where no sheet has that name.
    """
    _check_size(path)
    found = _read(path, sheet)
    rows = found.rows
    formulas = _with_hidden_cells(path, found)
    while rows and not any(rows[-1]):
        rows.pop()
    first = next((i for i, row in enumerate(rows) if any(row)), None)
    if first is None:
        raise CaseFileError(
            f"{path}: sheet {found.name!r} is empty; the first row names the columns"
        )
    header = rows[first]
    while header and not header[-1]:
        header = header[:-1]
    names = unique_names(f"{path} sheet {found.name!r} row {first + 1}", header)
    body = rows[first + 1 :]
    info = SourceInfo(
        path=path,
        format="workbook",
        columns=names.columns,
        sheet=found.name,
        sheets=found.others,
        first=first + 2,
        unnamed=names.unnamed,
        notes=(*_notes(found, formulas), *names.notes),
    )
    most = sample_rows(len(header))
    sample: tuple[dict[str, str | None], ...] = tuple(
        dict(zip(names.columns, row, strict=False))
        for row in body[:most]
        if len(row) >= len(header)
    )
    return Source(info, _Reader(info, body).batches, sample, names.faults)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A sheet's name, its rows of text, and the names of the other visible sheets."""

    name: str
    rows: list[list[str]]
    others: tuple[str, ...]


def _with_hidden_cells(path: Path, sheet: _Sheet) -> int:
    """Puts errors and open formulas into the rows; how many formulas there are."""
    formulas = 0
    for cell in hidden_cells(path, sheet.name):
        if cell.row < len(sheet.rows) and cell.column < len(sheet.rows[cell.row]):
            sheet.rows[cell.row][cell.column] = sheet.rows[cell.row][cell.column] or cell.text
            formulas += cell.formula
    return formulas


def _check_size(path: Path) -> None:
    size = path.stat().st_size
    unpacked = size
    if zipfile.is_zipfile(path):
        try:
            with zipfile.ZipFile(path) as archive:
                unpacked = sum(item.file_size for item in archive.infolist())
        except (zipfile.BadZipFile, ValueError, OSError) as error:
            raise CaseFileError(f"{path}: no valid workbook ({error})") from error
    if size > LARGEST_BYTES or unpacked > LARGEST_UNPACKED:
        raise CaseFileError(
            f"{path}: too large for a workbook ({size / 1e6:,.0f} MB, {unpacked / 1e6:,.0f} MB "
            f"unpacked; at most {LARGEST_BYTES / 1e6:,.0f} and {LARGEST_UNPACKED / 1e6:,.0f}); "
            "save it as CSV"
        )


def _read(path: Path, sheet: str) -> _Sheet:
    """The sheet as a process of its own reads it: a damaged file may end that, and not this one."""
    answer: dict[str, Any]
    command = [sys.executable, str(_CHILD), str(path), sheet, str(MOST_MEMORY)]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=_MOST_SECONDS)
        answer = pickle.loads(done.stdout) if done.returncode == 0 else {"memory": True}
    except (subprocess.TimeoutExpired, pickle.UnpicklingError, EOFError):
        answer = {"memory": True}
    if "unknown" in answer:
        known = ", ".join(answer["unknown"])
        raise UsageError(f"--sheet {sheet}: {path} has the sheets {known}")
    if answer.get("memory"):
        raise CaseFileError(
            f"{path}: damaged, or more than can be read with {MOST_MEMORY / 1e9:,.0f} GB of memory;"
            " save it as CSV"
        )
    if answer.get("locked"):
        raise CaseFileError(f"{path}: locked by a password; save it without")
    if "wrong" in answer:
        raise CaseFileError(f"{path}: no valid workbook ({answer['wrong']})")
    return _Sheet(answer["name"], answer["rows"], tuple(answer["others"]))


def _notes(sheet: _Sheet, formulas: int) -> list[str]:
    notes = []
    if sheet.others:
        shown = ", ".join(repr(name) for name in sheet.others[:6])
        notes.append(f"other sheets: {shown}; --sheet takes one of them")
    cut = sum(len(cell) >= CELL_LIMIT for row in sheet.rows for cell in row)
    if cut:
        told = f"as long as a spreadsheet allows ({CELL_LIMIT:,}); text was cut there"
        notes.append(f"{counted(cut, 'cell')} {'is' if cut == 1 else 'are'} {told}")
    if formulas:
        told = "not computed yet, taken as text; open the file in a spreadsheet and save it"
        notes.append(f"{counted(formulas, 'formula')} {told}")
    return notes


class _Reader:
    """Reads the rows of one sheet."""

    def __init__(self, info: SourceInfo, rows: list[list[str]]) -> None:
        self.info = info
        self.rows = rows

    def batches(self, columns: Sequence[str], problems: Problems, fast: bool) -> Iterator[Batch]:
        """The rows, with the columns asked for in that order; `fast` changes nothing."""
        wanted = [self.info.columns.index(name) for name in columns]
        kept: list[list[str | None]] = []
        numbers: list[int] = []
        for number, row in enumerate(self.rows, start=self.info.first):
            if not any(row):
                continue
            fault = self._fault(row)
            if fault:
                problems.add(f"{self.info.path} row {number}", fault, "ragged rows")
                continue
            padded = [*row, *[""] * (len(self.info.columns) - len(row))]
            kept.append([padded[i] for i in wanted])
            numbers.append(number)
            if len(kept) >= _BATCH_ROWS:
                yield Batch(text_table(columns, kept), numbers)
                kept, numbers = [], []
        if kept:
            yield Batch(text_table(columns, kept), numbers)

    def _fault(self, row: list[str]) -> str:
        beyond = [cell for cell in row[len(self.info.columns) :] if cell]
        if beyond:
            named = counted(len(self.info.columns), "named column")
            return f"{counted(len(beyond), 'cell')} beyond the {named}"
        return "holds a zero byte" if any("\x00" in cell for cell in row) else ""

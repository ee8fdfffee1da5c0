"""Workbooks (XLSX, XLS, ODS) -> batches of text.

In: a path and the sheet wanted. Out: a Source. A workbook is held whole in memory, so its size is
bounded. A number is written as a spreadsheet shows it without a format (36, 0.5), a date as
2024-05-01, true and false as words; an empty cell is empty text.
"""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from justeval.casefiles.records import Batch, Problems, Source, SourceInfo, check_names, text_table
from justeval.errors import CaseFileError, UsageError

LARGEST_BYTES = 100_000_000
"""Of the file itself."""
LARGEST_UNPACKED = 1_000_000_000
"""Of what is packed in it: some 1,000,000 rows of 1,000 characters."""
CELL_LIMIT = 32_767
"""Characters that a spreadsheet holds in a cell; text of exactly this length was cut."""
_BATCH_ROWS = 2_000


def open_workbook(path: Path, sheet: str = "") -> Source:
    """A sheet of a workbook, the first one with cells unless named.

    Raises CaseFileError where it is none or too large, UsageError where no sheet has that name.
    """
    _check_size(path)
    name, rows = _read(path, sheet)
    while rows and not any(rows[-1]):
        rows.pop()
    first = next((i for i, row in enumerate(rows) if any(row)), None)
    if first is None:
        raise CaseFileError(f"{path}: sheet {name!r} is empty; the first row names the columns")
    header = rows[first]
    while header and not header[-1]:
        header = header[:-1]
    check_names(f"{path} sheet {name!r} row {first + 1}", header)
    info = SourceInfo(
        path=path,
        format="workbook",
        columns=tuple(header),
        sheet=name,
        first=first + 2,
        notes=_notes(rows[first + 1 :]),
    )
    body = rows[first + 1 :]
    sample: tuple[dict[str, str | None], ...] = tuple(
        dict(zip(header, row, strict=False)) for row in body[:100] if len(row) >= len(header)
    )
    return Source(info, _Reader(info, body).batches, sample)


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


def _read(path: Path, sheet: str) -> tuple[str, list[list[str]]]:
    import python_calamine as calamine

    try:
        with calamine.load_workbook(str(path)) as book:
            names = list(book.sheet_names)
            if sheet and sheet not in names:
                raise UsageError(f"--sheet {sheet}: {path} has the sheets {', '.join(names)}")
            for name in [sheet] if sheet else names:
                cells = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
                rows = [[_text(cell) for cell in row] for row in cells]
                if sheet or any(any(row) for row in rows):
                    return name, rows
    except calamine.PasswordError as error:
        raise CaseFileError(f"{path}: locked by a password; save it without") from error
    except (calamine.CalamineError, ValueError, OSError) as error:
        told = (str(error).splitlines() or ["damaged"])[0]
        raise CaseFileError(f"{path}: no valid workbook ({told})") from error
    return (names[0] if names else "none"), []


def _text(cell: object) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        return cell.date().isoformat()
    if isinstance(cell, dt.datetime | dt.date | dt.time):
        return cell.isoformat()
    return str(cell)


def _notes(rows: list[list[str]]) -> tuple[str, ...]:
    cut = sum(len(cell) >= CELL_LIMIT for row in rows for cell in row)
    if not cut:
        return ()
    return (
        f"{cut} cells are as long as a spreadsheet allows ({CELL_LIMIT:,}): text was cut there",
    )


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
            return f"{len(beyond)} cells beyond the {len(self.info.columns)} named columns"
        return "holds a zero byte" if any("\x00" in cell for cell in row) else ""

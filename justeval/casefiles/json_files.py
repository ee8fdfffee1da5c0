"""JSON lines and JSON arrays -> batches of text.

In: a path. Out: a Source, whose columns are the keys of its objects, those of objects inside with
a dot (`meta.accusation`). The file is read item by item; columns are looked for in the first
thousand, and in all of them where one shows later.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from justeval.casefiles.encodings import Encoding, detect_encoding
from justeval.casefiles.json_items import Cells, Item, Wanted, array_items, line_items
from justeval.casefiles.records import (
    PROBLEMS_SHOWN,
    Batch,
    OtherBeginningError,
    Problems,
    Source,
    SourceInfo,
    name_shown,
    one_line,
    sample_rows,
    text_table,
)
from justeval.errors import CaseFileError, Problem

_BATCH_ROWS = 2_000
_BATCH_CHARACTERS = 8_000_000
_LARGEST_ALONE = 1 << 26
_LOOKED_AT = 1_000
"""Objects whose keys become the columns of a file."""


def open_json(path: Path, encoding: Encoding | None = None, whole: bool = False) -> Source:
    """A file of JSON lines or one JSON array. Raises CaseFileError where it is neither.

    `whole` looks at all bytes for the encoding and at all objects for columns.
    """
    known = encoding or detect_encoding(path, whole)
    reader = _Reader(path, known)
    try:
        names, sample, faults = reader.look(None if whole else _LOOKED_AT)
    except UnicodeDecodeError as error:
        if whole or encoding:
            raise CaseFileError(
                f"{path}: not {known.name} text near byte {error.start:,}; it is cut or damaged, "
                "or name another encoding with --encoding"
            ) from error
        return open_json(path, None, whole=True)
    alone = _alone(path, known) if not reader.is_array and len(sample) < 2 else ""
    if alone:
        raise CaseFileError(f"{path}: {alone}")
    if faults and not names:
        raise CaseFileError(faults)
    unnamed = tuple(name for name in names if not name.strip())
    notes = [known.note] if known.note else []
    notes += ["a column has no name: left out"] if unnamed else []
    info = SourceInfo(
        path=path,
        format="JSON array" if reader.is_array else "JSON lines",
        columns=names,
        encoding=known.name,
        unit="item" if reader.is_array else "line",
        first=1,
        unnamed=unnamed,
        notes=tuple(notes),
    )
    return Source(info, reader.batches, sample)


def _alone(path: Path, encoding: Encoding) -> str:
    """What to do with a file that holds one object with the cases in it, or written on many lines;
    empty where it is a case, or nothing."""
    if path.stat().st_size > _LARGEST_ALONE:
        return ""
    try:
        text = path.read_text(encoding=encoding.codec).lstrip("\ufeff").strip()
        data = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(data, dict):
        return ""
    lists = [name for name, value in data.items() if isinstance(value, list)]
    cases = next((n for n in lists if data[n] and isinstance(data[n][0], dict)), None)
    if cases is not None and not any(isinstance(value, str) for value in data.values()):
        return f"one object that holds a list, {name_shown(cases)!r}; save that list by itself"
    return "one object on several lines; put it between [ and ]" if "\n" in text else ""


class _Reader:
    """Reads one JSON file, item by item."""

    def __init__(self, path: Path, encoding: Encoding) -> None:
        self.path = path
        self.encoding = encoding
        self.is_array = self._begins_with_bracket()
        self.names: frozenset[str] = frozenset()

    def look(
        self, most: int | None
    ) -> tuple[tuple[str, ...], tuple[Cells, ...], tuple[Problem, ...]]:
        """The columns of the first objects, some of these, and what is wrong with others."""
        names: dict[str, None] = {}
        sample: list[Cells] = []
        faults: list[Problem] = []
        for item in islice(self.items(None), most):
            if item.problem:
                if len(faults) < PROBLEMS_SHOWN:
                    faults.append(Problem(self.place(item.number), one_line(item.problem)))
                continue
            names.update(dict.fromkeys(item.cells))
            if len(sample) < sample_rows(len(names)):
                sample.append(item.cells)
        self.names = frozenset(names)
        return tuple(names), tuple(sample), tuple(faults)

    def place(self, number: int) -> str:
        """`cases.jsonl line 7`."""
        return f"{self.path} {'item' if self.is_array else 'line'} {number}"

    def _begins_with_bracket(self) -> bool:
        try:
            with self.path.open(encoding=self.encoding.codec, newline="") as stream:
                while text := stream.read(4096):
                    if text.strip("\ufeff \t\r\n"):
                        return text.lstrip("\ufeff \t\r\n").startswith("[")
        except UnicodeDecodeError:
            pass
        return False

    def batches(self, columns: Sequence[str], problems: Problems, fast: bool) -> Iterator[Batch]:
        """The objects, with the columns asked for in that order; `fast` changes nothing."""
        rows: list[list[str | None]] = []
        numbers: list[int] = []
        size = 0
        try:
            for item in self.items(frozenset(columns)):
                if item.problem:
                    problems.add(self.place(item.number), item.problem, "broken items")
                    continue
                if not self.names.issuperset(item.others):
                    raise OtherBeginningError
                row = [item.cells.get(name) for name in columns]
                rows.append(row)
                numbers.append(item.number)
                size += sum(len(cell) for cell in row if cell)
                if len(rows) >= _BATCH_ROWS or size >= _BATCH_CHARACTERS:
                    yield Batch(text_table(columns, rows), numbers)
                    rows, numbers, size = [], [], 0
        except UnicodeDecodeError as error:
            raise OtherBeginningError from error
        if rows:
            yield Batch(text_table(columns, rows), numbers)

    def items(self, wanted: Wanted) -> Iterator[Item]:
        """All objects in order, and what is wrong with the others."""
        with self.path.open(encoding=self.encoding.codec) as stream:
            reads = array_items if self.is_array else line_items
            yield from reads(stream, wanted)

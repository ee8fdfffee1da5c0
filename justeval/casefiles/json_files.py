"""JSON lines and JSON arrays -> batches of text.

In: a path. Out: a Source, whose columns are the keys of the first thousand objects, those of
objects inside with a dot (`meta.accusation`). The file is read item by item.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from justeval.casefiles.encodings import Encoding, detect_encoding
from justeval.casefiles.json_items import Item, array_items, line_items
from justeval.casefiles.records import (
    Batch,
    OtherEncodingError,
    Problems,
    Source,
    SourceInfo,
    text_table,
)
from justeval.errors import CaseFileError

_BATCH_ROWS = 2_000
_BATCH_CHARACTERS = 8_000_000
_LOOKED_AT = 1_000
"""Objects whose keys become the columns of a file."""


def open_json(path: Path, encoding: Encoding | None = None, whole: bool = False) -> Source:
    """A file of JSON lines or one JSON array. Raises CaseFileError where it is neither."""
    known = encoding or detect_encoding(path, whole)
    reader = _Reader(path, known)
    try:
        looked_at = [item for item in islice(reader.items(), _LOOKED_AT) if not item.problem]
    except UnicodeDecodeError as error:
        if whole or encoding:
            raise CaseFileError(
                f"{path}: not {known.name} text near byte {error.start:,}"
            ) from error
        return open_json(path, None, whole=True)
    names = dict.fromkeys(name for item in looked_at for name in item.cells)
    info = SourceInfo(
        path=path,
        format="JSON array" if reader.is_array else "JSON lines",
        columns=tuple(names),
        encoding=known.name,
        unit="item" if reader.is_array else "line",
        first=1,
        notes=(known.note,) if known.note else (),
    )
    return Source(info, reader.batches, tuple(item.cells for item in looked_at[:100]))


class _Reader:
    """Reads one JSON file, item by item."""

    def __init__(self, path: Path, encoding: Encoding) -> None:
        self.path = path
        self.encoding = encoding
        self.is_array = self._begins_with_bracket()

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
        unit = "item" if self.is_array else "line"
        try:
            for item in self.items():
                if item.problem:
                    problems.add(f"{self.path} {unit} {item.number}", item.problem, "broken items")
                    continue
                row = [item.cells.get(name) for name in columns]
                rows.append(row)
                numbers.append(item.number)
                size += sum(len(cell) for cell in row if cell)
                if len(rows) >= _BATCH_ROWS or size >= _BATCH_CHARACTERS:
                    yield Batch(text_table(columns, rows), numbers)
                    rows, numbers, size = [], [], 0
        except UnicodeDecodeError as error:
            raise OtherEncodingError from error
        if rows:
            yield Batch(text_table(columns, rows), numbers)

    def items(self) -> Iterator[Item]:
        """All objects in order, and what is wrong with the others."""
        with self.path.open(encoding=self.encoding.codec) as stream:
            yield from array_items(stream) if self.is_array else line_items(stream)

"""CSV, TSV and files with semicolons -> batches of text.

In: a path. Out: a Source. The fast way is pyarrow's parser, fed by a stream that looks at every
quotation mark: where the file is plain, it reads what the careful way would read. The careful way
is the csv module, which names the row of every mistake. Text stays text in both.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from justeval.casefiles.dialects import Dialect, detect_dialect
from justeval.casefiles.encodings import SAMPLE, Encoding, detect_encoding
from justeval.casefiles.plain_text import PlainText
from justeval.casefiles.records import (
    Batch,
    NotPlainError,
    OtherBeginningError,
    Problems,
    Source,
    SourceInfo,
    counted,
    sample_rows,
    text_table,
    unique_names,
)
from justeval.errors import CaseFileError

pc: Any = pyarrow.compute
csv.field_size_limit(2**31 - 1)
BLOCK = 1 << 20
"""Bytes that pyarrow parses at a time, fastest where they fit a cache. A longer row is read the
careful way."""
_BATCHES = 8
"""Blocks that are handed on together."""
_BATCH_ROWS = 2_000
_BATCH_CHARACTERS = 8_000_000


def open_delimited(
    path: Path, encoding: Encoding | None = None, delimiter: str = "", whole: bool = False
) -> Source:
    """A delimited file. Raises CaseFileError where it has no sound header or is not text.

    `whole` looks at all bytes for the encoding, not only at the first.
    """
    known = encoding or detect_encoding(path, whole)
    text, is_all = _beginning(path, known)
    if "\x00" in text[:SAMPLE]:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise CaseFileError(f"{path} line {line}: holds a zero byte; it is damaged or not text")
    try:
        dialect = detect_dialect(text, delimiter or ("\t" if path.suffix == ".tsv" else ""))
    except csv.Error as error:
        raise CaseFileError(f"{path} line 1: broken CSV ({error}); check the quotes") from error
    if not dialect.header:
        raise CaseFileError(f"{path}: the file is empty; the first row names the columns")
    if not is_all and dialect.skipped >= len(text):
        raise CaseFileError(f"{path} row 1: the header is longer than 4 MB; check the quotes there")
    names = unique_names(f"{path} row {dialect.first - 1}", dialect.header)
    info = SourceInfo(
        path=path,
        format="TSV" if dialect.delimiter == "\t" else "CSV",
        columns=names.columns,
        encoding=known.name,
        delimiter=dialect.delimiter,
        first=dialect.first,
        unnamed=names.unnamed,
        notes=((known.note,) if known.note else ()) + names.notes,
    )
    reader = _Reader(info, known, dialect)
    return Source(info, reader.batches, reader.sample(text), names.faults)


def _beginning(path: Path, encoding: Encoding) -> tuple[str, bool]:
    """The first text of a file, and whether that is all of it."""
    with path.open("rb") as stream:
        data = stream.read(SAMPLE)
        is_all = not stream.read(1)
    try:
        decoder = codecs.getincrementaldecoder(encoding.codec)()
        return decoder.decode(data, is_all), is_all
    except UnicodeDecodeError as error:
        raise CaseFileError(
            f"{path}: not {encoding.name} text near byte {error.start:,}; it is cut or damaged, or "
            "name another encoding with --encoding"
        ) from error


class _Reader:
    """Reads one delimited file, the fast way or the careful way."""

    def __init__(self, info: SourceInfo, encoding: Encoding, dialect: Dialect) -> None:
        self.info = info
        self.path = info.path
        self.encoding = encoding
        self.dialect = dialect

    def sample(self, text: str) -> tuple[dict[str, str | None], ...]:
        """The first rows, as far as they are sound; for a proposal of a mapping."""
        header = self.info.columns
        lines = text[self.dialect.skipped :].splitlines(keepends=True)[:400]
        try:
            rows = list(csv.reader(lines, delimiter=self.dialect.delimiter))
        except csv.Error:
            return ()
        sound = [cells for cells in rows if len(cells) == len(header)]
        most = sample_rows(len(header))
        return tuple(dict(zip(header, cells, strict=True)) for cells in sound[:most])

    def batches(self, columns: Sequence[str], problems: Problems, fast: bool) -> Iterator[Batch]:
        """The rows, with the columns asked for in that order."""
        if fast:
            return self._fast(list(columns))
        return self._careful(list(columns), problems)

    def _fast(self, columns: list[str]) -> Iterator[Batch]:
        at = {name: i for i, name in enumerate(self.info.columns)}
        wanted = [f"c{at[name]}" for name in columns]
        if not columns or len(at) < 2:  # an empty line of one column is no row to the csv module
            raise NotPlainError
        try:
            with PlainText(
                self.path, self.encoding, self.dialect.delimiter, self.dialect.skipped
            ) as text:
                if not text.has_rows:
                    raise NotPlainError
                number = self.info.first
                reader = _arrow_reader(text, self.dialect.delimiter, len(at), wanted)
                while batches := list(islice(reader, _BATCHES)):
                    if any(_has_blank_row(batch) for batch in batches):
                        raise NotPlainError
                    cells = pa.Table.from_batches(batches).rename_columns(columns)
                    rows = cells.num_rows
                    yield Batch(cells, range(number, number + rows), text.ascii)
                    number += rows
                if text.fault:
                    raise NotPlainError
        except (pa.ArrowException, UnicodeDecodeError) as error:
            raise NotPlainError from error

    def _careful(self, columns: list[str], problems: Problems) -> Iterator[Batch]:
        at = {name: i for i, name in enumerate(self.info.columns)}
        wanted = [at[name] for name in columns]
        rows: list[list[str | None]] = []
        numbers: list[int] = []
        size = 0
        try:
            for number, cells in self._rows(problems):
                rows.append([cells[i] for i in wanted])
                numbers.append(number)
                size += sum(len(cells[i]) for i in wanted)
                if len(rows) >= _BATCH_ROWS or size >= _BATCH_CHARACTERS:
                    yield Batch(text_table(columns, rows), numbers)
                    rows, numbers, size = [], [], 0
        except UnicodeDecodeError as error:
            raise OtherBeginningError from error
        if rows:
            yield Batch(text_table(columns, rows), numbers)

    def _rows(self, problems: Problems) -> Iterator[tuple[int, list[str]]]:
        """The sound rows with their numbers; notes those that are not."""
        width = len(self.info.columns)
        with self.path.open(encoding=self.encoding.codec, newline="") as stream:
            reader = csv.reader(stream, delimiter=self.dialect.delimiter, strict=True)
            number = 0
            try:
                for number, cells in enumerate(reader, start=1):
                    if number < self.info.first or not cells:
                        continue
                    place = f"{self.path} row {number}"
                    if len(cells) != width:
                        problems.add(place, _ragged(len(cells), width), "ragged rows")
                    elif any("\x00" in cell for cell in cells):
                        named = zip(self.info.columns, cells, strict=True)
                        column = next(name for name, cell in named if "\x00" in cell)
                        problems.add(f"{place}, column {column}", "holds a zero byte", "zero bytes")
                    else:
                        yield number, cells
            except csv.Error as error:
                place = f"{self.path} row {number + 1} (line {reader.line_num})"
                problems.add(place, f"broken CSV ({error}); check the quotes there")


def _arrow_reader(
    text: PlainText, delimiter: str, width: int, wanted: list[str]
) -> Iterator[pa.RecordBatch]:
    """pyarrow's own reader of delimited files; only the columns wanted are made into text."""
    from pyarrow import csv as arrow_csv

    stream: Any = pa.PythonFile(text, mode="r")  # type: ignore[arg-type]
    yield from arrow_csv.open_csv(
        stream,
        read_options=arrow_csv.ReadOptions(
            block_size=BLOCK, column_names=[f"c{i}" for i in range(width)]
        ),
        parse_options=arrow_csv.ParseOptions(
            delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=False
        ),
        convert_options=arrow_csv.ConvertOptions(
            include_columns=wanted,
            column_types=dict.fromkeys(wanted, pa.string()),
            strings_can_be_null=False,
            check_utf8=False,  # PlainText has looked
        ),
    )


def _has_blank_row(batch: pa.RecordBatch) -> bool:
    """Whether a row has nothing in it: pyarrow makes one of an empty line, the csv module none."""
    blank = np.ones(batch.num_rows, dtype=bool)
    for column in batch.columns:
        blank &= np.asarray(pc.binary_length(column)) == 0
        if not blank.any():
            return False
    return True


def _ragged(found: int, wanted: int) -> str:
    return f"{counted(found, 'cell')} where the header names {counted(wanted, 'column')}"

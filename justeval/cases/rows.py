"""A file -> rows of named cells with their places. Nothing is interpreted: text stays text."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from justeval.errors import CaseFileError, Problem

FORMATS = (".csv", ".jsonl", ".parquet")
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: where it stands, its cells by column, and what is wrong with its shape."""

    place: str
    cells: Mapping[str, object]
    problem: str = ""


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a CSV, JSONL or Parquet file, in order.

    Raises CaseFileError where the file as a whole cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        told = f"{path}: cannot read {suffix or 'this'}; use {', '.join(FORMATS)}"
        raise CaseFileError(f"{told}, or make one of it with `justeval cases import`")
    if not path.is_file():
        raise CaseFileError(f"{path}: no such file")
    readers = {".csv": _csv_rows, ".jsonl": _jsonl_rows, ".parquet": _parquet_rows}
    try:
        yield from readers[suffix](path)
    except UnicodeDecodeError as error:
        told = f"{path}: not UTF-8 text near byte {error.start}; save it as UTF-8"
        message = f"{told}, or use `justeval cases import`"
        raise CaseFileError(message) from error
    except OSError as error:
        raise CaseFileError(f"{path}: cannot be read ({error.strerror or error})") from error


def _csv_rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream, strict=True)
        try:
            header = next(reader, None)
            if not header:
                raise CaseFileError(f"{path}: the file is empty; the first row names the columns")
            _check_header(f"{path} row 1", header)
            for number, cells in enumerate(reader, start=2):
                if not cells:
                    continue
                problem = ""
                if len(cells) != len(header):
                    found = f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"
                    wanted = f"{len(header)} column{'' if len(header) == 1 else 's'}"
                    problem = f"{found} where the header names {wanted}"
                named = dict(zip(header, cells, strict=False))
                yield Row(f"{path} row {number}", named, problem)
        except csv.Error as error:
            message = f"{path} line {reader.line_num}: broken CSV ({error}); check the quotes there"
            raise CaseFileError(message) from error


def _check_header(place: str, header: list[str]) -> None:
    twice = [name for name in dict.fromkeys(header) if header.count(name) > 1]
    if twice:
        problems = [
            Problem(f"{place}, column {n or '(blank)'}", "stands twice; rename one") for n in twice
        ]
        raise CaseFileError(problems)


def _jsonl_rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            place = f"{path} line {number}"
            try:
                data = json.loads(line, object_pairs_hook=_once)
            except (ValueError, RecursionError) as error:
                yield Row(place, {}, f"no valid JSON ({error})")
                continue
            if isinstance(data, dict):
                yield Row(place, data)
            else:
                yield Row(place, {}, "must be a JSON object, one case a line")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    named = dict(pairs)
    if len(named) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands twice in an object")
    return named


def _parquet_rows(path: Path) -> Iterator[Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
        _check_header(str(path), file.schema_arrow.names)
        number = 0
        for batch in file.iter_batches(batch_size=4096):
            for cells in batch.to_pylist():
                number += 1
                yield Row(f"{path} row {number}", cells)
    except pa.ArrowException as error:
        message = f"{path}: no valid Parquet file ({str(error).splitlines()[0]})"
        raise CaseFileError(message) from error

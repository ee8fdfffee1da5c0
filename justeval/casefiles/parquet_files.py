"""Parquet -> batches of text.

In: a path. Out: a Source. Text stays text; whole numbers, decimals and dates are written out;
null is no text; structs are columns with a dot; lists and maps are JSON text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute

from justeval.casefiles.groups import Array
from justeval.casefiles.records import (
    Batch,
    Problems,
    Source,
    SourceInfo,
    name_shown,
    sample_rows,
    unique_names,
)
from justeval.errors import CaseFileError

pc: Any = pyarrow.compute
"""Without its types, which know fewer kinds of arrays than its functions take."""
_BATCH_ROWS = 2_000
_BUFFER = 1 << 20
"""Bytes of a column that are read at a time: a row group may be as large as the file."""
_SPANS = "spans"


def open_parquet(path: Path) -> Source:
    """A Parquet file. Raises CaseFileError where it is none."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False) as file:
            schema = file.schema_arrow
            leaves = _leaves(schema)
            first = next(file.iter_batches(sample_rows(len(leaves))), None)
            sample = [] if first is None else _texts(first, leaves).to_pylist()
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        told = (str(error).splitlines() or ["damaged"])[0]
        raise CaseFileError(f"{path}: no valid Parquet file ({told})") from error
    names = unique_names(str(path), leaves)
    if names.faults:  # columns are asked for by name
        raise CaseFileError(names.faults)
    unnamed = tuple(name for name in leaves if not name.strip())
    info = SourceInfo(
        path=path,
        format="Parquet",
        columns=tuple(leaves),
        first=1,
        unnamed=unnamed,
        notes=names.notes,
    )
    return Source(info, _Reader(path).batches, tuple(sample))


def _leaves(schema: pa.Schema) -> list[str]:
    """The names of the columns; a struct's fields follow a dot."""
    names: list[str] = []

    def walk(field: pa.Field[Any], before: str) -> None:
        name = before + field.name
        if pa.types.is_struct(field.type) and name != _SPANS:
            for i in range(field.type.num_fields):
                walk(field.type.field(i), f"{name}.")
        else:
            names.append(name)

    for i in range(len(schema)):
        walk(schema.field(i), "")
    return names


def _column(batch: pa.RecordBatch, at: Mapping[str, int], name: str) -> Array:
    """A column or a field of a struct, by its dotted name; `at` are the places of the columns."""
    if name in at:
        return batch.column(at[name])
    parts = name.split(".")
    for cut in range(1, len(parts)):
        root = ".".join(parts[:cut])
        if root in at:
            return pc.struct_field(batch.column(at[root]), parts[cut:])
    raise KeyError(name)


def _as_text(array: Array) -> Array:
    kind = array.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind):
        texts = pc.cast(array, pa.string())
        texts.validate(full=True)  # Parquet does not promise that text is UTF-8
        return texts
    if pa.types.is_dictionary(kind):
        return _as_text(array.dictionary_decode())
    if pa.types.is_nested(kind):
        texts = [None if v is None else json.dumps(v, ensure_ascii=False, default=str) for v in
                 array.to_pylist()]  # fmt: skip
        return pa.array(texts, pa.string())
    if pa.types.is_floating(kind):
        return pa.array([_number(v) for v in array.to_pylist()], pa.string())
    return pc.cast(array, pa.string())


def _number(value: float | None) -> str | None:
    if value is None:
        return None
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _texts(batch: pa.RecordBatch, names: Sequence[str]) -> pa.Table:
    at = {name: i for i, name in enumerate(batch.schema.names)}
    arrays = [_as_text(_column(batch, at, name)) for name in names]
    return pa.Table.from_arrays(arrays, names=list(names))


class _Reader:
    """Reads the row groups of one Parquet file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def batches(self, columns: Sequence[str], problems: Problems, fast: bool) -> Iterator[Batch]:
        """The rows, with the columns asked for in that order; `fast` changes nothing."""
        import pyarrow.parquet as pq

        number = 1
        try:
            with pq.ParquetFile(self.path, buffer_size=_BUFFER, pre_buffer=False) as file:
                roots = _roots(file.schema_arrow.names, columns)
                for batch in file.iter_batches(_BATCH_ROWS, columns=roots):
                    texts = _texts(batch, columns)
                    self._check_zero_bytes(texts, number, problems)
                    yield Batch(texts, range(number, number + batch.num_rows))
                    number += batch.num_rows
        except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
            told = (str(error).splitlines() or ["damaged"])[0]
            place = f"{self.path} row {number} or later"
            problems.add(place, f"no valid Parquet file ({told})")

    def _check_zero_bytes(self, texts: pa.Table, first: int, problems: Problems) -> None:
        for name, column in zip(texts.column_names, texts.columns, strict=True):
            found = pc.match_substring(column, "\x00").to_pylist()
            for i in (i for i, has in enumerate(found) if has):
                place = f"{self.path} row {first + i}, column {name_shown(name)}"
                problems.add(place, "holds a zero byte", "zero bytes")


def _roots(names: Sequence[str], columns: Sequence[str]) -> list[str]:
    """The columns of the file that hold those asked for."""
    roots = [
        name
        for name in names
        if any(column == name or column.startswith(f"{name}.") for column in columns)
    ]
    return roots or list(names[:1])

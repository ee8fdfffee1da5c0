"""A table of predictions as integer codes: every name is looked up once, then only numbers move.

In: a pyarrow Table of predictions. Out: Encoded, one entry a row, and the order that sorts them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from justeval.errors import TableError
from justeval.estimate.records import Codes, Floats

Names = tuple[str, ...]
Flags = npt.NDArray[np.bool_]
NEEDED = ("model", "case_id", "label", "value", "is_reference", "status", "months")
NEVER_NULL = ("model", "case_id", "status")

BLOCK = 1 << 15
"""Rows looked at at a time where many columns are: what is made of them stays in the cache."""

PLACES_PER_ROW = 4
"""Cells are put in place directly where there are at most this many places for a row."""


@dataclass(frozen=True)
class Coded:
    """One column of text: (N,) codes into `names`, in order of first appearance; -1 is null.

    read : the codes as wide as they were read, 32 bits from a file. They are widened where they are
    asked for, a part at a time where that is enough: memory of the first touch is what an analysis
    of millions of rows waits for.
    """

    read: npt.NDArray[np.signedinteger]
    names: Names

    @cached_property
    def codes(self) -> Codes:
        """(N,) codes in 64 bits: they are multiplied."""
        return self.read.astype(np.int64, copy=False)

    def code_of(self, name: str) -> int:
        """The code of a name, -1 where the column does not hold it."""
        return self.names.index(name) if name in self.names else -1

    def part(self, where: slice) -> Coded:
        """Some of the rows."""
        return Coded(self.read[where].astype(np.int64), self.names)


@dataclass(frozen=True, slots=True)
class Encoded:
    """The columns of predictions that the estimates need, one entry a row.

    `guilty` is 1, 0 or -1 for unknown. `months` and `true_months` are NaN where unknown.
    """

    model: Coded
    label: Coded
    value: Coded
    document: Coded
    status: Coded
    penalty: Coded
    guilty: Codes
    is_reference: Flags
    repetition: Codes
    months: Floats
    true_months: Floats

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.months.size

    def part(self, where: slice) -> Encoded:
        """Some of the rows, where they lie."""
        return Encoded(*(_part(getattr(self, one.name), where) for one in fields(Encoded)))

    def blocks(self) -> Iterator[slice]:
        """Where BLOCK rows at a time lie: `part` widens their codes, and they are worked on one
        after the other."""
        for start in range(0, max(self.rows, 1), BLOCK):
            yield slice(start, start + BLOCK)


def _part(column: Coded | Codes | Floats | Flags, where: slice) -> Any:  # noqa: ANN401
    return column.part(where) if isinstance(column, Coded) else column[where]


def encode(predictions: pa.Table, cores: int = 1) -> Encoded:
    """Encode the columns of `schema.PREDICTIONS`, on so many cores. TableError names a needed
    column that lacks."""
    missing = [name for name in NEEDED if name not in predictions.column_names]
    if missing:
        raise TableError(
            f"predictions: no column {', '.join(missing)}; needed are {', '.join(NEEDED)}. "
            "Map it with --map"
        )
    for name in NEVER_NULL:
        if predictions.column(name).null_count:
            row = pc.index(pc.is_null(predictions.column(name)), True).as_py() + 1
            raise TableError(
                f"predictions row {row}: {name} is empty; every row needs one. "
                "Fill it in or remove the row"
            )
    with ThreadPoolExecutor(cores) as threads:
        numbers = [
            threads.submit(float_column, predictions, name) for name in ("months", "true_months")
        ]
        names = ("model", "label", "value", "case_id", "status", "penalty")
        texts = threads.map(lambda name: code_column(predictions, name), names)
        model, label, value, document, status, penalty = texts
        months, true_months = (one.result() for one in numbers)
    return Encoded(
        model=model,
        label=label,
        value=value,
        document=document,
        status=status,
        penalty=penalty,
        guilty=_integers(predictions, "guilty", -1, pa.int8()),
        is_reference=_integers(predictions, "is_reference", 0, pa.int8()) == 1,
        repetition=_integers(predictions, "repetition", 0, pa.int32()),
        months=months,
        true_months=true_months,
    )


def code_column(table: pa.Table, name: str) -> Coded:
    """Codes and names of a text column; all null where the table has no such column."""
    if name not in table.column_names or table.num_rows == 0:
        return Coded(np.full(table.num_rows, -1, dtype=np.int64), ())
    column = table.column(name)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    array = _joined(column.unify_dictionaries())
    names = tuple(str(text) for text in array.dictionary.to_pylist())
    indices = array.indices
    if pa.types.is_unsigned_integer(indices.type):  # they have no -1
        indices = indices.cast(pa.int64())
    return Coded(entries_of(indices, -1), names)


def float_column(table: pa.Table, name: str) -> Floats:
    """(N,) numbers, NaN where null or where the table has no such column."""
    if name not in table.column_names:
        return np.full(table.num_rows, np.nan)
    return entries_of(table.column(name).cast(pa.float64()), math.nan)


def cell_order(rows: Encoded) -> Codes:
    """Indices of the rows of labels, by model, label, document, value and repetition."""
    labelled = (rows.label.codes >= 0) & (rows.value.codes >= 0)
    at = np.flatnonzero(labelled)
    columns = [rows.model, rows.label, rows.document, rows.value]
    codes = [column.codes if at.size == rows.rows else column.codes[at] for column in columns]
    codes[3] = _rank_in_label(codes[1], codes[3], len(rows.value.names))
    order = stable_order(*codes, rows.repetition[at])
    return order if at.size == rows.rows else at[order]


def _rank_in_label(label: Codes, value: Codes, values: int) -> Codes:
    """(N,) place of a row's value among the values of its label: 0 to 6 where codes are hundreds,
    so that cells can be counted instead of sorted."""
    if label.size == 0:
        return value
    pair = label * values + value
    labels = int(label.max()) + 1
    there = np.bincount(pair, minlength=labels * values) > 0
    rank = np.cumsum(there.reshape(labels, values), axis=1) - 1
    return np.asarray(rank.reshape(-1)[pair], dtype=np.int64)


def stable_order(*codes: Codes) -> Codes:
    """(N,) the order that sorts by the first code, then the second, ...; equal rows keep theirs.

    Where all combinations are different and fill a fair part of their range, every row is put
    where it belongs; else a radix sort by digits of 16 bits (NumPy sorts 16-bit integers by
    counting), small codes sharing a digit. Either way the time grows with the number of rows and
    no faster. Codes are not negative.
    """
    size = codes[0].size
    ranges = [int(code.max()) + 1 if code.size else 1 for code in codes]
    if math.prod(ranges) <= PLACES_PER_ROW * size:
        key = codes[0]
        for code, several in zip(codes[1:], ranges[1:], strict=True):
            key = key * several + code if several > 1 else key
        place = np.full(math.prod(ranges), -1, dtype=np.int64)
        place[key] = np.arange(size)
        order = place[place >= 0]
        if order.size == size:
            return order
    return _radix_order(codes)


def _radix_order(codes: tuple[Codes, ...]) -> Codes:
    order = np.arange(codes[0].size)
    for code, highest in reversed(_shared_digits(codes)):
        for shift in range(0, highest.bit_length(), 16):
            digit = ((code >> shift) & 0xFFFF).astype(np.uint16)
            order = order[np.argsort(digit[order], kind="stable")]
    return order


def _shared_digits(codes: tuple[Codes, ...]) -> list[tuple[Codes, int]]:
    """Neighboring codes joined to one where it fits into 16 bits, with the highest of each."""
    joined: list[tuple[Codes, int]] = []
    for code in codes:
        highest = int(code.max()) if code.size else 0
        if joined and (joined[-1][1] + 1) * (highest + 1) <= 1 << 16:
            before, highest_before = joined.pop()
            code = before * (highest + 1) + code
            highest = highest_before * (highest + 1) + highest
        joined.append((code, highest))
    return joined


def _integers(table: pa.Table, name: str, unknown: int, kind: pa.DataType) -> Codes:
    if name not in table.column_names:
        return np.full(table.num_rows, unknown, dtype=kind.to_pandas_dtype())
    return entries_of(table.column(name).cast(kind), unknown)


def entries_of(column: Any, unknown: float) -> npt.NDArray[Any]:  # noqa: ANN401
    """(N,) entries of a column of numbers, `unknown` for null. Arrow's own `to_numpy` and
    `fill_null` import pandas first, which takes longer than reading millions of rows."""
    array = _joined(column)
    if not array.null_count:
        return np.from_dlpack(array)
    filled = pa.Array.from_buffers(
        array.type, len(array), [None, array.buffers()[1]], offset=array.offset
    )
    null = np.from_dlpack(array.is_null().cast(pa.int8())) == 1
    return np.where(null, unknown, np.from_dlpack(filled))


def _joined(column: Any) -> Any:  # noqa: ANN401
    """A column in one piece, uncopied where it is one already."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()

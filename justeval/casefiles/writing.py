"""Cases -> a file of cases, Parquet or JSON lines, that appears only when it is whole.

In: batches of cases. Out: the file. Facts are not compressed, which
takes longer than reading them; ids are held to find those that stand twice.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

import pyarrow as pa
import pyarrow.compute

from justeval.casefiles.converting import Cases
from justeval.casefiles.groups import Array
from justeval.casefiles.records import Problems, Source
from justeval.errors import CaseFileError

pc: Any = pyarrow.compute
"""Without its types, which know fewer kinds of arrays than its functions take."""
OUT_FORMATS = (".parquet", ".jsonl")
_DICTIONARY = ("language", "charge", "jurisdiction", "true_penalty")
_GROUP_BYTES = 32_000_000
"""Text that is held before it is written as one row group."""


class CaseWriter:
    """Writes a file of cases; what is not committed is taken away. Counts what it writes."""

    def __init__(self, path: Path, schema: pa.Schema, told: dict[str, str]) -> None:
        self.path = path
        self.partial = path.with_name(path.name + ".partial")
        self.schema = schema.with_metadata(told)
        self.rows = 0
        self.with_term = 0
        self.languages: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self._held: list[pa.Table] = []
        self._held_bytes = 0
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._writing: Future[None] | None = None
        self._parquet: Any = None
        self._text: TextIO | None = None

    def __enter__(self) -> CaseWriter:
        import pyarrow.parquet as pq

        try:
            if self.path.suffix.lower() == ".jsonl":
                self._text = self.partial.open("w", encoding="utf-8")
            else:
                columns: Any = [name for name in _DICTIONARY if name in self.schema.names]
                self._parquet = pq.ParquetWriter(
                    self.partial,
                    self.schema,
                    compression={
                        name: "none" if name == "facts" else "zstd" for name in self.schema.names
                    },
                    use_dictionary=columns,
                    write_statistics=False,
                )
        except OSError as error:
            raise _unwritable(self.path, error) from error
        return self

    def write(self, cells: pa.Table) -> None:
        """Takes rows; they are written in groups of some size."""
        self._count(cells)
        self._held.append(cells)
        self._held_bytes += cells.nbytes
        if self._held_bytes >= _GROUP_BYTES:
            self._flush()

    def _count(self, cells: pa.Table) -> None:
        self.rows += cells.num_rows
        self.with_term += cells.num_rows - cells.column("true_months").null_count
        for name, counter in (("language", self.languages), ("true_penalty", self.kinds)):
            for pair in pc.value_counts(cells.column(name)).to_pylist():
                if pair["values"] is not None:
                    counter[pair["values"]] += pair["counts"]

    def _flush(self) -> None:
        """Hands what is held to the thread that writes, once that has written what it had."""
        if not self._held:
            return
        table = pa.concat_tables(self._held)
        self._held, self._held_bytes = [], 0
        self._wait()
        self._writing = self._thread.submit(self._write_table, table)

    def _write_table(self, table: pa.Table) -> None:
        if self._text is not None:
            for row in table.to_pylist():
                self._text.write(json.dumps(_without_blanks(row), ensure_ascii=False) + "\n")
        else:
            described = table.replace_schema_metadata(self.schema.metadata)
            self._parquet.write_table(described, row_group_size=max(table.num_rows, 1))

    def _wait(self) -> None:
        """Waits for what is being written. Raises CaseFileError where that failed."""
        if self._writing is None:
            return
        writing, self._writing = self._writing, None
        try:
            writing.result()
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def commit(self) -> None:
        """Writes what is held and gives the file its name."""
        self._flush()
        self._wait()
        try:
            self._close()
            self.partial.replace(self.path)
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def _close(self) -> None:
        text, parquet = self._text, self._parquet
        self._text = self._parquet = None
        if text is not None:
            text.close()
        if parquet is not None:
            parquet.close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._thread.shutdown(wait=True)
        try:
            self._close()
        except OSError:
            if error is None:
                raise
        finally:
            self.partial.unlink(missing_ok=True)


def _unwritable(path: Path, error: OSError) -> CaseFileError:
    return CaseFileError(f"{path}: cannot be written ({error.strerror or error})")


def _without_blanks(row: dict[str, Any]) -> dict[str, Any]:
    """A row for JSON: spans as an object, columns without a value left out."""
    kept = {name: cell for name, cell in row.items() if cell is not None}
    if "spans" in kept:
        kept["spans"] = json.loads(kept["spans"])
    return kept


class Ids:
    """Finds ids that stand twice: all ids are held, as bytes, and compared at the end."""

    def __init__(self, source: Source, column: str) -> None:
        self.source = source
        self.column = column
        self._ids: list[Array] = []
        self._numbers: list[Sequence[int]] = []

    def add(self, cases: Cases) -> None:
        """Notes the ids of some rows."""
        self._ids.append(cases.cells.column("case_id").combine_chunks())
        self._numbers.append(cases.numbers)

    def check(self, problems: Problems) -> None:
        """Notes every id that stands in an earlier row already."""
        ids = pa.chunked_array(self._ids, pa.string())
        if pc.count_distinct(ids).as_py() == len(ids):
            return
        first: dict[str, int] = {}
        for array, numbers in zip(self._ids, self._numbers, strict=True):
            texts: list[str] = array.to_pylist()
            for text, number in zip(texts, numbers, strict=True):
                if text in first:
                    earlier = f"{self.source.info.unit} {first[text]}"
                    problems.add(
                        self.source.place(number, self.column),
                        f"{text[:60]!r} stands already in {earlier}; ids are unique. If a case "
                        "has several rows, say which counts: --rows first, last or longest",
                        "ids that stand twice",
                    )
                elif text.strip():
                    first[text] = number

"""Variants -> Parquet, batch by batch, and back; and one case shown with its difference marked."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from justeval.schema import VARIANTS
from justeval.variants.records import Skipped, Variant

BATCH = 4_000
"""Variants held at a time: some megabytes of text, a row group of the file each."""
_ENCODING: Any = {
    "use_dictionary": ["case_id", "label", "value"],
    "write_statistics": ["case_id", "label", "value"],
}
"""Texts and ids hardly repeat: looking for repetitions in them costs more than it saves."""

_DIGITS = 16
"""Digits of an id that are counted: 64 bits, and 8 bytes a variant where a set takes 120."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a stream of variants came to: rows, distinct texts, and labels left out by reason."""

    rows: int
    texts: int
    skipped: tuple[Skipped, ...]

    @property
    def skipped_by_kind(self) -> dict[str, int]:
        """How many (case, label) pairs were left out, by kind of reason."""
        return dict(Counter(skip.kind for skip in self.skipped).most_common())


def write_variants(stream: Iterable[Variant | Skipped], path: Path) -> Written:
    """Writes variants to a Parquet file in the shape of schema.VARIANTS, streaming.

    The file appears under its name only when it is whole. Each batch is written while the next is
    made.
    """
    partial = path.with_name(path.name + ".partial")
    rows, ids, skipped = 0, array("Q"), list[Skipped]()
    writing: Future[None] | None = None
    try:
        with (
            pq.ParquetWriter(partial, VARIANTS, compression="zstd", **_ENCODING) as writer,
            ThreadPoolExecutor(max_workers=1) as thread,
        ):
            iterator = iter(stream)
            while items := list(islice(iterator, BATCH)):
                variants: Sequence[Any] = items
                if any(type(item) is Skipped for item in items):
                    variants = [item for item in items if type(item) is not Skipped]
                    skipped += [item for item in items if type(item) is Skipped]
                columns = list(zip(*variants, strict=True)) or [()] * len(VARIANTS)
                ids.extend(int(text[:_DIGITS], 16) for text in columns[0])
                rows += len(variants)
                batch = _batch(columns)
                if writing is not None:
                    writing.result()
                writing = thread.submit(writer.write_batch, batch)
            if writing is not None:
                writing.result()
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return Written(rows, int(np.unique(np.array(ids, dtype=np.uint64)).size), tuple(skipped))


def _batch(columns: Sequence[Sequence[Any]]) -> pa.RecordBatch:
    arrays = [
        pa.array(column, type=field.type) for column, field in zip(columns, VARIANTS, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=VARIANTS)


def marked(variant: Variant, opening: str = "[[", closing: str = "]]") -> str:
    """The text of a variant with what was edited between two marks."""
    start, end = variant.edit_start, variant.edit_end
    return f"{variant.text[:start]}{opening}{variant.text[start:end]}{closing}{variant.text[end:]}"

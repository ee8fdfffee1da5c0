"""Journal -> predictions.parquet, also where the journal is larger than memory.

In: a run's folder. Out: its predictions, in the order of model and position. A journal of many
lines is read in parts: each part is a small run of its own, read by the same code.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from array import array
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from justeval.collect.requests import KEY_BYTES, Positions, packed_key
from justeval.runs import RunFolder, predictions_of, write_predictions
from justeval.runs.journal import numbered_lines
from justeval.schema import PREDICTIONS, VARIANTS

PART = 5_000
"""Lines that are read at once."""

_COLUMNS = ("variant_id", "case_id", "label", "value", "is_reference")


def predict(folder: RunFolder, part: int = PART) -> None:
    """Makes a run's predictions from its journal, whole or not at all."""
    index = _index(folder.journal)
    if len(index.offsets) <= part:
        write_predictions(folder)
        return
    offsets = index.offsets[index.in_order()]
    del index
    partial = folder.predictions.with_name("predictions.parquet.partial")
    with (
        tempfile.TemporaryDirectory(dir=folder.path) as scratch,
        pq.ParquetWriter(partial, PREDICTIONS, compression="zstd") as writer,
    ):
        view = RunFolder(Path(scratch))
        shutil.copyfile(folder.manifest_path, view.manifest_path)
        shutil.copyfile(folder.cases, view.cases)
        for start in range(0, len(offsets), part):
            ids = _write_lines(folder.journal, offsets[start : start + part], view.journal)
            _write_variants(folder.variants, ids, view.variants)
            writer.write_table(predictions_of(view))
            pa.default_memory_pool().release_unused()
    partial.replace(folder.predictions)


@dataclass(frozen=True, slots=True)
class _Index:
    """Where each line of a journal begins, and what decides whether it counts."""

    offsets: Positions
    keys: npt.NDArray[np.bytes_]
    failed: npt.NDArray[np.bool_]
    models: npt.NDArray[np.int16]
    positions: Positions

    def in_order(self) -> Positions:
        """The lines that count (of each key the first answer, else the last failure), in order
        of model and position."""
        late = np.where(self.failed, -self.offsets, self.offsets)
        by_key = np.lexsort((late, self.failed, self.keys))
        keys = self.keys[by_key]
        again = keys[1:] == keys[:-1]
        counting = np.concatenate((by_key[:1], by_key[1:][~again]))
        in_order = np.lexsort((self.positions[counting], self.models[counting]))
        return counting[in_order].astype(np.int64)


def _index(journal: Path) -> _Index:
    keys = bytearray()
    offsets, failed, positions, models = array("q"), array("b"), array("q"), array("h")
    number_of: dict[str, int] = {}
    for offset, line in numbered_lines(journal):
        keys += packed_key(str(line["key"]))
        offsets.append(offset)
        failed.append(bool(line.get("error")))
        positions.append(line.get("position") or 0)
        models.append(number_of.setdefault(str(line.get("model")), len(number_of)))
    names = sorted(number_of)
    rank = np.array([names.index(name) for name in number_of], np.int16)
    return _Index(
        np.frombuffer(offsets, np.int64),
        np.frombuffer(keys, dtype=f"S{KEY_BYTES}"),
        np.frombuffer(failed, np.bool_),
        rank[np.frombuffer(models, np.int16)],
        np.frombuffer(positions, np.int64),
    )


def _write_lines(journal: Path, offsets: Positions, path: Path) -> list[str]:
    """Copies lines into a journal of their own; the variants that they answer."""
    ids = []
    with journal.open("rb") as source, path.open("wb") as file:
        for offset in offsets.tolist():
            source.seek(offset)
            raw = source.readline()
            ids.append(str(json.loads(raw)["variant_id"]))
            file.write(raw)
    return ids


def _write_variants(source: Path, ids: list[str], path: Path) -> None:
    """Writes those variants that are needed, without their texts."""
    wanted = pc.field("variant_id").isin(sorted(set(ids)))
    few = pq.read_table(source, columns=[*_COLUMNS], filters=wanted, use_threads=False)
    columns = [
        few[field.name].combine_chunks()
        if field.name in _COLUMNS
        else pa.nulls(len(few), field.type)
        for field in VARIANTS
    ]
    pq.write_table(pa.Table.from_arrays(columns, schema=VARIANTS), path)

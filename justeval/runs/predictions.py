"""Journal -> predictions: every raw reply read with today's reader, one row a variant's label.

In: a run's folder. Out: an Arrow table in the shape of schema.PREDICTIONS. A reply to a text that
several labels share becomes one row for each of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from justeval.errors import RunError
from justeval.replies import read_reply
from justeval.runs.folder import RunFolder
from justeval.runs.journal import Line, read_journal
from justeval.schema import PREDICTIONS, VARIANTS, Prediction

_FROM_LINE = (
    "model", "model_version", "served_by", "variant_id", "repetition", "position", "reply",
    "finish_reason", "prompt_tokens", "completion_tokens", "cost_usd", "latency_ms", "asked_at",
    "attempts",
)  # fmt: skip
_FROM_PREDICTION = (
    "status", "reason", "guilty", "penalty", "months", "probation_months", "decision",
    "probability", "risk_score", "bond_amount", "bond_currency", "charge",
)  # fmt: skip
_FROM_VARIANT = ("case_id", "label", "value", "is_reference")


def settled_lines(journal: Iterable[Line]) -> dict[str, Line]:
    """For each key the line that counts: the first answer, else the last failure."""
    settled: dict[str, Line] = {}
    for line in journal:
        earlier = settled.get(line["key"])
        if earlier is None or earlier.get("error"):
            settled[line["key"]] = line
    return settled


def predictions_of(folder: RunFolder, bounded: bool = True) -> pa.Table:
    """The predictions of a run, read anew from its journal.

    `bounded=False` reads as published: no bound on terms.
    """
    manifest = folder.manifest()
    variants = pq.read_table(folder.variants, columns=["variant_id", *_FROM_VARIANT])
    lines = list(settled_lines(read_journal(folder.journal)).values())
    cases = {case["case_id"]: case for case in read_cases(folder)}
    return _table(str(manifest["run_id"]), lines, variants, cases, bounded)


def write_predictions(folder: RunFolder) -> pa.Table:
    """Makes predictions.parquet from the journal, whole or not at all, and returns it."""
    table = predictions_of(folder)
    partial = folder.predictions.with_name("predictions.parquet.partial")
    pq.write_table(table, partial, compression="zstd")
    partial.replace(folder.predictions)
    return table


def read_cases(folder: RunFolder) -> list[dict[str, Any]]:
    """The cases of a run as rows; none where the run was made of replies without cases."""
    if not folder.cases.is_file():
        return []
    try:
        text = folder.cases.read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines() if line]
    except ValueError as error:
        raise RunError(f"{folder.cases}: damaged ({error})") from error


def _table(
    run_id: str,
    lines: list[Line],
    variants: pa.Table,
    cases: Mapping[str, Mapping[str, Any]],
    bounded: bool,
) -> pa.Table:
    rows_of: dict[str, list[int]] = {}
    for row, variant in enumerate(variants["variant_id"].to_pylist()):
        rows_of.setdefault(str(variant), []).append(row)
    left, right = [], []
    for i, line in enumerate(lines):
        for row in rows_of.get(line["variant_id"], ()):
            left.append(i)
            right.append(row)
    replies = _reply_columns(lines, bounded)
    columns: dict[str, pa.Array[Any]] = {
        name: array.take(pa.array(left, pa.int64())) for name, array in replies.items()
    }
    for name in _FROM_VARIANT:
        columns[name] = variants[name].combine_chunks().take(pa.array(right, pa.int64()))
    columns["run_id"] = pa.array([run_id] * len(left), pa.string())
    columns |= _case_columns(columns["case_id"], cases)
    table = pa.table({field.name: columns[field.name] for field in PREDICTIONS}, PREDICTIONS)
    return table.sort_by([("model", "ascending"), ("position", "ascending")])


def _reply_columns(lines: list[Line], bounded: bool) -> dict[str, pa.Array[Any]]:
    read: dict[tuple[object, object], Prediction] = {}
    predictions = []
    for line in lines:
        key = (line.get("reply"), line.get("finish_reason"))
        if line.get("error"):
            predictions.append(Prediction("provider_error", str(line["error"].get("message", ""))))
            continue
        if line.get("read"):  # a table of predictions: read where it was made
            predictions.append(Prediction(**line["read"]))
            continue
        if key not in read:
            read[key] = read_reply(line.get("reply"), line.get("finish_reason"), bounded=bounded)
        predictions.append(read[key])
    columns = {name: [line.get(name) for line in lines] for name in _FROM_LINE}
    columns |= {name: [getattr(p, name) for p in predictions] for name in _FROM_PREDICTION}
    return {n: pa.array(column, PREDICTIONS.field(n).type) for n, column in columns.items()}


def _case_columns(
    case_ids: pa.Array[Any], cases: Mapping[str, Mapping[str, Any]]
) -> dict[str, pa.Array[Any]]:
    encoded = case_ids.dictionary_encode()
    known = [cases.get(str(case_id), {}) for case_id in encoded.dictionary.to_pylist()]
    codes = pa.array(np.asarray(encoded.indices), pa.int64())
    sources = {"true_months": "true_months", "case_charge": "charge", "filed_year": "filed_year"}
    return {
        name: pa.array([c.get(source) for c in known], PREDICTIONS.field(name).type).take(codes)
        for name, source in sources.items()
    }


def variants_table(rows: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Rows in the shape of schema.VARIANTS as a table, for runs made of replies."""
    return pa.Table.from_pylist([dict(row) for row in rows], VARIANTS)

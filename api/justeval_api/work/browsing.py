"""A run -> documents that can be paged, filtered and sorted, and replies that are found at once.

In: a run. Out: a SQLite file with one row a document of each model and label, and a Parquet file
of the predictions sorted in the same way, so that the replies of one document lie in one group of
rows. Whether a document changed is told by the library, as in the label tables.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from justeval.analyzing import diagnosis_of
from justeval.diagnose import flagged_rows
from justeval.estimate.encoding import Encoded, encode, stable_order
from justeval.estimate.records import Codes
from justeval.estimate.rule import as_numbers, judge
from justeval.estimate.sample import Sample, sample_of
from justeval.evidence import Evidence
from justeval.runs import RunFolder, read_cases
from justeval_api.work.options import ROWS_A_GROUP, ResultOptions, digest
from justeval_api.work.sources import Asked, gather

_TABLES = """
CREATE TABLE documents (
    model TEXT, label TEXT, id TEXT, case_id TEXT, charge TEXT, true_months REAL,
    changed INTEGER, unreadable INTEGER, flagged INTEGER, spread REAL, answers TEXT,
    first_row INTEGER, end_row INTEGER
);
CREATE TABLE cases (
    id TEXT PRIMARY KEY, case_id TEXT, facts TEXT, charge TEXT, filed_year INTEGER,
    true_months REAL, true_penalty TEXT
);
CREATE TABLE labels (model TEXT, label TEXT, place INTEGER, name TEXT);
CREATE TABLE label_values (label TEXT, value TEXT, name TEXT);
"""
_INDEX = "CREATE UNIQUE INDEX by_label ON documents (model, label, id)"
Document = tuple[Any, ...]


def document_id(case_id: str) -> str:
    """The id of a document: the same for the same case in every run."""
    return f"d-{digest(case_id)[:12]}"


def make_browsable(run: Asked, target: str, replies: str) -> None:
    """Writes both files of a run, whole or not at all."""
    evidence = gather([run], ResultOptions()).evidence
    folder = RunFolder(Path(run["folder"]))
    ordered = _order(evidence, flagged_rows(diagnosis_of(evidence)))
    partial, partial_replies = Path(f"{target}.partial"), Path(f"{replies}.partial")
    partial.parent.mkdir(parents=True, exist_ok=True)
    partial.unlink(missing_ok=True)
    table = evidence.predictions.take(pa.array(ordered.rows, pa.int64()))
    pq.write_table(table, partial_replies, compression="zstd", row_group_size=ROWS_A_GROUP)
    cases = read_cases(folder)
    with closing(sqlite3.connect(partial)) as database, database:
        database.executescript(_TABLES)
        marks = ", ".join("?" * 13)
        rows = _documents(ordered, table, {str(case["case_id"]): case for case in cases})
        database.executemany(f"INSERT INTO documents VALUES ({marks})", rows)
        database.executemany(
            "INSERT OR IGNORE INTO cases VALUES (?, ?, ?, ?, ?, ?, ?)", map(_case, cases)
        )
        database.executemany("INSERT INTO labels VALUES (?, ?, ?, ?)", _labels(ordered, evidence))
        database.executemany("INSERT INTO label_values VALUES (?, ?, ?)", _values(evidence))
        database.execute(_INDEX)
    partial_replies.replace(replies)
    partial.replace(target)


@dataclass(frozen=True, slots=True)
class _Ordered:
    """Rows of labels, sorted by model, label, document, value and repetition.

    rows : (N,) where they stand in the predictions. starts : (D + 1,) where each document of each
    model and label begins. months : (N,) NaN where a reply states none. changed : (model, label,
    document) codes of the documents whose answers differ.
    """

    encoded: Encoded
    rows: Codes
    starts: Codes
    months: list[float]
    usable: list[bool]
    flagged: list[bool]
    changed: frozenset[tuple[int, int, int]]


def _order(evidence: Evidence, flagged: Codes) -> _Ordered:
    encoded = encode(evidence.predictions)
    ranges = {name: label.range for name, label in evidence.labels.items() if label.numeric}
    numbers = as_numbers(encoded.value.names)
    judged = judge(encoded, evidence.longest_months, numbers, ranges)
    sample = sample_of(encoded, evidence.longest_months, ranges)
    codes = (encoded.model.codes, encoded.label.codes, encoded.document.codes)
    labelled = (encoded.label.codes >= 0) & (encoded.value.codes >= 0)
    keys = (*(np.where(labelled, code, 0) for code in codes), encoded.value.codes + 1)
    order = stable_order((~labelled).astype(np.int64), *keys, encoded.repetition)
    rows = order[: int(np.count_nonzero(labelled))]
    new = np.ones(rows.size, dtype=np.bool_)
    if rows.size:
        new[1:] = np.any([code[rows][1:] != code[rows][:-1] for code in codes], axis=0)
    marked = np.zeros(encoded.rows, dtype=np.bool_)
    marked[flagged] = True
    return _Ordered(
        encoded=encoded,
        rows=rows,
        starts=np.append(np.flatnonzero(new), rows.size),
        months=np.where(judged.comparable, judged.months, np.nan)[rows].tolist(),
        usable=judged.comparable[rows].tolist(),
        flagged=marked[rows].tolist(),
        changed=frozenset(_changed(sample)),
    )


def _changed(sample: Sample) -> Iterator[tuple[int, int, int]]:
    """Codes of model, label and document where answers differ."""
    for model in range(len(sample.models)):
        for label in range(len(sample.labels)):
            compared = sample.comparisons_of(sample.group(model, label))
            for document in compared.document[compared.changed].tolist():
                yield model, label, document


def _documents(ordered: _Ordered, table: pa.Table, cases: dict[str, Any]) -> Iterator[Document]:
    """One row a document of each model and label."""
    encoded = ordered.encoded
    values = encoded.value.codes[ordered.rows].tolist()
    reference = encoded.is_reference[ordered.rows].tolist()
    charges, true_months = table["case_charge"].to_pylist(), table["true_months"].to_pylist()
    columns = (encoded.model, encoded.label, encoded.document)
    starts = ordered.starts.tolist()
    first_rows = ordered.rows[ordered.starts[:-1]]
    for at, (first, end) in enumerate(pairwise(starts)):
        place = tuple(int(column.codes[first_rows[at]]) for column in columns)
        model, label, case_id = (c.names[code] for c, code in zip(columns, place, strict=True))
        answers = _answers(ordered, values, reference, first, end)
        means = [answer["months"] for answer in answers if answer["months"] is not None]
        yield (
            model, label, document_id(case_id), case_id,
            charges[first] or cases.get(case_id, {}).get("charge"), true_months[first],
            place in ordered.changed,
            sum(answer["replies"] - answer["readable"] for answer in answers),
            any(ordered.flagged[first:end]),
            max(means) - min(means) if len(means) > 1 else None,
            json.dumps(answers, ensure_ascii=False), first, end,
        )  # fmt: skip


def _answers(
    ordered: _Ordered, values: Sequence[int], reference: Sequence[bool], first: int, end: int
) -> list[dict[str, Any]]:
    """What each value of one document was answered, the reference first."""
    by_value: dict[int, list[int]] = {}
    for row in range(first, end):
        by_value.setdefault(values[row], []).append(row)
    answers = []
    for value, rows in by_value.items():
        months = [ordered.months[row] for row in rows if ordered.usable[row]]
        answers.append(
            {
                "value": ordered.encoded.value.names[value],
                "is_reference": reference[rows[0]],
                "months": sum(months) / len(months) if months else None,
                "replies": len(rows),
                "readable": len(months),
            }
        )
    return sorted(answers, key=lambda answer: not answer["is_reference"])


def _case(case: dict[str, Any]) -> tuple[Any, ...]:
    names = ("facts", "charge", "filed_year", "true_months", "true_penalty")
    case_id = str(case["case_id"])
    return (document_id(case_id), case_id, *(case.get(name) for name in names))


def _labels(ordered: _Ordered, evidence: Evidence) -> Iterator[tuple[str, str, int, str]]:
    """Every label of every model, in the run's order."""
    encoded = ordered.encoded
    known = list(evidence.labels)
    names = sorted(encoded.label.names, key=lambda n: known.index(n) if n in known else len(known))
    asked = [str(model) for run in evidence.runs for model in run["models"]]
    for model in dict.fromkeys([*asked, *encoded.model.names]):
        for place, name in enumerate(names):
            label = evidence.labels.get(name)
            yield model, name, place, name if label is None else label.name.get("en", name)


def _values(evidence: Evidence) -> Iterator[tuple[str, str, str]]:
    for label in evidence.labels.values():
        for value in label.values:
            yield label.id, value.id, value.name.get("en", value.id)

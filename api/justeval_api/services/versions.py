"""One document: its texts side by side, and every reply to each of them.

In: its row in the browsable run, the sorted predictions, the texts. Out: a Document.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from justeval_api.schemas.documents import Document, DocumentVersion, ReplyOf
from justeval_api.work.options import ROWS_A_GROUP

_REPLY = tuple(ReplyOf.model_fields)
_TEXT = ("value", "variant_id", "text", "edit_start", "edit_end")
Row = Mapping[str, Any]


def document_of(database: sqlite3.Connection, row: Row, replies: Path, variants: Path) -> Document:
    """The whole of one document of one model and label."""
    case = database.execute("SELECT * FROM cases WHERE id = ?", (row["id"],)).fetchone()
    named = database.execute(
        "SELECT value, name FROM label_values WHERE label = ?", (row["label"],)
    )
    names = {str(value): str(name) for value, name in named.fetchall()}
    label = database.execute("SELECT name FROM labels WHERE label = ?", (row["label"],)).fetchone()
    known = dict(case) if case is not None else {}
    return Document(
        id=row["id"],
        case_id=row["case_id"],
        model=row["model"],
        label=row["label"],
        label_name=label["name"],
        charge=row["charge"],
        filed_year=known.get("filed_year"),
        true_months=row["true_months"],
        true_penalty=known.get("true_penalty"),
        facts=known.get("facts"),
        changed=bool(row["changed"]),
        versions=_versions(row, names, _replies(replies, row), _texts(variants, row)),
    )


def _versions(
    row: Row, names: Mapping[str, str], replies: list[Row], texts: Mapping[str, Row]
) -> list[DocumentVersion]:
    versions = []
    for answer in json.loads(row["answers"]):
        value = answer["value"]
        own = [reply for reply in replies if reply["value"] == value]
        text = texts.get(value, {})
        versions.append(
            DocumentVersion(
                value=value,
                name=names.get(value, value),
                is_reference=answer["is_reference"],
                variant_id=own[0]["variant_id"] if own else text.get("variant_id"),
                text=text.get("text"),
                edit_start=text.get("edit_start"),
                edit_end=text.get("edit_end"),
                replies=[ReplyOf(**{name: reply[name] for name in _REPLY}) for reply in own],
            )
        )
    return versions


def _replies(path: Path, row: Row) -> list[Row]:
    """The predictions of one document: rows [first_row, end_row) of the sorted file."""
    first, end = row["first_row"], row["end_row"]
    groups = list(range(first // ROWS_A_GROUP, (end - 1) // ROWS_A_GROUP + 1))
    columns = ["value", "variant_id", *_REPLY]
    table = pq.ParquetFile(path).read_row_groups(groups, columns=columns)
    start = first - groups[0] * ROWS_A_GROUP
    return list(table.slice(start, end - first).to_pylist())


def _texts(path: Path, row: Row) -> dict[str, Row]:
    """The texts of one document for one label, by value; none where they were asked elsewhere."""
    if not path.is_file():
        return {}
    wanted = (pc.field("case_id") == row["case_id"]) & (pc.field("label") == row["label"])
    table = pq.read_table(path, columns=list(_TEXT), filters=wanted)
    return {str(found["value"]): found for found in table.to_pylist()}


def reply_rows(document: Document) -> list[dict[str, Any]]:
    """A document as a table: one row a reply, the text that was asked in the last column."""
    origin = {"model": document.model, "label": document.label, "case_id": document.case_id}
    return [
        {
            **origin,
            "value": version.value,
            "is_reference": version.is_reference,
            "variant_id": version.variant_id,
            **reply.model_dump(mode="json"),
            "text": version.text,
        }
        for version in document.versions
        for reply in version.replies
    ]

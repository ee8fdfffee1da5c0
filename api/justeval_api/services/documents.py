"""Documents of a label, page by page, and one of them with its texts and replies.

In: a run that a worker has made browsable. Out: rows of it. No more is read than is shown.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import Request, Response

from justeval_api.errors import NotFoundError
from justeval_api.paging import cursor_of, offset_of
from justeval_api.schemas.documents import Document
from justeval_api.services.core import Core
from justeval_api.services.results import CSV, JSON, Results
from justeval_api.services.runs import Runs
from justeval_api.services.stored import Stored, answer
from justeval_api.services.tables import csv_of
from justeval_api.services.versions import document_of
from justeval_api.state.records import RunRecord

_ONLY = {
    "all": "1",
    "changed": "changed",
    "unchanged": "NOT changed",
    "unreadable": "unreadable > 0",
    "flagged": "flagged",
}
_COLUMNS = {"case_id": "case_id", "spread": "spread", "true_months": "true_months",
            "unreadable": "unreadable"}  # fmt: skip
_SHOWN = (
    "id", "case_id", "model", "label", "charge", "true_months", "changed", "unreadable", "flagged",
    "spread", "answers",
)  # fmt: skip
MOST_ROWS = 1_000_000


@dataclass(frozen=True, slots=True)
class Browsable:
    """The two files that a worker made of a run."""

    database: Path
    replies: Path


class Documents:
    """Single documents of runs."""

    def __init__(self, core: Core, runs: Runs, results: Results) -> None:
        self.core = core
        self.runs = runs
        self.results = results

    async def documents(
        self,
        run_id: str,
        label: str,
        model: str | None,
        only: str,
        sort: str,
        cursor: str | None,
        limit: int,
        format: str,
        request: Request,
    ) -> Response:
        """Documents as filtered and sorted."""
        start = offset_of(cursor)
        whole = format == "csv"
        found = await self._browsable(run_id)
        rows, total = await asyncio.to_thread(
            _page, found.database, label, model, only, sort,
            0 if whole else start, MOST_ROWS if whole else limit,
        )  # fmt: skip
        if whole:
            stored = Stored.of(csv_of(rows).encode("utf-8", "replace"), CSV)
            name = 'attachment; filename="documents.csv"'
            return answer(stored, request, {"content-disposition": name})
        end = start + len(rows)
        page = {
            "items": rows,
            "next": cursor_of(end) if rows and end < total else None,
            "total": total,
        }
        text = json.dumps(page, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return answer(Stored.of(text.encode("utf-8", "replace"), JSON), request)

    async def document(
        self, run_id: str, document_id: str, label: str, model: str | None
    ) -> Document:
        """One document with all its versions and replies."""
        found = await self._browsable(run_id)
        folder = self.runs.home(run_id).folder

        def read() -> Document:
            with _opened(found.database) as database:
                chosen = _model(database, label, model)
                row = database.execute(
                    "SELECT * FROM documents WHERE model = ? AND label = ? AND id = ?",
                    (chosen, label, document_id),
                ).fetchone()
                if row is None:
                    raise NotFoundError(f"no document {document_id!r} of {label[:100]!r}")
                return document_of(database, row, found.replies, folder.variants)

        return await asyncio.to_thread(read)

    async def prepare(self, record: RunRecord) -> None:
        """Makes the documents of a run that has ended ready to be browsed."""
        await self._browsable(record.id)

    async def _browsable(self, run_id: str) -> Browsable:
        token = self.results.token(run_id)
        folder = self.core.folders.results / run_id / "documents"
        found = Browsable(folder / f"{token}.sqlite", folder / f"{token}.parquet")
        if not found.database.is_file():
            asked = self.results.asked(run_id)
            paths = {"target": str(found.database), "replies": str(found.replies)}
            await self.results.make("browse", {"run": asked, **paths}, [run_id])
            await asyncio.to_thread(_tidy, folder, token)
        return found


def _page(
    path: Path, label: str, model: str | None, only: str, sort: str, start: int, limit: int
) -> tuple[list[dict[str, Any]], int]:
    column, falling = _COLUMNS[sort.removeprefix("-")], sort.startswith("-")
    order = f"{column} IS NULL, {column} {'DESC' if falling else 'ASC'}, case_id"
    where = f"model = ? AND label = ? AND {_ONLY[only]}"
    with _opened(path) as database:
        given = (_model(database, label, model), label)
        (total,) = database.execute(
            f"SELECT count(*) FROM documents WHERE {where}", given
        ).fetchone()
        rows = database.execute(
            f"SELECT {', '.join(_SHOWN)} FROM documents WHERE {where} "
            f"ORDER BY {order} LIMIT ? OFFSET ?",
            (*given, limit, start),
        ).fetchall()
    return [_row(row) for row in rows], int(total)


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: row[name] for name in _SHOWN}
    shown["spread_months"] = shown.pop("spread")
    shown["answers"] = json.loads(shown["answers"])
    return {**shown, "changed": bool(shown["changed"]), "flagged": bool(shown["flagged"])}


def _model(database: sqlite3.Connection, label: str, model: str | None) -> str:
    """The model asked for, by default the first. Raises NotFoundError where there is none such."""
    rows = database.execute("SELECT model FROM labels WHERE label = ?", (label,)).fetchall()
    models = [str(row["model"]) for row in rows]
    if not models:
        raise NotFoundError(f"no label {label[:100]!r} in this run")
    if model is not None and model not in models:
        raise NotFoundError(f"no model {model[:100]!r} in this run; it has {', '.join(models)}")
    return model if model is not None else models[0]


def _opened(path: Path) -> closing[sqlite3.Connection]:
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    database.row_factory = sqlite3.Row
    return closing(database)


def _tidy(folder: Path, token: str) -> None:
    """Removes what was made of earlier states; who has it open can still read it."""
    for other in folder.iterdir():
        if not other.name.startswith(token):
            other.unlink(missing_ok=True)

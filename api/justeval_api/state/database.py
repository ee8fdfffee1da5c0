"""The database: what can be asked quickly. All of it can be made again from the folders.

In: records. Out: records, page by page. SQLite in WAL mode; one connection, which threads share
under a lock. A row of a run is small: its request and state as JSON beside the columns that are
sorted and filtered by.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from justeval.errors import UsageError
from justeval_api.state.records import ACTIVE, RunRecord

VERSION = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    state TEXT NOT NULL,
    record TEXT NOT NULL,
    request TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS runs_by_time ON runs (created_at DESC, id DESC);
CREATE TABLE IF NOT EXISTS items (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT;
"""
Item = dict[str, Any]


class Database:
    """Runs and items (case sets, packs, prompts) by id. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._lock = threading.RLock()
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            (found,) = self._connection.execute("PRAGMA user_version").fetchone()
            if found not in (0, VERSION):
                raise UsageError(f"{path}: made by another version; start once with --reindex")
            self._connection.executescript(_TABLES)
            self._connection.execute(f"PRAGMA user_version = {VERSION}")
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise UsageError(f"{path}: damaged ({error}); start once with --reindex") from error

    def close(self) -> None:
        """Closes the connection."""
        with self._lock:
            self._connection.close()

    def put_run(self, record: RunRecord) -> None:
        """Keeps a run, in place of what was known of it."""
        row = (
            record.id,
            record.created_at,
            record.state,
            json.dumps(record.state_json(), ensure_ascii=False),
            json.dumps(dict(record.request), ensure_ascii=False),
        )
        self._execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?)", row)

    def run(self, run_id: str) -> RunRecord | None:
        """The run of this id, or None."""
        rows = self._execute("SELECT record, request FROM runs WHERE id = ?", (run_id,))
        return _record(rows[0]) if rows else None

    def runs(
        self, state: str | None, after: tuple[str, str] | None, limit: int
    ) -> tuple[list[RunRecord], int]:
        """Runs, the latest first, after (created_at, id) of the last one seen; and how many all."""
        where, given = ("WHERE state = ?", [state]) if state else ("WHERE 1", [])
        ((total,),) = self._execute(f"SELECT count(*) FROM runs {where}", given)
        if after:
            where += " AND (created_at, id) < (?, ?)"
        rows = self._execute(
            f"SELECT record, request FROM runs {where} ORDER BY created_at DESC, id DESC LIMIT ?",
            [*given, *(after or ()), limit],
        )
        return [_record(row) for row in rows], int(total)

    def active_runs(self) -> list[RunRecord]:
        """Runs for which there is something to do, the earliest first."""
        marks = ", ".join("?" * len(ACTIVE))
        rows = self._execute(
            f"SELECT record, request FROM runs WHERE state IN ({marks}) ORDER BY created_at, id",
            ACTIVE,
        )
        return [_record(row) for row in rows]

    def delete_run(self, run_id: str) -> None:
        """Forgets a run."""
        self._execute("DELETE FROM runs WHERE id = ?", (run_id,))

    def put_item(self, kind: str, item: Mapping[str, Any]) -> None:
        """Keeps an item, which has `id` and `created_at`, in place of what was known of it."""
        document = json.dumps(dict(item), ensure_ascii=False)
        row = (kind, item["id"], item["created_at"], document)
        self._execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?)", row)

    def item(self, kind: str, item_id: str) -> Item | None:
        """The item of this kind and id, or None."""
        rows = self._execute(
            "SELECT document FROM items WHERE kind = ? AND id = ?", (kind, item_id)
        )
        return _item(rows[0]) if rows else None

    def items(self, kind: str) -> list[Item]:
        """All items of a kind, the earliest first."""
        rows = self._execute(
            "SELECT document FROM items WHERE kind = ? ORDER BY created_at, id", (kind,)
        )
        return [_item(row) for row in rows]

    def delete_item(self, kind: str, item_id: str) -> None:
        """Forgets an item."""
        self._execute("DELETE FROM items WHERE kind = ? AND id = ?", (kind, item_id))

    def _execute(self, sql: str, given: Any = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401
        with self._lock:
            return self._connection.execute(sql, given).fetchall()


def _record(row: tuple[Any, ...]) -> RunRecord:
    return RunRecord.from_json(json.loads(row[0]), json.loads(row[1]))


def _item(row: tuple[Any, ...]) -> Item:
    item: Item = json.loads(row[0])
    return item

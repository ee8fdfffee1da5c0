"""Folders -> database: all that is known, found again on disk.

In: the folder of a service. Out: a new database. What lies in a folder without the files that
every run or case set has is passed over and told.
"""

from __future__ import annotations

from pathlib import Path

from justeval_api.state.database import Database
from justeval_api.state.folders import IDS, Folders, read_json, remove
from justeval_api.state.records import RunRecord


def reindex(folders: Folders) -> list[str]:
    """Makes the database anew; the names of what was passed over."""
    for suffix in ("", "-wal", "-shm"):
        remove(folders.database.with_name(folders.database.name + suffix))
    database = Database(folders.database)
    try:
        passed = [home.name for home in _homes(folders.runs) if not _run(database, home)]
        passed += [home.name for home in _homes(folders.datasets) if not _dataset(database, home)]
        for kind, folder in (("pack", folders.packs), ("prompt", folders.prompts)):
            passed += [
                file.name
                for file in sorted(folder.glob("*.json"))
                if not _described(database, kind, file)
            ]
    finally:
        database.close()
    return passed


def _homes(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() and IDS.match(path.name))


def _run(database: Database, home: Path) -> bool:
    try:
        record = RunRecord.from_json(
            read_json(home / "state.json"), read_json(home / "request.json")
        )
    except (KeyError, TypeError):
        return False
    if record.id != home.name or not record.request:
        return False
    database.put_run(record)
    return True


def _dataset(database: Database, home: Path) -> bool:
    return _described(database, "dataset", home / "about.json", home.name)


def _described(database: Database, kind: str, file: Path, item_id: str | None = None) -> bool:
    item = read_json(file)
    if item.get("id") != (item_id or file.stem) or "created_at" not in item:
        return False
    database.put_item(kind, item)
    return True

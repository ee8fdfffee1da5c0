"""The journal: append-only, one line a reply, the only place where a reply is first written.

A line counts as written when it is on disk: lines are gathered for at most one second and then
written and synced together, off the event loop. Opening a journal drops at most one half line,
which a process that was killed may have left. A lock keeps a second process out.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from justeval.errors import RunError

SYNC_SECONDS = 0.5
Line = dict[str, Any]


class Journal:
    """A journal open for writing. `written` counts the lines that are on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.written = 0
        self._waiting: list[bytes] = []
        self._lock = _locked(path.with_suffix(".lock"))
        try:
            drop_half_line(path)
            self._file = path.open("ab", buffering=0)
        except OSError:
            self._lock.close()
            raise
        self._syncing = asyncio.Lock()

    def append(self, line: Line) -> None:
        """Takes a line; it is on disk after the next sync."""
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        self._waiting.append(text.encode("utf-8", "backslashreplace") + b"\n")

    async def keep_syncing(self) -> None:
        """Syncs at least every SYNC_SECONDS until it is cancelled."""
        while True:
            await asyncio.sleep(SYNC_SECONDS)
            await self.sync()

    async def sync(self) -> None:
        """Puts all waiting lines on disk. Raises RunError where the disk takes none."""
        async with self._syncing:
            lines, self._waiting = self._waiting, []
            if lines:
                await asyncio.to_thread(self._write, b"".join(lines))
                self.written += len(lines)

    def _write(self, data: bytes) -> None:
        start = os.fstat(self._file.fileno()).st_size
        try:
            view = memoryview(data)
            while view:
                view = view[self._file.write(view) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file.fileno(), start)
            message = f"{self.path}: cannot be written ({error.strerror}); free space and run again"
            raise RunError(message) from error

    def close(self) -> None:
        """Writes what still waits and lets go of the lock."""
        try:
            lines, self._waiting = self._waiting, []
            if lines:
                self._write(b"".join(lines))
                self.written += len(lines)
        finally:
            self._file.close()
            self._lock.close()


def _locked(path: Path) -> IO[str]:
    lock = path.open("a")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise RunError(
            f"{path.parent}: another process is collecting this run; wait for it or stop it"
        ) from None
    return lock


def drop_half_line(path: Path) -> None:
    """Cuts what follows the last newline: a line that was being written at a kill."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        at = end
        while at > 0:
            start = max(0, at - 65536)
            file.seek(start)
            newline = file.read(at - start).rfind(b"\n")
            if newline >= 0:
                at = start + newline + 1
                break
            at = start
        if at < end:
            file.truncate(at)


def read_journal(path: Path) -> Iterator[Line]:
    """The lines of a journal in the order written; a half line at the end is passed over.

    Raises RunError where a line inside is damaged.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if not raw.endswith(b"\n"):
                return
            try:
                line = json.loads(raw)
            except ValueError as error:
                message = f"{path} line {number}: damaged ({error}); the file was changed by hand"
                raise RunError(message) from error
            if not isinstance(line, dict) or "key" not in line:
                raise RunError(f"{path} line {number}: no journal line; the file was changed")
            yield line

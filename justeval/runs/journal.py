"""The journal: append-only, one line a reply, the only place where a reply is first written.

A line counts as written when it is on disk: lines are gathered for half a second and then written
and synced together, off the event loop; where the disk is slower than a second, `room` holds the
asking back. Opening a journal drops at most one half line, which a process that was killed may
have left. A lock keeps a second process out.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from justeval.errors import RunError

SYNC_SECONDS = 0.5
LONGEST_UNSYNCED_SECONDS = 1.0
Line = dict[str, Any]
_Taken = tuple[bytes, Callable[[], None] | None]


class Journal:
    """A journal open for writing. `written` counts the lines that are on disk.

    Raises RunError where another process holds it, or where it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.written = 0
        self._waiting: list[_Taken] = []
        self._batches: deque[list[_Taken]] = deque()
        self._finished: deque[tuple[list[_Taken], OSError | None]] = deque()
        self._unsynced_since = math.inf
        self._lock = _locked(path.with_suffix(".lock"))
        try:
            drop_half_line(path)
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            self._lock.close()
            raise RunError(f"{path}: cannot be opened ({error.strerror})") from error
        self._syncing = asyncio.Lock()
        self._disk = threading.Lock()

    def append(self, line: Line, on_disk: Callable[[], None] | None = None) -> None:
        """Takes a line; it is on disk after the next sync, and then `on_disk` is called."""
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        self._waiting.append((text.encode("utf-8", "backslashreplace") + b"\n", on_disk))
        self._unsynced_since = min(self._unsynced_since, time.monotonic())

    async def room(self) -> None:
        """Waits while a line that was taken more than a second ago is not on disk yet."""
        while time.monotonic() - self._unsynced_since > LONGEST_UNSYNCED_SECONDS:
            await asyncio.sleep(SYNC_SECONDS / 10)

    async def keep_syncing(self) -> None:
        """Syncs every SYNC_SECONDS until it is cancelled."""
        while True:
            await asyncio.sleep(SYNC_SECONDS)
            await self.sync()

    async def sync(self) -> None:
        """Puts all waiting lines on disk. Raises RunError where the disk does not take them.

        Cancelled, it loses nothing: what it was writing is counted by the next sync, or by close.
        """
        async with self._syncing:
            since = time.monotonic()
            self._stage()
            if self._batches:
                await asyncio.to_thread(self._write_batches)
            self._settle()
            self._unsynced_since = since if self._waiting else math.inf

    def close(self) -> None:
        """Writes what still waits and lets go of the lock; closing twice does no harm."""
        if self._file.closed:
            return
        try:
            self._stage()
            self._write_batches()
            self._settle()
        finally:
            self._file.close()
            self._lock.close()

    def _stage(self) -> None:
        if self._waiting:
            self._batches.append(self._waiting)
            self._waiting = []

    def _write_batches(self) -> None:
        """Writes what is staged, in a thread; stops where the disk takes no more."""
        with self._disk:
            while self._batches:
                batch = self._batches[0]
                done, error = self._write(batch)
                self._finished.append((batch[:done], error))
                if error is not None:
                    self._batches[0] = batch[done:]
                    return
                self._batches.popleft()

    def _write(self, lines: Sequence[_Taken]) -> tuple[int, OSError | None]:
        """How many lines are on disk after it, and what went wrong with the rest.

        Where the disk takes half a line, that half is cut away again.
        """
        data = b"".join(line for line, _ in lines)
        start, done = os.fstat(self._file.fileno()).st_size, 0
        try:
            while done < len(data):
                done += self._file.write(memoryview(data)[done:])
            os.fsync(self._file.fileno())
        except OSError as error:
            whole = data.rfind(b"\n", 0, done) + 1
            with contextlib.suppress(OSError):
                os.ftruncate(self._file.fileno(), start + whole)
                os.fsync(self._file.fileno())
            return data.count(b"\n", 0, whole), error
        return len(lines), None

    def _settle(self) -> None:
        """Counts what is on disk. Raises RunError where something was not taken."""
        while self._finished:
            lines, error = self._finished.popleft()
            self.written += len(lines)
            for _, on_disk in lines:
                if on_disk is not None:
                    on_disk()
            if error is not None:
                raise RunError(
                    f"{self.path}: cannot be written ({error.strerror}); free space and run again"
                ) from error


def _locked(path: Path) -> IO[str]:
    try:
        lock = path.open("a")
    except OSError as error:
        raise RunError(f"{path}: cannot be opened ({error.strerror})") from error
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
    return (line for _, line in numbered_lines(path))


def numbered_lines(path: Path) -> Iterator[tuple[int, Line]]:
    """Each line of a journal and the byte at which it begins; raises as `read_journal`."""
    if not path.exists():
        return
    offset = 0
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
            yield offset, line
            offset += len(raw)

"""The journal: append-only, one line a reply, the only place where a reply is first written.

Lines are handed to the system ten times a second, so that a killed process loses next to nothing,
and synced to the disk twice a second; only then does a line count. Both happen off the event
loop. Where the disk is slower than a second, `room` holds the asking back. Opening a journal drops
at most one half line, which a process that was killed may have left. A lock keeps a second process
out.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from justeval.errors import RunError

WRITE_SECONDS = 0.1
SYNC_SECONDS = 0.5
LONGEST_UNSYNCED_SECONDS = 1.0
Line = dict[str, Any]


class _Taken(NamedTuple):
    """A line, when it was taken, and whom to tell when it is on disk."""

    data: bytes
    at: float
    on_disk: Callable[[], None] | None


class Journal:
    """A journal open for writing. `written` counts the lines that are on disk.

    Lines wait, are staged in batches for the thread that writes, and are held as handed over until
    a sync. Raises RunError where another process holds it, or where it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.written = 0
        self._waiting: list[_Taken] = []
        self._staged: deque[list[_Taken]] = deque()
        self._finished: deque[tuple[list[_Taken], OSError | None]] = deque()
        self._handed_over: list[_Taken] = []
        self._lock = _locked(path.with_suffix(".lock"))
        try:
            drop_half_line(path)
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            self._lock.close()
            raise RunError(f"{path}: cannot be opened ({error.strerror})") from error
        self._writing = threading.Lock()
        self._syncing = asyncio.Lock()

    def append(self, line: Line, on_disk: Callable[[], None] | None = None) -> None:
        """Takes a line; it is on disk after the next sync, and then `on_disk` is called."""
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        data = text.encode("utf-8", "backslashreplace") + b"\n"
        self._waiting.append(_Taken(data, time.monotonic(), on_disk))

    async def room(self) -> None:
        """Waits while a line that was taken more than a second ago is not on disk yet."""
        while (oldest := self._oldest()) and time.monotonic() - oldest > LONGEST_UNSYNCED_SECONDS:
            await asyncio.sleep(WRITE_SECONDS / 2)

    def _oldest(self) -> float | None:
        """When the oldest line was taken that is not on disk."""
        for lines in (self._handed_over, *list(self._staged)[:1], self._waiting):
            if lines:
                return lines[0].at
        return None

    async def keep_syncing(self) -> None:
        """Writes and syncs until it is cancelled. Raises RunError where the disk takes no more."""
        syncing: asyncio.Task[None] | None = None
        last = time.monotonic()
        try:
            while True:
                await asyncio.sleep(WRITE_SECONDS)
                await self._write()
                if syncing is not None and syncing.done():
                    syncing.result()
                    syncing = None
                if syncing is None and time.monotonic() - last >= SYNC_SECONDS:
                    last = time.monotonic()
                    syncing = asyncio.create_task(self._sync())
        finally:
            if syncing is not None:
                await asyncio.gather(syncing, return_exceptions=True)

    async def sync(self) -> None:
        """Puts all waiting lines on disk. Raises RunError where the disk does not take them."""
        await self._write()
        await self._sync()

    async def _write(self) -> None:
        """Hands all waiting lines to the system; cancelled, it loses none of them."""
        self._stage()
        if self._staged:
            await asyncio.to_thread(self._write_staged)
        self._take_over()

    async def _sync(self) -> None:
        """Syncs what was handed over, and counts it."""
        async with self._syncing:
            if count := len(self._handed_over):
                await asyncio.to_thread(self._sync_file)
                self._count(count)

    def close(self) -> None:
        """Writes what still waits and lets go of the lock; closing twice does no harm."""
        if self._file.closed:
            return
        try:
            self._stage()
            self._write_staged()
            self._take_over()
        finally:
            try:
                self._sync_file()
                self._count(len(self._handed_over))
            finally:
                self._file.close()
                self._lock.close()

    def _stage(self) -> None:
        if self._waiting:
            self._staged.append(self._waiting)
            self._waiting = []

    def _write_staged(self) -> None:
        """Writes what is staged, in a thread; stops where the disk takes no more."""
        with self._writing:
            while self._staged:
                batch = self._staged[0]
                done, error = self._write_lines(batch)
                self._finished.append((batch[:done], error))
                if error is not None:
                    self._staged[0] = batch[done:]
                    return
                self._staged.popleft()

    def _write_lines(self, lines: Sequence[_Taken]) -> tuple[int, OSError | None]:
        """How many lines were written, and what went wrong with the rest.

        Where the disk takes half a line, that half is cut away again.
        """
        data = b"".join(line.data for line in lines)
        start, done = os.fstat(self._file.fileno()).st_size, 0
        try:
            while done < len(data):
                done += self._file.write(memoryview(data)[done:])
        except OSError as error:
            whole = data.rfind(b"\n", 0, done) + 1
            with contextlib.suppress(OSError):
                os.ftruncate(self._file.fileno(), start + whole)
            return data.count(b"\n", 0, whole), error
        return len(lines), None

    def _sync_file(self) -> None:
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._failure(error) from error

    def _take_over(self) -> None:
        """Notes what was handed to the system. Raises RunError where something was not taken."""
        while self._finished:
            lines, error = self._finished.popleft()
            self._handed_over += lines
            if error is not None:
                raise self._failure(error) from error

    def _count(self, count: int) -> None:
        lines, self._handed_over = self._handed_over[:count], self._handed_over[count:]
        self.written += len(lines)
        for line in lines:
            if line.on_disk is not None:
                line.on_disk()

    def _failure(self, error: OSError) -> RunError:
        reason = error.strerror or str(error)
        return RunError(f"{self.path}: cannot be written ({reason}); free space and run again")


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

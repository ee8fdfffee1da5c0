"""All runs that collect, watched: started when it is their turn, adopted, settled, stopped.

In: records of runs. Out: their states, in the database and beside each run. A child that outlived
an earlier service is adopted; one that did not is started again, unless its key came with the
request and is gone: then the run waits for it (needs_key).
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from justeval_api.jobs.children import Child, is_alive, signal_child, start_child
from justeval_api.jobs.progress import JournalTail
from justeval_api.jobs.settling import settled
from justeval_api.settings import Settings
from justeval_api.state.database import Database
from justeval_api.state.folders import Folders, RunHome, keep_json, now
from justeval_api.state.records import (
    CANCELING,
    COLLECTING,
    COMPLETE,
    NEEDS_KEY,
    WAITING,
    RunRecord,
)

LOOK_SECONDS = 0.5
PATIENCE_SECONDS = 15.0
"""How long a child may take to stop before it is ended."""

OnEnd = Callable[[RunRecord], Awaitable[None]]


class Supervisor:
    """Runs that are active, and the keys that came with them: in memory, and nowhere else."""

    def __init__(
        self, settings: Settings, folders: Folders, database: Database, on_end: OnEnd
    ) -> None:
        self.settings = settings
        self.folders = folders
        self.database = database
        self.on_end = on_end
        self.keys: dict[str, Mapping[str, str]] = {}
        self.lock = asyncio.Lock()
        self.stopping = asyncio.Event()
        self._children: dict[str, Child] = {}
        self._tails: dict[str, JournalTail] = {}
        self._canceled_at: dict[str, float] = {}
        self._watching: asyncio.Task[None] | None = None
        self._ends: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Takes up every run that an earlier service left active, and watches from then on."""
        for record in self.database.active_runs():
            if not await asyncio.to_thread(is_alive, self.folders.run(record.id)):
                await self._settle(replace(record, crashes=0))
        self._watching = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Stops watching, and asks children to stop; the next service goes on with their runs."""
        self.stopping.set()
        if self._watching is not None:
            self._watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watching
        await asyncio.to_thread(self._stop_children)

    async def _watch(self) -> None:
        while True:
            async with self.lock:
                await self._look()
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        """One look at every active run."""
        records = self.database.active_runs()
        collecting = sum(record.state != WAITING for record in records)
        for record in records:
            home = self.folders.run(record.id)
            if record.state == WAITING:
                if collecting < self.settings.collecting_at_once:
                    await self._start(record, home)
                    collecting += 1
            elif await asyncio.to_thread(is_alive, home):
                await asyncio.to_thread(self.tail(record).read)
                if record.state == CANCELING:
                    await self._insist(record, home)
            else:
                await self._settle(record)

    async def _start(self, record: RunRecord, home: RunHome) -> None:
        allowed = None if self.settings.local else self.settings.allowed_addresses
        keys = self.keys.get(record.id, {})
        child = await asyncio.to_thread(start_child, home, keys, allowed)
        self._children[record.id] = child
        started = replace(
            record, state=COLLECTING, pid=child.process.pid, pid_started=child.started
        )
        await self.keep(started)

    async def _settle(self, record: RunRecord) -> None:
        """A child has ended, or there is none: says what has come of the run."""
        child = self._children.pop(record.id, None)
        self._canceled_at.pop(record.id, None)
        if child is not None:
            await asyncio.to_thread(child.process.wait)
        tail = self.tail(record)
        await asyncio.to_thread(tail.read)
        has_keys = set(record.sent_keys) <= set(self.keys.get(record.id, {}))
        ended = await asyncio.to_thread(
            settled, record, self.folders.run(record.id), tail, has_keys
        )
        await self.keep(ended)
        if not ended.active:
            self._tails.pop(record.id, None)
            if ended.state == COMPLETE:
                self.keys.pop(record.id, None)
            if ended.state != NEEDS_KEY:
                self._tell_end(ended)

    def _tell_end(self, record: RunRecord) -> None:
        async def tell() -> None:
            await self.on_end(record)

        task = asyncio.create_task(tell())
        self._ends.add(task)
        task.add_done_callback(self._ends.discard)

    async def keep(self, record: RunRecord) -> RunRecord:
        """Keeps a record on disk and in the database."""
        kept = replace(record, updated_at=now())
        await asyncio.to_thread(keep_json, self.folders.run(kept.id).state, kept.state_json())
        self.database.put_run(kept)
        return kept

    async def cancel(self, record: RunRecord) -> RunRecord:
        """Asks the child of a run to stop. The lock must be held."""
        home = self.folders.run(record.id)
        if record.state == COLLECTING:
            self._canceled_at[record.id] = asyncio.get_running_loop().time()
            await asyncio.to_thread(signal_child, home, record.pid, record.pid_started)
            return await self.keep(replace(record, state=CANCELING))
        return await self.keep(replace(record, state="canceled", message=""))

    async def _insist(self, record: RunRecord, home: RunHome) -> None:
        """Ends a child that was asked to stop long ago."""
        clock = asyncio.get_running_loop().time()
        if clock - self._canceled_at.setdefault(record.id, clock) > PATIENCE_SECONDS:
            await asyncio.to_thread(signal_child, home, record.pid, record.pid_started, True)

    def tail(self, record: RunRecord) -> JournalTail:
        """The counts of a run that is active."""
        known = self._tails.get(record.id)
        if known is None:
            models = [choice["asked"] for choice in record.request["models"]]
            folder = self.folders.run(record.id).folder
            known = self._tails[record.id] = JournalTail(folder, models)
        return known

    def forget(self, run_id: str) -> None:
        """Forgets the keys and counts of a run that is deleted."""
        self.keys.pop(run_id, None)
        self._tails.pop(run_id, None)

    def _stop_children(self) -> None:
        """Asks every child to stop, and waits a moment for those that were started here."""
        for record in self.database.active_runs():
            signal_child(self.folders.run(record.id), record.pid, record.pid_started)
        for child in self._children.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(PATIENCE_SECONDS / 3)

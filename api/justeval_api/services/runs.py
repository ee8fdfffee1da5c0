"""Runs: started, watched, stopped, resumed, deleted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from justeval_api.errors import ConflictError, InvalidError, NotFoundError
from justeval_api.jobs.places import Places
from justeval_api.jobs.progress import JournalTail
from justeval_api.jobs.supervisor import Supervisor
from justeval_api.paging import cursor_of, offset_of, position_of
from justeval_api.schemas.runs import (
    Progress,
    ResumeRequest,
    Run,
    RunPage,
    RunRequest,
    Skip,
    SkipPage,
)
from justeval_api.services.core import Core
from justeval_api.services.datasets import Datasets
from justeval_api.services.ordering import check_key, keys_of, order_of
from justeval_api.services.showing import progress_of, run_of
from justeval_api.state.folders import RunHome, keep_json, new_id, now, read_json, remove
from justeval_api.state.records import COMPLETE, INCOMPLETE, NEEDS_KEY, WAITING, RunRecord

CHECK_SECONDS = 300.0
WATCH_SECONDS = 0.5


class Runs:
    """All runs of the service."""

    def __init__(self, core: Core, datasets: Datasets, supervisor: Supervisor) -> None:
        self.core = core
        self.datasets = datasets
        self.supervisor = supervisor

    async def runs(self, state: str | None, cursor: str | None, limit: int) -> RunPage:
        found, total = self.core.database.runs(state, _after(cursor), limit + 1)
        items = [self._run(record) for record in found[:limit]]
        last = found[limit - 1] if len(found) > limit else None
        following = cursor_of([last.created_at, last.id]) if last else None
        return RunPage(items=items, next=following, total=total)

    async def run(self, run_id: str) -> Run:
        return self._run(self.record(run_id))

    def record(self, run_id: str) -> RunRecord:
        """The record of a run. Raises NotFoundError."""
        record = self.core.database.run(run_id)
        if record is None:
            raise NotFoundError(f"no run {run_id!r}; see GET /api/v1/runs")
        return record

    def home(self, run_id: str) -> RunHome:
        """The home of a run."""
        return self.core.folders.run(run_id)

    async def start(self, body: RunRequest) -> Run:
        dataset = self.datasets.ready(body.dataset)
        order, keys = order_of(body, dataset), keys_of(body)
        asked = {
            "order": order,
            "places": self.core.places_json(),
            "allowed": self.core.allowed,
            "sent_keys": sorted(keys),
        }
        checked = await self.core.pool.do("check_order", asked, CHECK_SECONDS)
        models = checked["models"]
        order["models"] = [
            {**choice, "asked": name, "asked_at": address}
            for choice, name, address in zip(
                order["models"], models, checked["addresses"], strict=True
            )
        ]
        order |= {
            "name": body.name or f"{checked['title']}: {', '.join(models)}"[:200],
            "title": checked["title"],
            "asked_question": checked["question"],
            "asked_prompts": checked["prompts"],
        }
        sent = {models[i]: key for i, key in keys.items()}
        return self._run(await self._take(order, sent))

    async def _take(self, order: Mapping[str, Any], keys: Mapping[str, str]) -> RunRecord:
        """Keeps a new run on disk first, then in the database; from then on it is collected."""
        run_id, created = new_id("run"), now()
        home = self.home(run_id)
        record = RunRecord(
            id=run_id,
            created_at=created,
            updated_at=created,
            kind="collected",
            state=WAITING,
            request=order,
            sent_keys=tuple(keys),
        )
        try:
            await asyncio.to_thread(self._write, home, order)
        except BaseException:
            await asyncio.to_thread(remove, home.path)
            raise
        self.supervisor.keys[run_id] = dict(keys)
        return await self.supervisor.keep(record)

    def _write(self, home: RunHome, order: Mapping[str, Any]) -> None:
        keep_json(home.request, order)
        packs = {token.partition(":")[0] for token in order["labels"]}
        there = Places.of_run(home.path)
        self.core.places.copy_to(there, order["dataset"], sorted(packs), order["prompts"])

    async def take_imported(self, run_id: str, name: str, found: Mapping[str, Any]) -> Run:
        """Keeps a run that was made of replies."""
        created = now()
        order = {
            **{field: found[field] for field in ("dataset", "labels", "repetitions")},
            "name": name[:200],
            "title": found["dataset"],
            "asked_question": found["question"],
            "asked_prompts": [],
            "models": [{"kind": "imported", "asked": model} for model in found["models"]],
        }
        tail = JournalTail(self.home(run_id).folder, found["models"])
        await asyncio.to_thread(tail.read)
        whole = found["answered"] >= found["requests"]
        record = RunRecord(
            id=run_id,
            created_at=created,
            updated_at=created,
            kind="imported",
            state=COMPLETE if whole else INCOMPLETE,
            message="" if whole else "some prompts have no reply",
            request=order,
            counted=tail.counted(),
        )
        await asyncio.to_thread(keep_json, self.home(run_id).request, order)
        kept = await self.supervisor.keep(record)
        await self.supervisor.on_end(kept)
        return self._run(kept)

    async def cancel(self, run_id: str) -> Run:
        async with self.supervisor.lock:
            record = self.record(run_id)
            if not record.active and record.state != NEEDS_KEY:
                raise ConflictError(f"{run_id} is {record.state}; there is nothing to cancel")
            return self._run(await self.supervisor.cancel(record))

    async def resume(self, run_id: str, body: ResumeRequest) -> Run:
        async with self.supervisor.lock:
            record = self.record(run_id)
            if record.kind == "imported" or record.active or record.state == COMPLETE:
                raise ConflictError(f"{run_id} is {record.state}; there is nothing to resume")
            keys = dict(self.supervisor.keys.get(run_id, {}))
            for model, key in body.keys.items():
                if model not in [choice["asked"] for choice in record.request["models"]]:
                    raise InvalidError(f"keys: {model[:100]!r} is no model of this run")
                keys[model] = key.get_secret_value().strip()
                check_key(f"keys: {model[:100]!r}", keys[model])
            sent = tuple(dict.fromkeys([*record.sent_keys, *body.keys]))
            missing = [model for model in sent if not keys.get(model)]
            if missing:
                raise ConflictError(f"{run_id} needs the key of {', '.join(missing)}")
            self.supervisor.keys[run_id] = keys
            order = dict(record.request)
            if body.max_cost_usd is not None:
                order["max_cost_usd"] = body.max_cost_usd
                await asyncio.to_thread(keep_json, self.home(run_id).request, order)
            resumed = replace(
                record, state=WAITING, message="", sent_keys=sent, crashes=0, request=order
            )
            return self._run(await self.supervisor.keep(resumed))

    async def delete(self, run_id: str) -> None:
        async with self.supervisor.lock:
            record = self.record(run_id)
            if record.active:
                raise ConflictError(f"{run_id} is {record.state}; cancel it first")
            self.core.database.delete_run(run_id)
            self.supervisor.forget(run_id)
            await asyncio.to_thread(remove, self.home(run_id).path)
            await asyncio.to_thread(remove, self.core.folders.results / run_id)

    async def progress(self, run_id: str) -> Progress:
        record = self.record(run_id)
        return progress_of(record, self._tail(record))

    async def watch(self, run_id: str) -> AsyncIterator[Progress]:
        """The progress of a run whenever it changes, until it ends or the service stops."""
        seen: Progress | None = None
        while not self.supervisor.stopping.is_set():
            record = self.core.database.run(run_id)
            if record is None:
                return
            progress = progress_of(record, self._tail(record))
            if seen is None or progress.model_dump(exclude=_MOVING) != seen.model_dump(
                exclude=_MOVING
            ):
                seen = progress
                yield progress
            if not record.active:
                return
            await asyncio.sleep(WATCH_SECONDS)

    async def manifest(self, run_id: str) -> dict[str, Any]:
        self.record(run_id)
        found = await asyncio.to_thread(read_json, self.home(run_id).folder.manifest_path)
        if not found:
            raise ConflictError(f"{run_id}: its plan is not written yet")
        return found

    async def skipped(self, run_id: str, cursor: str | None, limit: int) -> SkipPage:
        self.record(run_id)
        file = self.home(run_id).folder.skipped
        start = offset_of(cursor)

        def read() -> tuple[list[str], int]:
            if not file.is_file():
                return [], 0
            with file.open(encoding="utf-8") as lines:
                wanted = list(islice(lines, start, start + limit))
            with file.open("rb") as lines:
                return wanted, sum(1 for _ in lines)

        lines, total = await asyncio.to_thread(read)
        items = [Skip(**json.loads(line)) for line in lines]
        end = start + len(items)
        following = cursor_of(end) if items and end < total else None
        return SkipPage(items=items, next=following, total=total)

    def _run(self, record: RunRecord) -> Run:
        return run_of(record, self._tail(record), self.supervisor.keys.get(record.id, {}))

    def _tail(self, record: RunRecord) -> JournalTail | None:
        return self.supervisor.tail(record) if record.active else None


_MOVING = {"updated_at"}


def _after(cursor: str | None) -> tuple[str, str] | None:
    if cursor is None:
        return None
    position = position_of(cursor)
    if isinstance(position, list) and len(position) == 2 and all(map(_is_text, position)):
        return position[0], position[1]
    raise InvalidError("cursor: not one of this list; leave it out to begin again")


def _is_text(part: object) -> bool:
    return isinstance(part, str)

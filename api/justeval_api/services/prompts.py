"""Prompts, their export, and replies that were made elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from justeval.prompts import Prompt as LibraryPrompt
from justeval.prompts import load_prompt, prompt_names
from justeval_api.errors import ForbiddenError, WorkError
from justeval_api.paging import page_of
from justeval_api.schemas.prompts import Prompt, PromptExportRequest, PromptPage
from justeval_api.schemas.runs import Run
from justeval_api.services.core import Core
from justeval_api.services.runs import Runs
from justeval_api.services.uploads import received
from justeval_api.state.folders import keep_json, new_id, now, remove

KIND = "prompt"
CHECK_SECONDS = 60.0
LINES = "application/x-ndjson"


class Prompts:
    """What is said to a model around a case."""

    def __init__(self, core: Core, runs: Runs) -> None:
        self.core = core
        self.runs = runs

    def prompts(self, cursor: str | None, limit: int) -> PromptPage:
        items = self.core.database.items(KIND)
        every = [_prompt(name, self._read(name), None) for name in prompt_names()]
        every += [_prompt(i["id"], self._read(i["id"]), i["created_at"]) for i in items]
        page, following = page_of(every, cursor, limit)
        return PromptPage(items=list(page), next=following, total=len(every))

    def prompt(self, prompt_id: str) -> Prompt:
        item = self.core.database.item(KIND, prompt_id)
        return _prompt(prompt_id, self._read(prompt_id), item["created_at"] if item else None)

    async def add(self, chunks: AsyncIterator[bytes]) -> Prompt:
        limit = self.core.settings.limits.pack_bytes
        async with received(chunks, self.core.folders, limit, ".yaml") as file:
            await self._checked(file)
            prompt_id = new_id(KIND)
            item = {"id": prompt_id, "created_at": now()}
            target = self.core.folders.prompt(prompt_id)
            file.replace(target)
            await asyncio.to_thread(keep_json, target.with_suffix(".json"), item)
            self.core.database.put_item(KIND, item)
        return self.prompt(prompt_id)

    async def _checked(self, file: Path) -> None:
        try:
            await self.core.pool.do("check_prompt", {"path": str(file)}, CHECK_SECONDS)
        except WorkError as error:
            raise error.with_names({str(file): "prompt.yaml"}) from None

    def delete(self, prompt_id: str) -> None:
        if prompt_id in prompt_names():
            raise ForbiddenError(f"{prompt_id} ships with justeval and cannot be deleted")
        self.core.places.prompt(prompt_id)
        target = self.core.folders.prompt(prompt_id)
        self.core.database.delete_item(KIND, prompt_id)
        remove(target)
        remove(target.with_suffix(".json"))

    async def export(self, body: PromptExportRequest) -> FileResponse:
        target = self.core.folders.incoming / f"{new_id('export')}.jsonl"
        asked = {
            "order": body.model_dump(),
            "places": self.core.places_json(),
            "target": str(target),
            "most_bytes": self.core.settings.limits.export_bytes,
        }
        try:
            await self.core.pool.do("export_prompts", asked)
        except BaseException:
            remove(target)
            raise
        return FileResponse(
            target,
            media_type=LINES,
            filename="prompts.jsonl",
            background=BackgroundTask(remove, target),
        )

    async def replies(self, chunks: AsyncIterator[bytes], model: str, name: str | None) -> Run:
        limit = self.core.settings.limits.upload_bytes
        async with received(chunks, self.core.folders, limit, ".jsonl") as file:
            run_id = new_id("run")
            home = self.core.folders.run(run_id)
            asked: dict[str, Any] = {
                "source": str(file),
                "target": str(home.folder.path),
                "model": model,
                "places": self.core.places_json(),
            }
            try:
                home.path.mkdir(mode=0o700)
                found = await self.core.pool.do("import_replies", asked)
            except BaseException:
                await asyncio.to_thread(remove, home.path)
                raise
        return await self.runs.take_imported(run_id, name or model, found)

    def _read(self, prompt_id: str) -> LibraryPrompt:
        return load_prompt(str(self.core.places.prompt(prompt_id)))


def _prompt(prompt_id: str, prompt: LibraryPrompt, created_at: str | None) -> Prompt:
    return Prompt(
        id=prompt_id,
        language=prompt.language,
        question=prompt.question,
        keys=list(prompt.keys),
        sha256=prompt.sha256,
        system=prompt.system,
        user=prompt.user,
        own=created_at is not None,
        created_at=created_at,
    )

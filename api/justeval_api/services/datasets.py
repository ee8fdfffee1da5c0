"""Case sets: those that ship with justeval, and files of one's own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from justeval.cases import DEFAULT_LONGEST_MONTHS, load_cases
from justeval.cases.about import read_about
from justeval.cases.rows import FORMATS, read_rows
from justeval.resources import dataset_names
from justeval.schema import QUESTIONS
from justeval_api.errors import (
    ConflictError,
    ForbiddenError,
    InvalidError,
    UnsupportedError,
    WorkError,
)
from justeval_api.jobs.places import ABOUT, CASES
from justeval_api.paging import cursor_of, offset_of, page_of
from justeval_api.safety.archives import check_archive
from justeval_api.schemas.common import Problem, ProblemPage
from justeval_api.schemas.datasets import CasePage, Dataset, DatasetPage, MappingRequest, Preview
from justeval_api.services.core import Core
from justeval_api.services.uploads import plain_name, received
from justeval_api.state.folders import keep_json, new_id, now, remove
from justeval_api.work.casefiles import KNOWN, NEEDED, case_json, shipped_summary

KIND = "dataset"
PROBLEMS = "problems.jsonl"
PREVIEW_SECONDS = 60.0
MOST_MAPPED = 200


class Datasets:
    """Which cases can be asked about."""

    def __init__(self, core: Core) -> None:
        self.core = core

    def datasets(self, cursor: str | None, limit: int) -> DatasetPage:
        every = [_shipped(name) for name in dataset_names()]
        every += [Dataset(**_shown(item)) for item in self.core.database.items(KIND)]
        items, following = page_of(every, cursor, limit)
        return DatasetPage(items=list(items), next=following, total=len(every))

    def dataset(self, dataset_id: str) -> Dataset:
        item = self.core.database.item(KIND, dataset_id)
        if item is not None:
            return Dataset(**_shown(item))
        self.core.places.dataset(dataset_id)
        return _shipped(dataset_id)

    async def upload(self, chunks: AsyncIterator[bytes], filename: str) -> Dataset:
        name = plain_name(filename)
        suffix = Path(name).suffix.lower()
        if suffix not in FORMATS:
            raise UnsupportedError(f"{name}: cannot be read; the formats are {', '.join(FORMATS)}")
        limits = self.core.settings.limits
        async with received(chunks, self.core.folders, limits.upload_bytes, suffix) as file:
            await asyncio.to_thread(check_archive, file, limits)
            dataset_id = new_id(KIND)
            home = self.core.folders.dataset(dataset_id)
            home.mkdir(mode=0o700)
            source = home / f"source{suffix}"
            size = file.stat().st_size
            file.replace(source)
        item = {
            "id": dataset_id,
            "created_at": now(),
            "filename": name,
            "source": source.name,
            "title": Path(name).stem,
            "bytes": size,
            "question": QUESTIONS[0],
            "longest_months": DEFAULT_LONGEST_MONTHS,
            "labels": [],
        }
        try:
            item |= await self._checked(item, None)
        except BaseException:
            await asyncio.to_thread(remove, home)
            raise
        return await self._keep(item)

    async def map(self, dataset_id: str, body: MappingRequest) -> Dataset:
        item = self._own(dataset_id)
        asked = body.model_dump(exclude_none=True)
        mapping = asked.pop("mapping", item["mapping"])
        unknown = [name for name in mapping if name not in KNOWN]
        if unknown or len(mapping) > MOST_MAPPED:
            raise InvalidError(
                f"mapping: {unknown[:1] or ['']!r} is no name of ours; they are {', '.join(KNOWN)}"
            )
        item = {**item, **asked}
        item |= await self._checked(item, mapping)
        return await self._keep(item)

    async def _checked(
        self, item: Mapping[str, Any], mapping: Mapping[str, str] | None
    ) -> dict[str, Any]:
        home = self.core.folders.dataset(item["id"])
        source, limits = home / item["source"], self.core.settings.limits
        names = ("id", "title", "question", "longest_months", "labels")
        asked = {
            "source": str(source),
            "filename": item["filename"],
            "mapping": mapping,
            "about": {name: item[name] for name in names},
            "rows": limits.rows,
            "cell_characters": limits.cell_characters,
        }
        try:
            found: dict[str, Any] = await self.core.pool.do("check_cases", asked)
        except WorkError as error:
            raise error.with_names({str(source): item["filename"]}) from None
        return found

    async def _keep(self, item: Mapping[str, Any]) -> Dataset:
        about = self.core.folders.dataset(item["id"]) / "about.json"
        await asyncio.to_thread(keep_json, about, item)
        self.core.database.put_item(KIND, item)
        return self.dataset(item["id"])

    async def preview(self, dataset_id: str) -> Preview:
        shown = self.dataset(dataset_id)
        folder = self.core.places.dataset(dataset_id)
        item = self.core.database.item(KIND, dataset_id)
        source = folder / (item["source"] if item else read_about(folder / ABOUT).cases)
        asked = {"source": str(source), "mapping": shown.mapping}
        try:
            found = await self.core.pool.do("preview_cases", asked, PREVIEW_SECONDS)
        except WorkError as error:
            raise error.with_names({str(source): shown.filename or source.name}) from None
        return Preview(
            columns=shown.columns,
            mapping=shown.mapping,
            proposed=shown.proposed,
            needed=list(NEEDED),
            known=list(KNOWN),
            **found,
        )

    async def problems(self, dataset_id: str, cursor: str | None, limit: int) -> ProblemPage:
        total = self.dataset(dataset_id).problems
        file = self.core.places.dataset(dataset_id) / PROBLEMS
        start = offset_of(cursor)
        lines = await asyncio.to_thread(_lines, file, start, limit) if total else []
        items = [Problem(place=place, message=message) for place, message in map(json.loads, lines)]
        end = start + len(items)
        following = cursor_of(end) if items and end < total else None
        return ProblemPage(items=items, next=following, total=total)

    async def cases(self, dataset_id: str, cursor: str | None, limit: int) -> CasePage:
        total = self.dataset(dataset_id).documents
        folder = self.core.places.dataset(dataset_id)
        start = offset_of(cursor)
        items = await asyncio.to_thread(_cases, folder, start, limit) if total else []
        end = start + len(items)
        following = cursor_of(end) if items and end < total else None
        return CasePage(items=items, next=following, total=total)

    async def delete(self, dataset_id: str) -> None:
        self._own(dataset_id)
        self.core.database.delete_item(KIND, dataset_id)
        await asyncio.to_thread(remove, self.core.folders.dataset(dataset_id))

    def ready(self, dataset_id: str) -> Dataset:
        """A case set that can be asked about. Raises ConflictError where it has problems."""
        found = self.dataset(dataset_id)
        if found.state != "ready":
            told = (
                "its columns are not mapped"
                if found.state == "needs_mapping"
                else (f"it has {found.problems:,} problems")
            )
            raise ConflictError(f"{dataset_id}: {told}; see /datasets/{dataset_id}/problems")
        return found

    def _own(self, dataset_id: str) -> dict[str, Any]:
        item = self.core.database.item(KIND, dataset_id)
        if item is None:
            self.core.places.dataset(dataset_id)
            raise ForbiddenError(f"{dataset_id} ships with justeval and cannot be changed")
        return item


def _shown(item: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: item[name] for name in Dataset.model_fields if name in item}
    return {**shown, "own": True, "format": Path(item["source"]).suffix.lstrip(".")}


@lru_cache(maxsize=32)
def _shipped(name: str) -> Dataset:
    cases = load_cases(name)
    return Dataset(
        id=name,
        title=cases.title,
        own=False,
        state="ready",
        filename=cases.path.name,
        format=cases.path.suffix.lstrip("."),
        bytes=cases.path.stat().st_size,
        created_at=None,
        question=cases.question,  # type: ignore[arg-type]
        longest_months=cases.longest_months,
        labels=list(cases.labels),
        mapping={},
        proposed={},
        problems=0,
        **shipped_summary(cases.path),
    )


def _lines(file: Path, start: int, limit: int) -> list[str]:
    with file.open(encoding="utf-8") as lines:
        return list(islice(lines, start, start + limit))


def _cases(folder: Path, start: int, limit: int) -> list[Any]:
    about = read_about(folder / ABOUT)
    rows = list(islice(read_rows(folder / about.cases), start, start + limit))
    from justeval.cases.reading import check_rows

    return [case_json(case) for case in check_rows(rows, folder / CASES).cases]

"""Case sets: those that ship with justeval, and files of one's own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from justeval.casefiles import FORMATS, load_profile, profile_names
from justeval.casefiles.mapping import OURS
from justeval.cases import DEFAULT_LONGEST_MONTHS, load_cases
from justeval.cases.about import read_about
from justeval.resources import dataset_names
from justeval.schema import QUESTIONS
from justeval_api.errors import ConflictError, ForbiddenError, UnsupportedError, WorkError
from justeval_api.jobs.places import ABOUT
from justeval_api.paging import cursor_of, offset_of, page_of
from justeval_api.safety.archives import check_archive
from justeval_api.schemas.common import Problem, ProblemPage
from justeval_api.schemas.datasets import (
    Case,
    CasePage,
    Dataset,
    DatasetPage,
    MappingRequest,
    Preview,
    Profile,
    ProfilePage,
    Said,
)
from justeval_api.services.core import Core
from justeval_api.services.uploads import plain_name, received
from justeval_api.state.folders import keep_json, new_id, now, remove
from justeval_api.work.casefiles import case_json, columns_of, read_cases

KIND = "dataset"
PROBLEMS = "problems.jsonl"
PREVIEW_SECONDS = 60.0
NEEDED = ["case_id", "facts"]
ABOUT_FIELDS = ("title", "question", "longest_months", "labels")


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
            "said": {},
        }
        try:
            item |= await self._checked(item)
        except BaseException:
            await asyncio.to_thread(remove, home)
            raise
        return await self._keep(item)

    async def map(self, dataset_id: str, body: MappingRequest) -> Dataset:
        item = self._own(dataset_id)
        asked = body.model_dump(exclude_none=True)
        about = {name: asked.pop(name) for name in ABOUT_FIELDS if name in asked}
        item = {**item, **about, "said": {**item["said"], **asked}}
        item |= await self._checked(item)
        return await self._keep(item)

    async def _checked(self, item: Mapping[str, Any]) -> dict[str, Any]:
        home = self.core.folders.dataset(item["id"])
        source, limits = home / item["source"], self.core.settings.limits
        asked = {
            "source": str(source),
            "filename": item["filename"],
            "said": item["said"],
            "about": {name: item[name] for name in ("id", *ABOUT_FIELDS)},
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
        source = folder / item["source"] if item else None
        asked = {
            "source": str(source) if source else None,
            "cases": str(folder / read_about(folder / ABOUT).cases),
            "said": item["said"] if item else {},
        }
        try:
            found = await self.core.pool.do("preview_cases", asked, PREVIEW_SECONDS)
        except WorkError as error:
            raise error.with_names({str(source): shown.filename or ""}) from None
        names = ("columns", "mapping", "mapped", "advice")
        same = {name: getattr(shown, name) for name in names}
        return Preview(**same, needed=NEEDED, known=list(OURS), **found)

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

    def profiles(self, cursor: str | None, limit: int) -> ProfilePage:
        found = [(name, load_profile(name)) for name in profile_names()]
        every = [Profile(id=name, title=p.title, source=p.source) for name, p in found]
        items, following = page_of(every, cursor, limit)
        return ProfilePage(items=list(items), next=following, total=len(every))

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
    suffix = Path(item["source"]).suffix.lstrip(".")
    mapping = item["said"].get("mapping", {})
    return {
        **shown, "own": True, "format": suffix, "mapping": mapping, "said": _said(item["said"]),
    }  # fmt: skip


def _said(said: Mapping[str, Any]) -> Said:
    empty: dict[str, Any] = {name: "" for name in Said.model_fields} | {"codes": {}, "keep": None}
    return Said(**empty | {name: said[name] for name in Said.model_fields if name in said})


@lru_cache(maxsize=32)
def _shipped(name: str) -> Dataset:
    cases = load_cases(name)
    columns = columns_of(cases.cases)
    known = [case.true_penalty for case in cases.cases if case.true_penalty]
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
        documents=len(cases.cases),
        with_true_months=sum(case.true_months is not None for case in cases.cases),
        languages=list(cases.languages),
        columns=columns,
        n_columns=len(columns),
        read_as="ships with justeval",
        notes=[],
        mapping={},
        said=_said({}),
        mapped={},
        mapped_by="",
        own_columns=columns_of(cases.cases)[len(columns_of(())) :],
        advice=[],
        penalties={penalty: known.count(penalty) for penalty in dict.fromkeys(known)},
        rows_left_out=0,
        rows_joined=0,
        problems=0,
    )


def _lines(file: Path, start: int, limit: int) -> list[str]:
    with file.open(encoding="utf-8") as lines:
        return list(islice(lines, start, start + limit))


def _cases(folder: Path, start: int, limit: int) -> list[Case]:
    file = folder / read_about(folder / ABOUT).cases
    return [Case(**case_json(case)) for case in read_cases(file, start, limit)]

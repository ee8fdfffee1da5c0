"""Labels and packs: those that ship with justeval, and one's own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from justeval.errors import Problem
from justeval.labels import Label as LibraryLabel
from justeval.labels import Pack as LibraryPack
from justeval.labels import load_pack
from justeval.resources import pack_names
from justeval_api.errors import ForbiddenError, NotFoundError, WorkError
from justeval_api.jobs.places import Places
from justeval_api.paging import page_of
from justeval_api.schemas.common import Problem as ProblemSchema
from justeval_api.schemas.labels import (
    Label,
    LabelPage,
    LabelSample,
    Pack,
    PackCheck,
    PackPage,
    Value,
)
from justeval_api.services.core import Core
from justeval_api.services.uploads import received
from justeval_api.state.folders import keep_json, new_id, now, remove

KIND = "pack"
CHECK_SECONDS = 60.0


class Labels:
    """The registry of extra-legal factors."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.places = Places.of_service(core.folders)

    def packs(self, cursor: str | None, limit: int) -> PackPage:
        every = list(self._all_packs())
        items, following = page_of(every, cursor, limit)
        return PackPage(items=list(items), next=following, total=len(every))

    def pack(self, pack_id: str) -> Pack:
        created = self.core.database.item(KIND, pack_id)
        return _pack(pack_id, self._read(pack_id), created["created_at"] if created else None)

    def source(self, pack_id: str) -> bytes:
        return self.places.pack(pack_id).read_bytes()

    async def add(self, chunks: AsyncIterator[bytes]) -> Pack:
        limit = self.core.settings.limits.pack_bytes
        async with received(chunks, self.core.folders, limit, ".yaml") as file:
            await self._checked(file)
            pack_id = new_id(KIND)
            item = {"id": pack_id, "created_at": now()}
            target = self.core.folders.pack(pack_id)
            file.replace(target)
            await asyncio.to_thread(keep_json, target.with_suffix(".json"), item)
            self.core.database.put_item(KIND, item)
        return self.pack(pack_id)

    async def check(self, chunks: AsyncIterator[bytes]) -> PackCheck:
        limit = self.core.settings.limits.pack_bytes
        async with received(chunks, self.core.folders, limit, ".yaml") as file:
            try:
                found = await self._checked(file)
            except WorkError as error:
                told = error.detail or [Problem("", str(error))]
                problems = [ProblemSchema(place=p.place, message=p.message) for p in told]
                return PackCheck(ok=False, name=None, labels=0, values=0, problems=problems)
        return PackCheck(ok=True, problems=[], **found)

    async def _checked(self, file: Path) -> dict[str, Any]:
        """Reads a pack in a worker: what a stranger wrote must not stop the service."""
        try:
            found: dict[str, Any] = await self.core.pool.do(
                "check_pack", {"path": str(file)}, CHECK_SECONDS
            )
        except WorkError as error:
            raise error.with_names({str(file): "pack.yaml"}) from None
        return found

    def delete(self, pack_id: str) -> None:
        if pack_id in pack_names():
            raise ForbiddenError(f"{pack_id} ships with justeval and cannot be deleted")
        self.places.pack(pack_id)
        target = self.core.folders.pack(pack_id)
        self.core.database.delete_item(KIND, pack_id)
        remove(target)
        remove(target.with_suffix(".json"))

    def labels(
        self,
        pack: str | None,
        actor: str | None,
        category: str | None,
        demographic: bool | None,
        text: str | None,
        cursor: str | None,
        limit: int,
    ) -> LabelPage:
        wanted = {"actor": actor, "category": category, "demographic": demographic}
        asked = {name: value for name, value in wanted.items() if value is not None}
        packs = [pack] if pack else [*pack_names(), *self._own()]
        found = [
            (pack_id, label)
            for pack_id in packs
            for label in self._read(pack_id).labels
            if all(getattr(label, name) == value for name, value in asked.items())
            and (text is None or _mentions(label, text))
        ]
        items, following = page_of(found, cursor, limit)
        shown = [label_schema(pack_id, label) for pack_id, label in items]
        return LabelPage(items=shown, next=following, total=len(found))

    def label(self, pack_id: str, label_id: str) -> Label:
        for label in self._read(pack_id).labels:
            if label.id == label_id:
                return label_schema(pack_id, label)
        raise NotFoundError(f"no label {label_id[:100]!r} in {pack_id}; see /labels?pack={pack_id}")

    async def sample(
        self, pack_id: str, label_id: str, dataset: str, case_id: str | None
    ) -> LabelSample:
        self.label(pack_id, label_id)
        asked = {
            "pack": str(self.places.pack(pack_id)),
            "label": label_id,
            "dataset": str(self.places.dataset(dataset)),
            "case_id": case_id,
        }
        found = await self.core.pool.do("sample_label", asked, CHECK_SECONDS)
        return LabelSample(dataset=dataset, label=label_id, **found)

    def _own(self) -> list[str]:
        return [item["id"] for item in self.core.database.items(KIND)]

    def _read(self, pack_id: str) -> LibraryPack:
        return load_pack(str(self.places.pack(pack_id)))

    def _all_packs(self) -> Iterator[Pack]:
        for name in pack_names():
            yield _pack(name, self._read(name), None)
        for item in self.core.database.items(KIND):
            yield _pack(item["id"], self._read(item["id"]), item["created_at"])


def _mentions(label: LibraryLabel, text: str) -> bool:
    folded = text.casefold()
    return any(folded in name.casefold() for name in (label.id, *label.name.values()))


def _pack(pack_id: str, pack: LibraryPack, created_at: str | None) -> Pack:
    return Pack(
        id=pack_id,
        name=pack.name,
        title=pack.title,
        languages=list(pack.languages),
        placebo=pack.placebo,
        source=pack.source,
        own=created_at is not None,
        labels=len(pack.labels),
        values=sum(label.n_values for label in pack.labels),
        created_at=created_at,
    )


def label_schema(pack_id: str, label: LibraryLabel) -> Label:
    """A label of the library as the service shows it."""
    names = ("id", "actor", "category", "demographic", "placebo", "kind", "place", "source",
             "reference", "n_values", "unit")  # fmt: skip
    return Label(
        pack=pack_id,
        name=dict(label.name),
        requires=list(label.requires),
        excluded_charges=list(label.excluded_charges),
        range=list(label.range) if label.range else None,
        values=[
            Value(id=v.id, name=dict(v.name), sentence=dict(v.sentence), number=v.number)
            for v in label.values
        ],
        **{name: getattr(label, name) for name in names},
    )

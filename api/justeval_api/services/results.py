"""Results: made by workers, stored as bytes, given with an ETag.

In: runs and options. Out: answers. A result is made once for a state of its runs; while a run
collects, its results are made anew only now and then, so that watching costs little.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fastapi import Request, Response
from fastapi.responses import FileResponse

from justeval import __version__
from justeval.errors import JustevalError
from justeval_api.errors import InvalidError
from justeval_api.paging import page_of
from justeval_api.schemas.exports import ENDINGS, MEDIA_TYPES
from justeval_api.services.core import Core
from justeval_api.services.overviews import overview_of
from justeval_api.services.rows import Row, matching, rows_of
from justeval_api.services.runs import Runs
from justeval_api.services.stored import Once, Shelf, Stored, answer
from justeval_api.services.tables import csv_of
from justeval_api.state.folders import remove
from justeval_api.state.records import RunRecord
from justeval_api.work.options import ResultOptions, digest

JSON, CSV = "application/json", "text/csv; charset=utf-8"
FRESH_SECONDS = 10.0
"""So long, at least, the results of a run that collects are given as they are."""

FRESH_TIMES = 5.0
"""And so many times as long as making them took."""

PARSED = 12
MOST_STORED = 200
KEPT_SECONDS = 30 * 24 * 3600.0
COMPARISONS = "comparisons"
log = logging.getLogger("justeval_api")


class Results:
    """Analyses, findings and exports of runs."""

    def __init__(self, core: Core, runs: Runs) -> None:
        self.core = core
        self.runs = runs
        self.shelf = Shelf()
        self._once = Once()
        self._rows: OrderedDict[str, list[Row]] = OrderedDict()
        self._tokens: dict[str, tuple[str, float]] = {}
        self._took: dict[str, float] = {}

    async def document(
        self,
        run_ids: Sequence[str],
        options: ResultOptions,
        request: Request,
        comparing: bool = False,
    ) -> Response:
        """The whole analysis."""
        return answer(await self._analysis(run_ids, options, comparing), request)

    async def overview(
        self,
        run_ids: Sequence[str],
        options: ResultOptions,
        request: Request,
        comparing: bool = False,
    ) -> Response:
        """The analysis without its labels."""
        path = self._path(run_ids, "analysis", options, comparing, "json")
        named = f"overview {path}"
        stored = self.shelf.get(named)
        if stored is None:

            async def made() -> Stored:
                document = await self._analysis(run_ids, options, comparing)
                name = self.runs.record(run_ids[0]).request["name"]
                overview = await asyncio.to_thread(_overview, document, run_ids[0], name)
                return self.shelf.put(named, overview)

            stored = await self._once.do(named, made)
        return answer(stored, request)

    async def rows(
        self,
        kind: str,
        run_ids: Sequence[str],
        options: ResultOptions,
        request: Request,
        where: Mapping[str, Any],
        cursor: str | None,
        limit: int,
        format: str,
        comparing: bool = False,
    ) -> Response:
        """A list taken from the analysis."""
        path = self._path(run_ids, "analysis", options, comparing, "json")
        named = digest(str(path), kind, dict(where), cursor, limit, format)
        stored = self.shelf.get(named)
        if stored is None:

            async def made() -> Stored:
                document = await self._analysis(run_ids, options, comparing)
                rows = await self._rows_of(kind, f"{path}", document, run_ids)
                return self.shelf.put(named, await _listed(rows, where, cursor, limit, format))

            stored = await self._once.do(named, made)
        return answer(stored, request, _download(f"{kind}.csv", format))

    async def export(
        self,
        run_ids: Sequence[str],
        format: str,
        options: ResultOptions,
        request: Request,
        comparing: bool = False,
    ) -> Response:
        """A file for other programs."""
        path = self._path(run_ids, "export", options, comparing, ENDINGS[format], format)
        if not path.is_file():
            asked = {**self._asked_together(run_ids, options, path), "format": format}
            await self.core.pool.do("export", asked)
            self._tidy(path)
        etag = f'"{digest(path.name)}"'
        headers = {"etag": etag, "cache-control": "private, no-cache"}
        if etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        name = run_ids[0] if len(run_ids) == 1 else "comparison"
        name = f"justeval-{name}{'-stata' if format == 'stata' else ''}.{ENDINGS[format]}"
        return FileResponse(path, media_type=MEDIA_TYPES[format], filename=name, headers=headers)

    async def _analysis(
        self, run_ids: Sequence[str], options: ResultOptions, comparing: bool
    ) -> Stored:
        path = self._path(run_ids, "analysis", options, comparing, "json")
        asked = {**self._asked_together(run_ids, options, path), "comparing": comparing}
        return await self._made(path, "analyze", asked, run_ids)

    async def make(self, task: str, asked: Mapping[str, Any], run_ids: Sequence[str]) -> None:
        """Has a worker make something of runs, and notes how long that takes."""
        begin = time.monotonic()
        await self.core.pool.do(task, asked)
        for run_id in run_ids:
            self._took[run_id] = time.monotonic() - begin

    async def _made(
        self,
        path: Path,
        task: str,
        asked: Mapping[str, Any],
        run_ids: Sequence[str],
        media_type: str = JSON,
    ) -> Stored:
        """The bytes of a file that a worker makes where it is not there."""
        stored = self.shelf.get(str(path))
        if stored is not None:
            return stored

        async def made() -> Stored:
            if not path.is_file():
                await self.make(task, asked, run_ids)
                self._tidy(path)
            content = await asyncio.to_thread(path.read_bytes)
            packed = await asyncio.to_thread(Stored.of, content, media_type)
            return self.shelf.put(str(path), packed)

        return await self._once.do(str(path), made)

    async def _rows_of(
        self, kind: str, name: str, document: Stored, run_ids: Sequence[str]
    ) -> list[Row]:
        """All rows of a kind, parsed once for a document."""
        named = f"{kind} {name}"
        rows = self._rows.get(named)
        if rows is None:

            async def made() -> list[Row]:
                return await asyncio.to_thread(_parsed, kind, document, run_ids[0])

            rows = self._rows[named] = await self._once.do(f"rows {named}", made)
            while len(self._rows) > PARSED:
                self._rows.popitem(last=False)
        self._rows.move_to_end(named)
        return rows

    def _asked_together(
        self, run_ids: Sequence[str], options: ResultOptions, path: Path
    ) -> dict[str, Any]:
        return {
            "runs": [self.asked(run_id) for run_id in run_ids],
            "options": options.as_json(),
            "target": str(path),
        }

    def asked(self, run_id: str) -> dict[str, Any]:
        """A run as a worker is asked for it."""
        record = self.runs.record(run_id)
        return {
            "id": run_id,
            "name": record.request["name"],
            "folder": str(self.runs.home(run_id).folder.path),
            "collecting": record.active,
        }

    def _path(
        self,
        run_ids: Sequence[str],
        kind: str,
        options: ResultOptions,
        comparing: bool,
        ending: str,
        *more: str,
    ) -> Path:
        """Where a result of this state of the runs is stored."""
        if len(set(run_ids)) < len(run_ids):
            raise InvalidError("run: the same run stands twice")
        token = digest([self.token(run_id) for run_id in run_ids])[:16]
        named = digest(options.as_json(), comparing, *more)[:16]
        folder = COMPARISONS if comparing or len(run_ids) > 1 else run_ids[0]
        return self.core.folders.results / folder / f"{token}-{kind}-{named}.{ending}"

    def token(self, run_id: str) -> str:
        """A name for the state that a run is in; while it collects it changes only now and then."""
        record = self.runs.record(run_id)
        known = self._tokens.get(run_id)
        fresh = max(FRESH_SECONDS, FRESH_TIMES * self._took.get(run_id, 0.0))
        if known and record.active and time.monotonic() - known[1] < fresh:
            return known[0]
        token = _token(record, self.runs.home(run_id).folder.journal)
        self._tokens[run_id] = (token, time.monotonic())
        return token

    def _tidy(self, path: Path) -> None:
        """Removes what was stored of earlier states of the run, and what is too much or too old."""
        token = path.name.partition("-")[0]
        oldest = time.time() - KEPT_SECONDS
        files = [p for p in path.parent.iterdir() if p.is_file() and p.suffix != ".partial"]
        files.sort(key=lambda file: file.stat().st_mtime, reverse=True)
        for place, file in enumerate(files):
            together = path.parent.name == COMPARISONS
            old = together and file.stat().st_mtime < oldest
            stale = not together and not file.name.startswith(token)
            if old or stale or place >= MOST_STORED:
                remove(file)

    async def prepare(self, record: RunRecord) -> None:
        """Makes the results of a run that has ended, before someone waits for them."""
        try:
            await self._analysis([record.id], ResultOptions(), False)
        except JustevalError as error:
            log.info("%s: no results yet (%s)", record.id, error)


def _parsed(kind: str, document: Stored, run_id: str) -> list[Row]:
    parsed = json.loads(document.content)
    sources = {source["model"]: source["run"] for source in parsed.get("sources", ())}
    return rows_of(kind, parsed, lambda model: sources.get(model, run_id))


def _token(record: RunRecord, journal: Path) -> str:
    try:
        about = journal.stat()
        state: list[object] = [about.st_size, about.st_mtime_ns]
    except FileNotFoundError:
        state = []
    return digest(record.id, record.request["name"], record.active, state, __version__)[:16]


def _overview(document: Stored, run_id: str, run_name: str) -> Stored:
    """An overview as bytes; the models of a run on its own all come from it."""
    parsed = json.loads(document.content)
    sources = parsed.get("sources") or [
        {"model": name, "run": run_id, "run_name": run_name, "model_in_run": name}
        for name in (model["model"] for model in parsed["models"])
    ]
    return Stored.of(_json_bytes(overview_of(parsed, sources)), JSON)


def _json_bytes(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


async def _listed(
    rows: list[Row], where: Mapping[str, Any], cursor: str | None, limit: int, format: str
) -> Stored:
    """A page of rows as JSON, or all of them as CSV."""
    found = matching(rows, where)
    items, following = (found, None) if format == "csv" else page_of(found, cursor, limit)

    def made() -> Stored:
        if format == "csv":
            return Stored.of(csv_of(items).encode("utf-8", "replace"), CSV)
        page = {"items": list(items), "next": following, "total": len(found)}
        return Stored.of(_json_bytes(page), JSON)

    return await asyncio.to_thread(made)


def _download(filename: str, format: str) -> dict[str, str]:
    if format != "csv":
        return {}
    return {"content-disposition": f'attachment; filename="{filename}"'}

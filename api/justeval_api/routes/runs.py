"""Runs: start, watch, stop, go on."""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from justeval_api.paging import Cursor, Limit
from justeval_api.routes.options import Format
from justeval_api.routes.shared import RunId, ServiceDep, errors, or_csv
from justeval_api.schemas.runs import (
    Progress,
    ResumeRequest,
    Run,
    RunPage,
    RunRequest,
    SkipPage,
    State,
)
from justeval_api.services.documents import MOST_ROWS
from justeval_api.services.tables import csv_answer

router = APIRouter(prefix="/runs", tags=["runs"])


async def _known(run: RunId, service: ServiceDep) -> str:
    """The id of a run that exists: a stream that has begun can no longer answer 404."""
    return (await service.runs.run(run)).id


KnownRun = Annotated[str, Depends(_known)]


@router.get("", operation_id="list_runs", response_model=RunPage, responses=or_csv(errors()))
async def list_runs(
    service: ServiceDep,
    state: Annotated[State | None, Query(description="Runs in this state only.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
    format: Format = "json",
) -> RunPage | Response:
    """List runs, the latest first."""
    if format == "csv":
        whole = await service.runs.runs(state, None, MOST_ROWS)
        return csv_answer([run.model_dump(mode="json") for run in whole.items], "runs.csv")
    return await service.runs.runs(state, cursor, limit)


@router.post("", operation_id="start_run", status_code=201, responses=errors(403, 404))
async def start_run(body: RunRequest, service: ServiceDep) -> Run:
    """Start a run. It goes on when the caller leaves, and when the service is restarted."""
    return await service.runs.start(body)


@router.get("/{run}", operation_id="show_run", responses=errors(404))
async def show_run(run: RunId, service: ServiceDep) -> Run:
    """Show a run and how far it is."""
    return await service.runs.run(run)


@router.delete("/{run}", operation_id="delete_run", status_code=204, responses=errors(404, 409))
async def delete_run(run: RunId, service: ServiceDep) -> None:
    """Delete a run with all its replies; one that is collecting must be canceled first."""
    await service.runs.delete(run)


@router.post("/{run}/cancel", operation_id="cancel_run", responses=errors(404, 409))
async def cancel_run(run: RunId, service: ServiceDep) -> Run:
    """Stop asking; what was answered stays."""
    return await service.runs.cancel(run)


@router.post("/{run}/resume", operation_id="resume_run", responses=errors(403, 404, 409))
async def resume_run(run: RunId, service: ServiceDep, body: ResumeRequest | None = None) -> Run:
    """Go on with what is missing; keys that came with the request must come again."""
    return await service.runs.resume(run, body or ResumeRequest())


@router.get("/{run}/progress", operation_id="get_progress", responses=errors(404))
async def get_progress(run: RunId, service: ServiceDep) -> Progress:
    """Say how far a run is."""
    return await service.runs.progress(run)


@router.get(
    "/{run}/events",
    operation_id="watch_run",
    response_class=EventSourceResponse,
    responses=errors(404),
)
async def watch_run(run: KnownRun, service: ServiceDep) -> AsyncIterable[ServerSentEvent]:
    """Send `progress` events until the run ends; the data of each is a Progress."""
    async for progress in service.runs.watch(run):
        yield ServerSentEvent(data=progress, event="progress")


@router.get("/{run}/manifest", operation_id="show_manifest", responses=errors(404, 409))
async def show_manifest(run: RunId, service: ServiceDep) -> dict[str, Any]:
    """Show the manifest: every choice by which the run can be understood and repeated."""
    return await service.runs.manifest(run)


@router.get(
    "/{run}/skipped",
    operation_id="list_skipped",
    response_model=SkipPage,
    responses=or_csv(errors(404)),
)
async def list_skipped(
    run: RunId,
    service: ServiceDep,
    cursor: Cursor = None,
    limit: Limit = 100,
    format: Format = "json",
) -> SkipPage | Response:
    """List the labels that were left out of cases, and why."""
    if format == "csv":
        whole = await service.runs.skipped(run, None, MOST_ROWS)
        return csv_answer([skip.model_dump(mode="json") for skip in whole.items], "skipped.csv")
    return await service.runs.skipped(run, cursor, limit)

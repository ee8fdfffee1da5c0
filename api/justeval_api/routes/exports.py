"""Exports: the same numbers as files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response

from justeval_api.routes.comparisons import Runs
from justeval_api.routes.options import Options
from justeval_api.routes.results import NOT_CHANGED
from justeval_api.routes.shared import RunId, ServiceDep, errors
from justeval_api.schemas.exports import MEDIA_TYPES

router = APIRouter(tags=["exports"])

Exported = Annotated[
    Literal["json", "csv", "xlsx", "html", "md", "stata", "parquet"],
    Path(description="csv and stata are zips; parquet holds every prediction.", examples=["xlsx"]),
]


def _files() -> dict[int | str, dict[str, Any]]:
    schema = {"schema": {"type": "string", "format": "binary"}}
    content = {media_type.partition(";")[0]: schema for media_type in MEDIA_TYPES.values()}
    return {
        **errors(404, 409),
        **NOT_CHANGED,
        200: {"description": "The file, as a download.", "content": content},
    }


@router.get(
    "/runs/{run}/exports/{format}",
    operation_id="export_run",
    response_class=Response,
    responses=_files(),
)
async def export_run(
    run: RunId, format: Exported, request: Request, options: Options, service: ServiceDep
) -> Response:
    """Download the results of a run, or its predictions (parquet)."""
    return await service.results.export([run], format, options, request)


@router.get(
    "/comparisons/exports/{format}",
    operation_id="export_comparison",
    response_class=Response,
    responses=_files(),
)
async def export_comparison(
    runs: Runs, format: Exported, request: Request, options: Options, service: ServiceDep
) -> Response:
    """Download the results of several runs as one analysis."""
    return await service.results.export(runs, format, options, request, comparing=True)

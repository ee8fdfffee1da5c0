"""Prompts: what is said to a model; and replies that were made elsewhere."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse

from justeval_api.paging import Cursor, Limit
from justeval_api.routes.shared import PromptId, ServiceDep, binary, errors, raw_body
from justeval_api.schemas.prompts import Prompt, PromptExportRequest, PromptPage
from justeval_api.schemas.runs import Run

router = APIRouter(tags=["prompts"])

YAML = "application/yaml"
LINES = "application/x-ndjson"


@router.get("/prompts", operation_id="list_prompts", responses=errors())
async def list_prompts(
    service: ServiceDep, cursor: Cursor = None, limit: Limit = 100
) -> PromptPage:
    """List the prompts that ship with justeval, and those added here."""
    return service.prompts.prompts(cursor, limit)


@router.post(
    "/prompts",
    operation_id="add_prompt",
    status_code=201,
    responses=errors(409, 413),
    openapi_extra=raw_body(YAML, "A prompt in YAML, or the same as JSON."),
)
async def add_prompt(request: Request, service: ServiceDep) -> Prompt:
    """Add a prompt of one's own; `user` holds `{case}` once."""
    return await service.prompts.add(request.stream())


@router.post(
    "/prompts/export",
    operation_id="export_prompts",
    response_class=Response,
    responses={
        **errors(404, 413),
        200: binary(LINES, "One line a request, with its key, its messages and an empty reply."),
    },
)
async def export_prompts(body: PromptExportRequest, service: ServiceDep) -> FileResponse:
    """Write every prompt with its key, for a model that runs elsewhere."""
    return await service.prompts.export(body)


@router.get("/prompts/{prompt}", operation_id="show_prompt", responses=errors(404))
async def show_prompt(prompt: PromptId, service: ServiceDep) -> Prompt:
    """Show a prompt."""
    return service.prompts.prompt(prompt)


@router.delete(
    "/prompts/{prompt}", operation_id="delete_prompt", status_code=204, responses=errors(403, 404)
)
async def delete_prompt(prompt: PromptId, service: ServiceDep) -> None:
    """Delete a prompt of one's own; runs keep their copy of it."""
    service.prompts.delete(prompt)


@router.post(
    "/replies",
    operation_id="import_replies",
    status_code=201,
    responses=errors(413),
    openapi_extra=raw_body(LINES, "The exported file, `reply` filled in."),
)
async def import_replies(
    request: Request,
    service: ServiceDep,
    model: Annotated[str, Query(min_length=1, max_length=200, examples=["our-model"])] = "imported",
    name: Annotated[str | None, Query(max_length=200, description="Name of the run.")] = None,
) -> Run:
    """Read back exported prompts with their replies: a run, straight to the results."""
    return await service.prompts.replies(request.stream(), model, name)

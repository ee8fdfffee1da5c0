"""Labels and packs: which factors can be changed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from justeval_api.paging import Cursor, Limit
from justeval_api.routes.options import Format
from justeval_api.routes.shared import PackId, ServiceDep, errors, or_csv, raw_body, text
from justeval_api.schemas.labels import (
    Label,
    LabelPage,
    LabelSample,
    Pack,
    PackCheck,
    PackPage,
)
from justeval_api.services.documents import MOST_ROWS
from justeval_api.services.tables import csv_of_items

router = APIRouter(tags=["labels"])

YAML = "application/yaml"
PACK_BODY = raw_body(YAML, "A pack in YAML, or the same as JSON.")
LabelId = Annotated[str, Path(max_length=200, examples=["defendant_race"])]


@router.get(
    "/packs", operation_id="list_packs", response_model=PackPage, responses=or_csv(errors())
)
async def list_packs(
    service: ServiceDep, cursor: Cursor = None, limit: Limit = 100, format: Format = "json"
) -> PackPage | Response:
    """List the packs that ship with justeval, and those added here."""
    if format == "csv":
        return csv_of_items(service.labels.packs(None, MOST_ROWS).items, "packs.csv")
    return service.labels.packs(cursor, limit)


@router.post(
    "/packs",
    operation_id="add_pack",
    status_code=201,
    responses=errors(409, 413),
    openapi_extra=PACK_BODY,
)
async def add_pack(request: Request, service: ServiceDep) -> Pack:
    """Add a pack of one's own; every mistake is named by line and field."""
    return await service.labels.add(request.stream())


@router.post(
    "/packs/check", operation_id="check_pack", responses=errors(413), openapi_extra=PACK_BODY
)
async def check_pack(request: Request, service: ServiceDep) -> PackCheck:
    """Check a pack without keeping it."""
    return await service.labels.check(request.stream())


@router.get("/packs/{pack}", operation_id="show_pack", responses=errors(404))
async def show_pack(pack: PackId, service: ServiceDep) -> Pack:
    """Show a pack; its labels are listed by `/labels?pack=`."""
    return service.labels.pack(pack)


@router.get(
    "/packs/{pack}/source",
    operation_id="download_pack",
    response_class=Response,
    responses={**errors(404), 200: text(YAML, "The pack as YAML.")},
)
async def download_pack(pack: PackId, service: ServiceDep) -> Response:
    """Download a pack as it was written."""
    headers = {"content-disposition": f'attachment; filename="{pack}.yaml"'}
    return Response(service.labels.source(pack), media_type=YAML, headers=headers)


@router.delete(
    "/packs/{pack}", operation_id="delete_pack", status_code=204, responses=errors(403, 404)
)
async def delete_pack(pack: PackId, service: ServiceDep) -> None:
    """Delete a pack of one's own; runs keep their copy of it."""
    service.labels.delete(pack)


@router.get(
    "/labels", operation_id="list_labels", response_model=LabelPage, responses=or_csv(errors(404))
)
async def list_labels(
    service: ServiceDep,
    pack: Annotated[str | None, Query(max_length=200, examples=["judicial-us"])] = None,
    actor: Annotated[str | None, Query(max_length=100, examples=["defendant"])] = None,
    category: Annotated[str | None, Query(max_length=100, examples=["substance"])] = None,
    demographic: bool | None = None,
    text: Annotated[str | None, Query(max_length=100, description="Part of id or name.")] = None,
    cursor: Cursor = None,
    limit: Limit = 100,
    format: Format = "json",
) -> LabelPage | Response:
    """List labels of all packs, filtered."""
    if format == "csv":
        whole = service.labels.labels(pack, actor, category, demographic, text, None, MOST_ROWS)
        return csv_of_items(whole.items, "labels.csv")
    return service.labels.labels(pack, actor, category, demographic, text, cursor, limit)


@router.get("/labels/{pack}/{label}", operation_id="show_label", responses=errors(404))
async def show_label(pack: PackId, label: LabelId, service: ServiceDep) -> Label:
    """Show one label with its sentences."""
    return service.labels.label(pack, label)


@router.get("/labels/{pack}/{label}/sample", operation_id="sample_label", responses=errors(404))
async def sample_label(
    pack: PackId,
    label: LabelId,
    service: ServiceDep,
    dataset: Annotated[str, Query(max_length=200, examples=["us-sentencing"])],
    case_id: Annotated[str | None, Query(max_length=1_000, examples=["us-001"])] = None,
) -> LabelSample:
    """Show how a label reads in a case: one text a value, the edit marked."""
    return await service.labels.sample(pack, label, dataset, case_id)

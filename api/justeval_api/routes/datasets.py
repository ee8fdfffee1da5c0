"""Case sets: upload, map, check."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from justeval_api.paging import Cursor, Limit
from justeval_api.routes.options import Format
from justeval_api.routes.shared import DatasetId, FileName, ServiceDep, errors, or_csv, raw_body
from justeval_api.schemas.common import ProblemPage
from justeval_api.schemas.datasets import (
    CasePage,
    Dataset,
    DatasetPage,
    MappingRequest,
    Preview,
    ProfilePage,
)
from justeval_api.services.documents import MOST_ROWS
from justeval_api.services.tables import csv_of_items

router = APIRouter(tags=["datasets"])

MOST_CASES = 10_000


@router.get(
    "/datasets",
    operation_id="list_datasets",
    response_model=DatasetPage,
    responses=or_csv(errors()),
)
async def list_datasets(
    service: ServiceDep, cursor: Cursor = None, limit: Limit = 50, format: Format = "json"
) -> DatasetPage | Response:
    """List the case sets that ship with justeval, and those uploaded here."""
    if format == "csv":
        return csv_of_items(service.datasets.datasets(None, MOST_ROWS).items, "datasets.csv")
    return service.datasets.datasets(cursor, limit)


@router.post(
    "/datasets",
    operation_id="upload_dataset",
    status_code=201,
    responses=errors(413, 415),
    openapi_extra=raw_body("application/octet-stream", "The file as it is."),
)
async def upload_dataset(request: Request, filename: FileName, service: ServiceDep) -> Dataset:
    """Upload a file of cases as a stream; a mapping is proposed, and every problem kept."""
    return await service.datasets.upload(request.stream(), filename)


@router.get("/datasets/{dataset}", operation_id="show_dataset", responses=errors(404))
async def show_dataset(dataset: DatasetId, service: ServiceDep) -> Dataset:
    """Show a case set."""
    return service.datasets.dataset(dataset)


@router.put(
    "/datasets/{dataset}/mapping", operation_id="map_dataset", responses=errors(403, 404, 409)
)
async def map_dataset(dataset: DatasetId, body: MappingRequest, service: ServiceDep) -> Dataset:
    """Say which column is what, and check the file anew."""
    return await service.datasets.map(dataset, body)


@router.get("/datasets/{dataset}/preview", operation_id="preview_dataset", responses=errors(404))
async def preview_dataset(dataset: DatasetId, service: ServiceDep) -> Preview:
    """Show the first rows as the file has them, and the cases made of them."""
    return await service.datasets.preview(dataset)


@router.get(
    "/datasets/{dataset}/problems",
    operation_id="list_dataset_problems",
    response_model=ProblemPage,
    responses=or_csv(errors(404)),
)
async def list_dataset_problems(
    dataset: DatasetId,
    service: ServiceDep,
    cursor: Cursor = None,
    limit: Limit = 100,
    format: Format = "json",
) -> ProblemPage | Response:
    """List every problem of a file with row and column."""
    if format == "csv":
        whole = await service.datasets.problems(dataset, None, MOST_ROWS)
        return csv_of_items(whole.items, "problems.csv")
    return await service.datasets.problems(dataset, cursor, limit)


@router.get(
    "/datasets/{dataset}/cases",
    operation_id="list_cases",
    response_model=CasePage,
    responses=or_csv(errors(404)),
)
async def list_cases(
    dataset: DatasetId,
    service: ServiceDep,
    cursor: Cursor = None,
    limit: Limit = 20,
    format: Format = "json",
) -> CasePage | Response:
    """List the cases of a set; as CSV the first 10,000 of them."""
    if format == "csv":
        whole = await service.datasets.cases(dataset, None, MOST_CASES)
        return csv_of_items(whole.items, "cases.csv")
    return await service.datasets.cases(dataset, cursor, limit)


@router.delete(
    "/datasets/{dataset}",
    operation_id="delete_dataset",
    status_code=204,
    responses=errors(403, 404),
)
async def delete_dataset(dataset: DatasetId, service: ServiceDep) -> None:
    """Delete an uploaded case set; runs keep their copy of the cases."""
    await service.datasets.delete(dataset)


@router.get("/profiles", operation_id="list_profiles", responses=errors())
async def list_profiles(
    service: ServiceDep, cursor: Cursor = None, limit: Limit = 50
) -> ProfilePage:
    """List the ready mappings of published files."""
    return service.datasets.profiles(cursor, limit)

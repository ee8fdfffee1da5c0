"""Comparisons: several runs as one analysis."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from justeval_api.paging import Cursor, Limit
from justeval_api.routes.options import (
    Actor,
    Category,
    CellLimit,
    Demographic,
    Format,
    LabelName,
    Model,
    ModelsDiffer,
    Options,
    Placebo,
)
from justeval_api.routes.results import stored
from justeval_api.routes.shared import ServiceDep
from justeval_api.schemas.overviews import HeatCellPage, Overview
from justeval_api.schemas.results import Comparison, LabelRowPage, ModelRowPage

router = APIRouter(prefix="/comparisons", tags=["comparisons"])

Runs = Annotated[
    list[str],
    Query(
        alias="run",
        min_length=1,
        max_length=50,
        description="Id of a run; repeated for each.",
        examples=[["run-5e0c1f7a9b24", "run-a41be02c77d1"]],
    ),
]


@router.get(
    "",
    operation_id="compare_runs",
    response_class=Response,
    responses=stored(Comparison, csv=False),
)
async def compare_runs(
    runs: Runs, request: Request, options: Options, service: ServiceDep
) -> Response:
    """Analyze several runs together; models of one name are told apart by their run."""
    return await service.results.document(runs, options, request, comparing=True)


@router.get(
    "/overview",
    operation_id="compare_overview",
    response_class=Response,
    responses=stored(Overview, csv=False),
)
async def compare_overview(
    runs: Runs, request: Request, options: Options, service: ServiceDep
) -> Response:
    """Give the comparison without its labels: summary, models, where each comes from."""
    return await service.results.overview(runs, options, request, comparing=True)


@router.get(
    "/models",
    operation_id="compare_models",
    response_class=Response,
    responses=stored(ModelRowPage),
)
async def compare_models(
    runs: Runs,
    request: Request,
    options: Options,
    service: ServiceDep,
    cursor: Cursor = None,
    limit: Limit = 100,
    format: Format = "json",
) -> Response:
    """List the models of several runs: one model table."""
    return await service.results.rows(
        "models", runs, options, request, {}, cursor, limit, format, comparing=True
    )


@router.get(
    "/labels",
    operation_id="compare_labels",
    response_class=Response,
    responses=stored(LabelRowPage),
)
async def compare_labels(
    runs: Runs,
    request: Request,
    options: Options,
    service: ServiceDep,
    model: Model = None,
    label: LabelName = None,
    actor: Actor = None,
    category: Category = None,
    demographic: Demographic = None,
    placebo: Placebo = None,
    cursor: Cursor = None,
    limit: Limit = 100,
    format: Format = "json",
) -> Response:
    """List the labels of all models of several runs, with all of their estimates."""
    where = {
        "model": model, "label": label, "actor": actor, "category": category,
        "demographic": demographic, "placebo": placebo,
    }  # fmt: skip
    return await service.results.rows(
        "labels", runs, options, request, where, cursor, limit, format, comparing=True
    )


@router.get(
    "/cells",
    operation_id="compare_cells",
    response_class=Response,
    responses=stored(HeatCellPage),
)
async def compare_cells(
    runs: Runs,
    request: Request,
    options: Options,
    service: ServiceDep,
    model: Model = None,
    label: LabelName = None,
    actor: Actor = None,
    category: Category = None,
    demographic: Demographic = None,
    placebo: Placebo = None,
    models_differ: ModelsDiffer = None,
    cursor: Cursor = None,
    limit: CellLimit = 100,
    format: Format = "json",
) -> Response:
    """List the cells of a heat map, label by label: the largest effect and the verdict."""
    where = {
        "model": model, "label": label, "actor": actor, "category": category,
        "demographic": demographic, "placebo": placebo, "models_differ": models_differ,
    }  # fmt: skip
    return await service.results.rows(
        "cells", runs, options, request, where, cursor, limit, format, comparing=True
    )

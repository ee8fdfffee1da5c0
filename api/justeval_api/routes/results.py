"""Results of a run: the whole document, and the lists taken from it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

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
from justeval_api.routes.shared import RunId, ServiceDep, errors
from justeval_api.schemas.overviews import HeatCellPage, Overview, VerdictCountPage
from justeval_api.schemas.results import (
    CountPage,
    FindingPage,
    InconsistencyPage,
    LabelRowPage,
    ModelRowPage,
    Results,
    ValueRowPage,
)

router = APIRouter(prefix="/runs/{run}", tags=["results"])

NOT_CHANGED: dict[int | str, dict[str, Any]] = {
    304: {"description": "The client has it already (If-None-Match)."}
}


def stored(model: type[Any], csv: bool = True) -> dict[int | str, dict[str, Any]]:
    """Documents an answer of stored bytes: JSON of `model`, or CSV."""
    content: dict[str, Any] = {"text/csv": {"schema": {"type": "string"}}} if csv else {}
    return {**errors(404, 409), **NOT_CHANGED, 200: {"model": model, "content": content}}


@router.get(
    "/results",
    operation_id="get_results",
    response_class=Response,
    responses=stored(Results, csv=False),
)
async def get_results(
    run: RunId, request: Request, options: Options, service: ServiceDep
) -> Response:
    """Give the whole analysis, the same document as `justeval analyze --json`."""
    return await service.results.document([run], options, request)


@router.get(
    "/results/overview",
    operation_id="get_overview",
    response_class=Response,
    responses=stored(Overview, csv=False),
)
async def get_overview(
    run: RunId, request: Request, options: Options, service: ServiceDep
) -> Response:
    """Give the analysis without its labels: settings, summary, models."""
    return await service.results.overview([run], options, request)


@router.get(
    "/results/models",
    operation_id="list_model_results",
    response_class=Response,
    responses=stored(ModelRowPage),
)
async def list_model_results(
    run: RunId,
    request: Request,
    options: Options,
    service: ServiceDep,
    cursor: Cursor = None,
    limit: Limit = 100,
    format: Format = "json",
) -> Response:
    """List the models: the model table."""
    return await service.results.rows("models", [run], options, request, {}, cursor, limit, format)


@router.get(
    "/results/labels",
    operation_id="list_label_results",
    response_class=Response,
    responses=stored(LabelRowPage),
)
async def list_label_results(
    run: RunId,
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
    """List every label of the run, those without usable data too."""
    where = {
        "model": model, "label": label, "actor": actor, "category": category,
        "demographic": demographic, "placebo": placebo,
    }  # fmt: skip
    return await service.results.rows(
        "labels", [run], options, request, where, cursor, limit, format
    )


@router.get(
    "/results/cells",
    operation_id="list_cells",
    response_class=Response,
    responses=stored(HeatCellPage),
)
async def list_cells(
    run: RunId,
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
    """List one line a label and model, label by label: its largest effect and its verdict."""
    where = {
        "model": model, "label": label, "actor": actor, "category": category,
        "demographic": demographic, "placebo": placebo, "models_differ": models_differ,
    }  # fmt: skip
    return await service.results.rows(
        "cells", [run], options, request, where, cursor, limit, format
    )


@router.get(
    "/results/verdicts",
    operation_id="list_verdicts",
    response_class=Response,
    responses=stored(VerdictCountPage),
)
async def list_verdicts(
    run: RunId,
    request: Request,
    options: Options,
    service: ServiceDep,
    model: Model = None,
    cursor: Cursor = None,
    limit: Limit = 100,
    format: Format = "json",
) -> Response:
    """List how many labels have which verdict, by actor, category and demographic or not."""
    return await service.results.rows(
        "verdicts", [run], options, request, {"model": model}, cursor, limit, format
    )


@router.get(
    "/results/values",
    operation_id="list_value_results",
    response_class=Response,
    responses=stored(ValueRowPage),
)
async def list_value_results(
    run: RunId,
    request: Request,
    options: Options,
    service: ServiceDep,
    model: Model = None,
    label: LabelName = None,
    cursor: Cursor = None,
    limit: Limit = 100,
    format: Format = "json",
) -> Response:
    """List the effect of every value against the reference, with its interval."""
    where = {"model": model, "label": label}
    return await service.results.rows(
        "values", [run], options, request, where, cursor, limit, format
    )


@router.get(
    "/results/inconsistency",
    operation_id="list_inconsistency",
    response_class=Response,
    responses=stored(InconsistencyPage),
)
async def list_inconsistency(
    run: RunId,
    request: Request,
    options: Options,
    service: ServiceDep,
    model: Model = None,
    label: LabelName = None,
    cursor: Cursor = None,
    limit: Limit = 100,
    format: Format = "json",
) -> Response:
    """List the share of documents whose answer changes with a label, beside its noise floor."""
    where = {"model": model, "label": label}
    return await service.results.rows(
        "inconsistency", [run], options, request, where, cursor, limit, format
    )


@router.get(
    "/results/counts",
    operation_id="list_count_tests",
    response_class=Response,
    responses=stored(CountPage),
)
async def list_count_tests(
    run: RunId,
    request: Request,
    options: Options,
    service: ServiceDep,
    model: Model = None,
    cursor: Cursor = None,
    limit: Limit = 100,
    format: Format = "json",
) -> Response:
    """List how many labels are significant, and how likely so many are by chance."""
    return await service.results.rows(
        "counts", [run], options, request, {"model": model}, cursor, limit, format
    )


@router.get(
    "/findings",
    operation_id="list_findings",
    response_class=Response,
    responses=stored(FindingPage),
)
async def list_findings(
    run: RunId,
    request: Request,
    options: Options,
    service: ServiceDep,
    model: Model = None,
    label: LabelName = None,
    cursor: Cursor = None,
    limit: Limit = 100,
    format: Format = "json",
) -> Response:
    """List what is wrong with the data of the run, with and without the replies concerned."""
    where = {"model": model, "label": label}
    return await service.results.rows(
        "findings", [run], options, request, where, cursor, limit, format
    )

"""Documents of a label, and one of them with its texts and replies."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from justeval_api.paging import Cursor, Limit
from justeval_api.routes.options import Format
from justeval_api.routes.results import stored
from justeval_api.routes.shared import Id, RunId, ServiceDep, errors, or_csv
from justeval_api.schemas.documents import Document, DocumentPage
from justeval_api.services.tables import csv_answer
from justeval_api.services.versions import reply_rows

router = APIRouter(prefix="/runs/{run}/documents", tags=["documents"])

LabelOf = Annotated[
    str, Query(max_length=300, description="Id of the label.", examples=["defendant_race"])
]
ModelOf = Annotated[
    str | None, Query(max_length=300, description="Name of the model; default: the first.")
]
Only = Annotated[
    Literal["all", "changed", "unchanged", "unreadable", "flagged"],
    Query(description="Which documents: all, or those with this trait."),
]
Sort = Annotated[
    Literal["case_id", "-case_id", "spread", "-spread", "true_months", "-true_months", "unreadable",
            "-unreadable"],
    Query(description="By what they are sorted; with `-` the largest first, unknown last."),
]  # fmt: skip


@router.get(
    "", operation_id="list_documents", response_class=Response, responses=stored(DocumentPage)
)
async def list_documents(
    run: RunId,
    label: LabelOf,
    request: Request,
    service: ServiceDep,
    model: ModelOf = None,
    only: Only = "all",
    sort: Sort = "case_id",
    cursor: Cursor = None,
    limit: Limit = 50,
    format: Format = "json",
) -> Response:
    """List the documents of a label with what each version was answered."""
    return await service.documents.documents(
        run, label, model, only, sort, cursor, limit, format, request
    )


@router.get(
    "/{document}",
    operation_id="show_document",
    response_model=Document,
    responses=or_csv(errors(404, 409)),
)
async def show_document(
    run: RunId,
    document: Annotated[str, Path(pattern=Id, examples=["d-91c4e07ab35f"])],
    label: LabelOf,
    service: ServiceDep,
    model: ModelOf = None,
    format: Format = "json",
) -> Document | Response:
    """Show all versions of a document side by side, with the raw replies; as CSV, the replies."""
    shown = await service.documents.document(run, document, label, model)
    return csv_answer(reply_rows(shown), "replies.csv") if format == "csv" else shown

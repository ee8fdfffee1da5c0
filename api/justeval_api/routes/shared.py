"""What several routes share: the service behind them, and the answers that all document."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request

from justeval_api.schemas.common import ErrorAnswer
from justeval_api.service import Service

Responses = dict[int | str, dict[str, Any]]

_MEANINGS = {
    400: "The address that was asked is none of this service.",
    401: "A token is needed, or another one.",
    403: "The request comes from another site, or only the local user may make it.",
    404: "There is no such thing.",
    405: "The method is not one of this address.",
    409: "Not possible in the state that it is in.",
    413: "More than the service takes.",
    415: "A kind of file or body that cannot be read.",
    422: "The request cannot be understood as it stands; every problem is named.",
    500: "The service failed; its log says why.",
    503: "Not now, perhaps later.",
}


def errors(*statuses: int) -> Responses:
    """The documented errors of a route, beside those that every route can give."""
    every = (400, 401, 403, 422, 500, *statuses)
    return {
        status: {"model": ErrorAnswer, "description": _MEANINGS[status]} for status in sorted(every)
    }


def or_csv(responses: Responses) -> Responses:
    """The documented answers of a route that also gives CSV."""
    return {**responses, 200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}


def service_of(request: Request) -> Service:
    """The service that the application was made for."""
    service = request.app.state.service
    assert isinstance(service, Service)
    return service


ServiceDep = Annotated[Service, Depends(service_of)]

Id = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"
RunId = Annotated[str, Path(pattern=Id, description="Id of a run.", examples=["run-5e0c1f7a9b24"])]
DatasetId = Annotated[
    str, Path(pattern=Id, description="Id of a case set.", examples=["us-sentencing"])
]
PackId = Annotated[str, Path(pattern=Id, description="Id of a pack.", examples=["judicial-us"])]
PromptId = Annotated[str, Path(pattern=Id, description="Id of a prompt.", examples=["sentence-en"])]
FileName = Annotated[
    str,
    Query(
        min_length=1,
        max_length=200,
        description="Name of the file; its ending says what it is.",
        examples=["cases.csv"],
    ),
]


def binary(media_type: str, description: str) -> dict[str, Any]:
    """A documented answer that is a file."""
    schema = {"type": "string", "format": "binary"}
    return {"description": description, "content": {media_type: {"schema": schema}}}


def text(media_type: str, description: str) -> dict[str, Any]:
    """A documented answer in a language of its own, as the text of it."""
    return {
        "description": description,
        "content": {media_type: {"schema": {"description": "text"}}},
    }


def raw_body(media_type: str, description: str) -> dict[str, Any]:
    """A documented request whose body is a file as it is, read as a stream."""
    schema = {"type": "string", "format": "binary"}
    body = {
        "required": True,
        "description": description,
        "content": {media_type: {"schema": schema}},
    }
    return {"requestBody": body}

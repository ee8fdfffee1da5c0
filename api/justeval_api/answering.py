"""Errors -> answers: the one place that maps what went wrong to a status and words.

In: any error that a route raises. Out: the one shape. What is none of the library's own is written
to the log under a reference, and the client is told the reference alone.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from justeval.errors import InputError, JustevalError, Problem
from justeval_api.errors import ServiceError, error_body, status_of
from justeval_api.safety.words import for_clients

log = logging.getLogger("justeval_api")
_PARAMETER = re.compile(r"\\{[a-z_]+\\}")
_KINDS = {
    400: "InvalidError", 401: "UnauthorizedError", 403: "ForbiddenError", 404: "NotFoundError",
    405: "MethodError", 413: "TooLargeError", 415: "UnsupportedError",
}  # fmt: skip
_WORDS = {404: "there is nothing at this address", 405: "the method is not one of this address"}
MOST_DETAIL = 500


def add_handlers(app: FastAPI, root: Path) -> None:
    """Answers for every error; `root` is the folder whose paths no client sees."""

    async def known(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, JustevalError)
        return _known(error, root)

    async def refused(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        return _refused(app, request, error)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return _invalid(error)

    async def failed(request: Request, error: Exception) -> JSONResponse:
        return _failed(error)

    app.add_exception_handler(JustevalError, known)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, failed)


def _answer(
    status: int,
    kind: str,
    message: str,
    detail: Sequence[Problem] = (),
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    body = error_body(kind, _sound(message), detail[:MOST_DETAIL])
    return JSONResponse(body, int(status), dict(headers or {}))


def _known(error: JustevalError, root: Path) -> JSONResponse:
    status = status_of(error)
    if status == HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, ServiceError):
        return _failed(error)
    found = error.problems if isinstance(error, InputError) else ()
    found = error.detail if isinstance(error, ServiceError) else found
    detail = [
        Problem(_sound(for_clients(p.place, root)), _sound(for_clients(p.message, root)))
        for p in found
        if p.place or len(found) > 1
    ]
    return _answer(status, error.kind, for_clients(str(error), root), detail)


def _refused(app: FastAPI, request: Request, error: HTTPException) -> JSONResponse:
    status = error.status_code
    if status == HTTPStatus.NOT_FOUND and _allowed(app, request):
        status = HTTPStatus.METHOD_NOT_ALLOWED  # the page's route has taken the address
    kind = _KINDS.get(status, "ServiceError")
    message = _WORDS.get(status) or str(error.detail)
    headers = dict(error.headers or {})
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers = {"allow": ", ".join(_allowed(app, request))}
    return _answer(status, kind, message, headers=headers)


def _allowed(app: FastAPI, request: Request) -> list[str]:
    """All methods of an address: several routes may share it, and the framework names one's.

    Taken from the description, in which the page's own route, which takes every address, is not.
    """
    path = request.scope["path"]
    paths = app.openapi()["paths"]
    found = (
        [paths[path]]
        if path in paths
        else [
            operations
            for template, operations in paths.items()
            if re.fullmatch(_PARAMETER.sub("[^/]+", re.escape(template)), path)
        ]
    )
    return sorted(method.upper() for operations in found for method in operations)


def _invalid(error: RequestValidationError) -> JSONResponse:
    detail = [Problem(_place(found["loc"]), _sound(str(found["msg"]))) for found in error.errors()]
    first = f"{detail[0].place}: {detail[0].message}" if detail else "the request is not valid"
    more = f" (and {len(detail) - 1} more)" if len(detail) > 1 else ""
    return _answer(HTTPStatus.UNPROCESSABLE_ENTITY, "InvalidError", f"{first}{more}", detail)


def _place(location: Sequence[str | int]) -> str:
    """`body.models[0].name` from the parts of a location."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return _sound(text.lstrip(".")[:300])


def _failed(error: Exception) -> JSONResponse:
    reference = secrets.token_hex(4)
    log.error("failure %s", reference, exc_info=error)
    message = f"the service failed; its log has the reason under {reference}"
    return _answer(HTTPStatus.INTERNAL_SERVER_ERROR, "ServiceError", message)


def _sound(text: str) -> str:
    """Text that any JSON reader takes: no half characters."""
    return text.encode("utf-8", "replace").decode("utf-8")

"""Health of the service, and the session of the page."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from justeval_api.routes.shared import ServiceDep, errors
from justeval_api.safety.tokens import COOKIE, cookie_of, is_authenticated
from justeval_api.schemas.service import Health, Session, SessionRequest

router = APIRouter(tags=["service"])


@router.get("/health", operation_id="get_health", responses=errors())
async def get_health(service: ServiceDep) -> Health:
    """Say that the service works, and what it is doing."""
    return service.health()


@router.get("/session", operation_id="get_session", responses=errors())
async def get_session(request: Request, service: ServiceDep) -> Session:
    """Say whether the caller may use the service."""
    return _session(service, is_authenticated(request.scope, service.settings.token))


@router.post("/session", operation_id="open_session", responses=errors())
async def open_session(body: SessionRequest, service: ServiceDep, response: Response) -> Session:
    """Give the token once; a cookie stands for it from then on (event streams need one)."""
    service.check_token(body.token)
    if service.settings.token is not None:
        response.set_cookie(
            COOKIE, cookie_of(service.settings.token), httponly=True, samesite="strict", path="/"
        )
    return _session(service, True)


@router.delete("/session", operation_id="close_session", responses=errors())
async def close_session(service: ServiceDep, response: Response) -> Session:
    """Forget the cookie."""
    response.delete_cookie(COOKIE, path="/")
    return _session(service, service.settings.token is None)


def _session(service: ServiceDep, authenticated: bool) -> Session:
    return Session(
        token_required=service.settings.token is not None,
        authenticated=authenticated,
        local=service.settings.local,
    )

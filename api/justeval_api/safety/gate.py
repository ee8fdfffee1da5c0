"""The gate: what a request must pass before a route sees it, and what every answer carries.

In: any request. Out: the same to the application, or an error in the one shape.

1. Host: an address, this machine's name, or a name that was allowed; else another site's name has
   been pointed at this service (DNS rebinding).
2. Origin: none (no browser, or the page itself), or this service; else another site posts here.
3. Token, where one is needed: on every address of the API but health and session.
4. Size: what is too large by its own word is refused before it is read, and what grows too large
   while it is read.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from justeval_api.errors import (
    ForbiddenError,
    HostError,
    InvalidError,
    ServiceError,
    TooLargeError,
    UnauthorizedError,
    error_body,
)
from justeval_api.safety.tokens import is_authenticated
from justeval_api.settings import LOOPBACK_NAMES, Limits, Settings

API = "/api/"
OPEN = ("/api/v1/health", "/api/v1/session", "/api/v1/openapi.json")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Gate:
    """An ASGI application around another one."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. Whatever is no request of HTTP (starting, stopping) passes."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sending = _with_headers(send, scope["path"])
        try:
            limit = self._check(scope)
        except ServiceError as error:
            await _refuse(error, sending)
            return
        await self.app(scope, _bounded(receive, limit), sending)

    def _check(self, scope: Scope) -> int:
        """The bytes that the body may have. Raises ServiceError where the request is refused."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_known_host(host, self.settings.allowed_hosts):
            raise HostError(f"host {host[:100]!r} is none of this service; see --allow-host")
        check_origin(headers, scope["scheme"], host)
        path = scope["path"]
        needs_token = path.startswith(API) and path not in OPEN
        if needs_token and not is_authenticated(scope, self.settings.token):
            raise UnauthorizedError("a token is needed: send `Authorization: Bearer TOKEN`")
        limit = most_bytes(scope["method"], path, self.settings.limits)
        _check_length(headers.get("content-length"), limit)
        return limit


def is_known_host(host: str, allowed: Iterable[str]) -> bool:
    """Whether a Host header names this service: by address, as this machine, or as allowed.

    An address cannot be rebound; a name can, and counts only where it is known.
    """
    name = urlsplit(f"//{host}").hostname if host else None
    if name is None:
        return False
    if name in LOOPBACK_NAMES or name in {known.lower() for known in allowed}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def check_origin(headers: Mapping[str, str], scheme: str, host: str) -> None:
    """Raises ForbiddenError where a browser says that another site makes the request."""
    origin = headers.get("origin")
    if origin is not None and origin not in (f"{scheme}://{host}", f"https://{host}"):
        raise ForbiddenError("the request comes from another site")
    elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    if origin is None and elsewhere and headers.get("sec-fetch-mode") != "navigate":
        raise ForbiddenError("the request comes from another site")


def most_bytes(method: str, path: str, limits: Limits) -> int:
    """How large the body of a request may be."""
    if method == "POST" and path in ("/api/v1/datasets", "/api/v1/replies"):
        return limits.upload_bytes
    if method == "POST" and path in ("/api/v1/packs", "/api/v1/packs/check", "/api/v1/prompts"):
        return limits.pack_bytes
    return limits.body_bytes


def _check_length(stated: str | None, limit: int) -> None:
    if stated is None:
        return
    if not stated.isascii() or not stated.isdigit():
        raise InvalidError("content-length is no number")
    if int(stated) > limit:
        raise TooLargeError(f"{int(stated):,} bytes; the service takes at most {limit:,} here")


def _bounded(receive: Receive, limit: int) -> Receive:
    """Receives until there is more than the limit."""
    size = 0

    async def received() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > limit:
            # FastAPI lets this one pass where it reads a body; others it takes for bad JSON.
            raise HTTPException(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"more than {limit:,} bytes; the service takes no more here",
            )
        return message

    return received


def _with_headers(send: Send, path: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if path.startswith(API):
                headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending


async def _refuse(error: ServiceError, send: Send) -> None:
    body = json.dumps(error_body(error.kind, str(error)), ensure_ascii=False).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if isinstance(error, UnauthorizedError):
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": int(error.status), "headers": headers})
    await send({"type": "http.response.body", "body": body})

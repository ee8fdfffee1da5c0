"""The simulated model behind HTTP: an OpenAI-compatible server on the loopback interface.

In: names of profiles or paths of effects files, and a port. Out: a server that answers
POST /v1/chat/completions and GET /v1/models until it is stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response as HttpResponse
from starlette.routing import Route

from justeval.errors import UsageError
from justeval.models.simulated.answer import SimulatedModel
from justeval.models.simulated.protocol import ChatService, Response, error_response

_SHUTDOWN_SECONDS = 1
_KEEP_ALIVE_SECONDS = 75


def build_app(
    models: Sequence[SimulatedModel], latency_ms: float = 0.0, log: TextIO | None = None
) -> Starlette:
    """The ASGI application for these models; every reply is held back by `latency_ms`.

    `log` takes one JSON line a completion: time, model, status, tokens. No text of a message.
    """
    service = ChatService(models)

    async def completions(request: Request) -> HttpResponse:
        response = service.complete(await request.body())
        if log is not None:
            log.write(_log_line(response))
        if latency_ms > 0:
            await asyncio.sleep(latency_ms / 1000.0)
        return _http(response)

    async def list_models(request: Request) -> HttpResponse:
        return _http(service.list_models())

    def refuse(request: Request, error: Exception) -> HttpResponse:
        status = error.status_code if isinstance(error, HTTPException) else 500
        message = f"Invalid URL or method ({request.method} {request.url.path})"
        return _http(error_response(status, message))

    return Starlette(
        routes=[
            Route("/v1/chat/completions", completions, methods=["POST"]),
            Route("/v1/models", list_models, methods=["GET"]),
        ],
        exception_handlers={HTTPException: refuse},
    )


def serve(
    port: int,
    profiles: Sequence[str],
    host: str = "127.0.0.1",
    log_path: Path | None = None,
    latency_ms: float = 0.0,
    *,
    on_ready: Callable[[str], None] | None = None,
    until_stdin_closes: bool = False,
) -> None:
    """Serves the profiles until Ctrl-C; port 0 takes a free one.

    `on_ready` is called with the base URL (`http://127.0.0.1:8080/v1`) once the port is open.
    Raises UsageError where the port cannot be had or two profiles share a name, and what
    `load_profile` raises.
    """
    models = _load(profiles)
    listener = _listen(host, port)
    with contextlib.ExitStack() as stack:
        stack.enter_context(listener)
        log = None
        if log_path is not None:
            log = stack.enter_context(log_path.open("a", encoding="utf-8", buffering=1))
        server = uvicorn.Server(
            uvicorn.Config(
                build_app(models, latency_ms, log),
                access_log=False,
                log_level="error",
                lifespan="off",
                ws="none",
                server_header=False,
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
            )
        )
        if until_stdin_closes:
            threading.Thread(target=_stop_with_stdin, args=(server,), daemon=True).start()
        if on_ready is not None:
            on_ready(_base_url(listener))
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


def _load(profiles: Sequence[str]) -> list[SimulatedModel]:
    models: dict[str, SimulatedModel] = {}
    for profile in profiles:
        model = SimulatedModel.from_profile(profile)
        if model.name in models:
            raise UsageError(f"{profile}: {model.name} is served already; give it another `name:`")
        models[model.name] = model
    if not models:
        raise UsageError("no profile to serve; name one, e.g. neutral")
    return list(models.values())


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket, so that clients can connect before the server has started.

    It names its protocol: asyncio turns Nagle's delay off for such sockets only.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except (OSError, OverflowError) as error:
        raise UsageError(f"cannot listen on {host}:{port}: {error}") from error
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"cannot listen on {host}:{port}: {reason}; choose another port, 0 takes a free one"
        ) from error
    return listener


def _base_url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/v1" if ":" in host else f"http://{host}:{port}/v1"


def _stop_with_stdin(server: uvicorn.Server) -> None:
    """Waits for the end of standard input, which comes when the parent ends, and stops."""
    with contextlib.suppress(OSError):
        while os.read(sys.stdin.fileno(), 1024):
            pass
    server.should_exit = True


def _http(response: Response) -> HttpResponse:
    return HttpResponse(response.body, response.status, media_type="application/json")


def _log_line(response: Response) -> str:
    entry = {
        "at": round(time.time(), 3),
        "model": response.model,
        "status": response.status,
        "prompt_tokens": response.prompt_tokens,
        "completion_tokens": response.completion_tokens,
    }
    return json.dumps(entry) + "\n"

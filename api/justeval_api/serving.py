"""`justeval serve`: the application behind a socket.

In: settings. Out: a service that listens until it is stopped. The one line that it prints says
where; a failure to start is one line, too.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable

import uvicorn

from justeval.errors import UsageError
from justeval_api.app import create_app
from justeval_api.settings import Settings
from justeval_api.state.folders import Folders
from justeval_api.state.reindexing import reindex

FINISH_SECONDS = 3
"""How long answers that are under way may take when the service is stopped."""

Say = Callable[[str], None]


def serve(settings: Settings, say: Say, reindexing: bool = False) -> None:
    """Serves until it is stopped. Raises UsageError where it cannot start."""
    settings.check()
    folders = Folders(settings.data)
    folders.make()
    with folders.held():
        if reindexing:
            for name in reindex(folders):
                say(f"passed over: {name}")
    with contextlib.closing(_bound(settings)) as listening:
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        port = listening.getsockname()[1]
        logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
        server = _Server(settings, on_ready=lambda: say(f"serving http://{host}:{port}"))
        asyncio.run(server.serve(sockets=[listening]))
        if server.failure:
            raise server.failure


class _Server(uvicorn.Server):
    """A server that says when it is ready, and keeps the reason where it cannot start."""

    def __init__(self, settings: Settings, on_ready: Callable[[], None]) -> None:
        self.failure: UsageError | None = None
        self.on_ready = on_ready
        app = create_app(settings)
        self.service = app.state.service
        super().__init__(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=FINISH_SECONDS,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.on_ready()
        else:
            self.failure = UsageError("the service could not start; the lines above say why")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.service.stopping()  # event streams end, so that nobody waits for them
        await super().shutdown(sockets)


def _bound(settings: Settings) -> socket.socket:
    """A socket that listens where it should. Raises UsageError where that is not possible."""
    try:
        found = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        raise UsageError(
            f"--host {settings.host} --port {settings.port}: {error.strerror or error}; "
            "choose another --port"
        ) from error
    return listening

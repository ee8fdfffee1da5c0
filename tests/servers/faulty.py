"""A chat-completions server that answers as a script says: every status, cut bodies, resets.

It speaks raw HTTP/1.1 over asyncio streams in a thread of the test, so that it can break every
rule of the protocol, and keeps a log of what it was asked and what it has delivered.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.servers.responses import Response, answer


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came. `number` counts from 1; `turn` counts the same body's requests."""

    number: int
    turn: int
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        """What the user's message says."""
        return self.data["messages"][-1]["content"]


Script = Callable[[Received], Response]


def always(response: Response) -> Script:
    """A script that answers everything alike."""
    return lambda _: response


def in_turn(*responses: Response) -> Script:
    """A script that answers each body's first request with the first response, and so on."""
    return lambda received: responses[min(received.turn, len(responses)) - 1]


def digest(text: str) -> str:
    """A short hash by which an answer shows which text it belongs to."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def months_of(text: str) -> int:
    """Months that depend on the text alone."""
    return int(digest(text), 16) % 240 + 1


def faithful(received: Received) -> Response:
    """An answer whose months and charge can be computed from the question."""
    text = received.text
    return answer(json.dumps({"charge": digest(text), "months": months_of(text)}))


@dataclass
class FaultyServer:
    """The server. `asked` and `delivered` grow while it runs; an answer is delivered when the
    last of its bytes was handed to the network."""

    script: Script = faithful
    tls: ssl.SSLContext | None = None
    asked: list[Received] = field(default_factory=list)
    delivered: list[tuple[float, Received, Response]] = field(default_factory=list)
    most_at_once: int = 0
    _at_once: int = 0
    _turns: dict[bytes, int] = field(default_factory=dict)

    @property
    def base_url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}/v1"

    @contextlib.contextmanager
    def running(self) -> Iterator[FaultyServer]:
        """Serves while the block runs."""
        listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
        self.port = listener.getsockname()[1]
        started = threading.Event()
        thread = threading.Thread(target=lambda: asyncio.run(self._serve(listener, started)))
        thread.start()
        started.wait(10)
        try:
            yield self
        finally:
            self._loop.call_soon_threadsafe(self._stop.set)
            thread.join(20)
            listener.close()

    async def _serve(self, listener: socket.socket, started: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._connected, sock=listener, ssl=self.tls)
        started.set()
        await self._stop.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while (received := await self._receive(reader)) is not None:
                if not await self._answer(received, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            self._tasks.discard(task)
            writer.transport.abort()

    async def _receive(self, reader: asyncio.StreamReader) -> Received | None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        except asyncio.IncompleteReadError:
            return None
        first, *lines = head.strip().split("\r\n")
        pairs = (line.partition(":") for line in lines)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        method, target, _ = first.split(" ", 2)
        self._turns[body] = self._turns.get(body, 0) + 1
        received = Received(
            len(self.asked) + 1, self._turns[body], method, target, headers, body, time.time()
        )
        self.asked.append(received)
        return received

    async def _answer(self, received: Received, writer: asyncio.StreamWriter) -> bool:
        """Sends what the script says; whether the connection stays open."""
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            response = self.script(received)
            await asyncio.sleep(response.after_seconds)
            for piece in response.pieces():
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(response.between_seconds)
        finally:
            self._at_once -= 1
        if response.reset:
            _reset(writer)
            return False
        self.delivered.append((time.time(), received, response))
        return not response.closes


def _reset(writer: asyncio.StreamWriter) -> None:
    """Ends the connection with a reset instead of an orderly close."""
    connection = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    writer.transport.abort()

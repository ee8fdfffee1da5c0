"""The server that benchmarks/collect.py asks: every request gets the same judgment.

It runs in a process of its own (`python benchmarks/collect_server.py SECONDS`), prints its base URL
and answers, at once or after so many seconds, until its standard input closes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

REPLY = '{"charge": "fraud", "guilty": "yes", "penalty": "imprisonment", "months": 36}'


class Answering(asyncio.Protocol):
    """Answers every request alike, at once or after a while."""

    body = json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "judge",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": REPLY},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 400, "completion_tokens": 30, "total_tokens": 430},
        }
    ).encode()
    head = (
        f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    response = head.encode() + body

    def __init__(self, latency_seconds: float) -> None:
        self.latency_seconds = latency_seconds
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            head = self.received[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            if len(self.received) < end + 4 + length:
                return
            self.received = self.received[end + 4 + length :]
            self._answer()

    def _answer(self) -> None:
        if self.latency_seconds:
            loop = asyncio.get_running_loop()
            loop.call_later(self.latency_seconds, self.transport.write, self.response)
        else:
            self.transport.write(self.response)


async def serve(latency_seconds: float) -> None:
    """Prints the base URL and answers until standard input closes."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Answering(latency_seconds), "127.0.0.1", 0, backlog=2048
    )
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


@contextlib.contextmanager
def serving(latency_seconds: float) -> Iterator[str]:
    """The base URL of a server in a process of its own."""
    command = [sys.executable, str(Path(__file__).resolve()), str(latency_seconds)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout and process.stdin
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))

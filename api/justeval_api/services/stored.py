"""Stored bytes: made once by a worker, kept on disk and in memory, given with an ETag.

In: bytes. Out: answers, 304 where the client has them already, compressed where it takes that.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import Request, Response

SMALLEST_COMPRESSED = 2_000
T = TypeVar("T")
COMPRESSIBLE = ("application/json", "text/")
MOST_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class Stored:
    """Bytes with their media type, their hash, and the same compressed where that is worth it."""

    content: bytes
    media_type: str
    etag: str
    compressed: bytes | None = None

    @classmethod
    def of(cls, content: bytes, media_type: str) -> Stored:
        """Bytes, hashed and compressed once."""
        etag = hashlib.sha256(content).hexdigest()[:32]
        compressed = None
        if len(content) >= SMALLEST_COMPRESSED and media_type.startswith(COMPRESSIBLE):
            compressed = gzip.compress(content, compresslevel=5, mtime=0)
        return cls(content, media_type, etag, compressed)

    @property
    def size(self) -> int:
        """Bytes that it takes in memory."""
        return len(self.content) + len(self.compressed or b"")


class Shelf:
    """The answers used last, by name, up to so many bytes."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._stored: OrderedDict[str, Stored] = OrderedDict()

    def get(self, name: str) -> Stored | None:
        """What is kept under a name, or None."""
        found = self._stored.get(name)
        if found is not None:
            self._stored.move_to_end(name)
        return found

    def put(self, name: str, stored: Stored) -> Stored:
        """Keeps something under a name; the longest unused makes room for it."""
        earlier = self._stored.pop(name, None)
        self.bytes += stored.size - (earlier.size if earlier else 0)
        self._stored[name] = stored
        while self.bytes > self.most_bytes and len(self._stored) > 1:
            _, oldest = self._stored.popitem(last=False)
            self.bytes -= oldest.size
        return stored


class Once:
    """Work by name: what many ask for at the same moment is done once for all of them.

    It is done to its end even if those who asked have left, for the next one will ask again.
    """

    def __init__(self) -> None:
        self._doing: dict[str, asyncio.Task[Any]] = {}

    async def do(self, name: str, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What the work gives. Raises what it raises, for everyone who waits."""
        doing: asyncio.Task[T] | None = self._doing.get(name)
        if doing is None:
            doing = self._doing[name] = asyncio.create_task(work())
            doing.add_done_callback(lambda done: self._done(name, done))
        return await asyncio.shield(doing)

    def _done(self, name: str, task: asyncio.Task[Any]) -> None:
        self._doing.pop(name, None)
        if not task.cancelled():
            task.exception()  # seen, even if nobody waits any more


def answer(stored: Stored, request: Request, headers: Mapping[str, str] | None = None) -> Response:
    """Stored bytes as an answer to this request."""
    packed = stored.compressed is not None and _takes_gzip(request)
    etag = f'"{stored.etag}-gz"' if packed else f'"{stored.etag}"'
    told = {"etag": etag, "cache-control": "private, no-cache", "vary": "accept-encoding"}
    told |= headers or {}
    if stored.etag in _known(request):
        return Response(status_code=304, headers=told)
    content = stored.content
    if packed and stored.compressed is not None:
        told["content-encoding"] = "gzip"
        content = stored.compressed
    return Response(content, media_type=stored.media_type, headers=told)


def _takes_gzip(request: Request) -> bool:
    offered = request.headers.get("accept-encoding", "")
    for part in offered.split(","):
        coding, _, weight = part.partition(";")
        if coding.strip().lower() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _known(request: Request) -> set[str]:
    """Hashes that the client says it has, however they were sent."""
    given = request.headers.get("if-none-match", "")
    tags = (tag.strip().removeprefix("W/").strip('"') for tag in given.split(","))
    return {tag.removesuffix("-gz") for tag in tags}

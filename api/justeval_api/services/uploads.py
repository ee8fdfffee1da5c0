"""Uploads: a stream becomes a file that is there whole or not at all.

In: the chunks of a request, a limit. Out: a file in the folder for what is not whole yet; the
caller moves it. What is too large is refused at the chunk that makes it so.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.requests import ClientDisconnect

from justeval_api.errors import InvalidError, TooLargeError
from justeval_api.state.folders import Folders, new_id, remove

CHUNK_BYTES = 1_000_000
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
LONGEST_NAME = 120


def plain_name(name: str) -> str:
    """A file's name as text to show: no path, no control or direction characters."""
    last = re.split(r"[/\\]", _UNSAFE.sub("", name))[-1].strip().strip(".")
    stem, dot, ending = last.rpartition(".")
    if len(last) > LONGEST_NAME:
        last = f"{stem[: LONGEST_NAME - len(ending) - 1]}{dot}{ending}"[-LONGEST_NAME:]
    return last or "unnamed"


@contextlib.asynccontextmanager
async def received(
    chunks: AsyncIterator[bytes], folders: Folders, most_bytes: int, suffix: str = ""
) -> AsyncIterator[Path]:
    """A file with all chunks, for as long as the block runs unless it is moved away.

    Raises TooLargeError as soon as there are more bytes than allowed, InvalidError for no bytes.
    """
    path = folders.incoming / f"{new_id('upload')}{suffix}"
    try:
        size = await _write(chunks, path, most_bytes)
        if size == 0:
            raise InvalidError("the body is empty; send the file as it is")
        yield path
    except ClientDisconnect:
        raise InvalidError("the upload ended before it was whole") from None
    finally:
        await asyncio.to_thread(remove, path)


async def _write(chunks: AsyncIterator[bytes], path: Path, most_bytes: int) -> int:
    size, waiting, held = 0, [], 0
    with path.open("wb") as file:
        async for chunk in chunks:
            size += len(chunk)
            if size > most_bytes:
                raise TooLargeError(f"more than {most_bytes:,} bytes; the service takes no more")
            waiting.append(chunk)
            held += len(chunk)
            if held >= CHUNK_BYTES:
                await asyncio.to_thread(file.write, b"".join(waiting))
                waiting, held = [], 0
        await asyncio.to_thread(file.write, b"".join(waiting))
    return size

"""Lists that can grow, page by page.

In: a cursor as the client got it, and a limit. Out: where to go on, and the cursor of the page
after. A cursor is opaque to clients: they pass it back as it is.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Annotated, TypeVar

from fastapi import Query

from justeval_api.errors import InvalidError

Item = TypeVar("Item")

LONGEST_PAGE = 500
Limit = Annotated[int, Query(ge=1, le=LONGEST_PAGE, description="Items a page.", examples=[50])]
Cursor = Annotated[
    str | None,
    Query(alias="cursor", max_length=400, description="`next` of the page before this one."),
]


def cursor_of(position: object) -> str:
    """A position (JSON) as a cursor."""
    text = json.dumps(position, separators=(",", ":"), ensure_ascii=False)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def position_of(cursor: str) -> object:
    """The position of a cursor. Raises InvalidError where it is none of ours."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        return json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        raise InvalidError("cursor: not one of this list; leave it out to begin again") from None


def offset_of(cursor: str | None) -> int:
    """The offset of a cursor of a list that does not change under its cursor."""
    if cursor is None:
        return 0
    position = position_of(cursor)
    if isinstance(position, bool) or not isinstance(position, int) or not 0 <= position < 2**53:
        raise InvalidError("cursor: not one of this list; leave it out to begin again")
    return position


def page_of(
    items: Sequence[Item], cursor: str | None, limit: int
) -> tuple[Sequence[Item], str | None]:
    """One page of a whole list, and the cursor of the next one."""
    start = offset_of(cursor)
    end = start + limit
    return items[start:end], (cursor_of(end) if end < len(items) else None)

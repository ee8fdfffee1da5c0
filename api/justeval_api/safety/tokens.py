"""The token of a service that is reached from elsewhere.

In: the headers of a request. Out: whether it carries the token, as `Authorization: Bearer` or as
the cookie that stands for it (event streams of a page cannot send headers). The cookie is a keyed
hash of the token: it cannot be turned back into it.
"""

from __future__ import annotations

import hashlib
import hmac
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.types import Scope

COOKIE = "justeval_session"


def cookie_of(token: str) -> str:
    """What the cookie holds for a token."""
    return hmac.new(token.encode(), b"justeval session", hashlib.sha256).hexdigest()


def same(given: str, wanted: str) -> bool:
    """Whether two texts are equal, in a time that does not tell where they differ."""
    digests = (
        hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in (given, wanted)
    )
    return hmac.compare_digest(*digests)


def is_authenticated(scope: Scope, token: str | None) -> bool:
    """Whether a request may be served: no token is needed, or it carries the right one."""
    if token is None:
        return True
    headers = Headers(scope=scope)
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and same(given.strip(), token):
        return True
    return same(_cookie(headers.get("cookie", "")), cookie_of(token))


def _cookie(header: str) -> str:
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""

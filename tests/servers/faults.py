"""Faults that asking again cures, of every kind: transport, status, body, overload."""

from __future__ import annotations

from tests.servers.responses import (
    CLOSED_IN_BODY,
    HTML,
    NOT_HTTP,
    RESET,
    RESET_IN_BODY,
    WRONG_ENCODING,
    Response,
    answer,
    as_200,
    error,
    half_json,
    text,
)

FAULTS = (
    RESET, RESET_IN_BODY, CLOSED_IN_BODY, NOT_HTTP, WRONG_ENCODING, HTML, half_json(), text(""),
    as_200(502), as_200(503), error(500), error(502), error(503), error(504), error(520),
    error(529), error(408), error(429), error(429, retry_after="0"), error(429, retry_after="soon"),
    error(503, retry_after="0.1"), error(429, x_ratelimit_reset="0.05"), answer(None),
    answer(""), Response(body=b'{"choices": []}'), Response(body=b'{"choices": null}'),
    Response(body=b'{"choices": [{"message": null}]}'), Response(body=b"null"),
)  # fmt: skip

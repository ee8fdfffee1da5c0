"""What a provider may send: sound answers, errors in every dress, and broken HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Response:
    """One response, byte by byte if need be.

    `sent` bytes of the body are sent, all if None; `reset` then breaks the connection.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    after_seconds: float = 0.0
    between_seconds: float = 0.0
    piece_bytes: int = 1 << 20
    sent: int | None = None
    reset: bool = False
    raw: bytes | None = None

    @property
    def closes(self) -> bool:
        """Whether the connection ends after it."""
        return self.raw is not None or self.sent is not None

    def pieces(self) -> Iterator[bytes]:
        """The bytes in the pieces in which they are sent."""
        if self.raw is not None:
            yield self.raw
            return
        headers = {"content-type": "application/json", "content-length": str(len(self.body))}
        headers |= self.headers
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        body = self.body[: self.sent]
        yield f"HTTP/1.1 {self.status} Status\r\n{lines}\r\n".encode("latin-1") + body[:1]
        for start in range(1, len(body), self.piece_bytes):
            yield body[start : start + self.piece_bytes]


def payload(content: Any = "{}", finish_reason: str | None = "stop", **fields: Any) -> dict:
    """The JSON of a chat completion; keywords replace its fields."""
    message = {"role": "assistant", "content": content, **fields.pop("message", {})}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "judge-2026-01-01",
        "system_fingerprint": "fp_1",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        **fields,
    }


def answer(content: Any = "{}", finish_reason: str | None = "stop", **fields: Any) -> Response:
    """A sound answer."""
    data = payload(content, finish_reason, **fields)
    return Response(body=json.dumps(data, ensure_ascii=False).encode())


def error(status: int, message: str = "no", code: Any = None, **headers: str) -> Response:
    """An error in OpenAI's shape; keywords are headers (`retry_after="7"`)."""
    body = json.dumps({"error": {"message": message, "code": code, "type": "t"}}).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status, body, named)


def as_200(status: int, message: str = "upstream unavailable") -> Response:
    """An error that comes with status 200."""
    return replace(error(200, message, status), status=200)


def text(body: str, status: int = 200, content_type: str = "text/html") -> Response:
    """Anything that is no JSON."""
    return Response(status, body.encode(), {"content-type": content_type})


HTML = text("<html><body><h1>502 Bad Gateway</h1></body></html>")
RESET = Response(body=b"", sent=0, raw=b"", reset=True)
RESET_IN_BODY = replace(answer('{"months": 3}'), sent=40, reset=True)
CLOSED_IN_BODY = replace(answer('{"months": 3}'), sent=40)
NOT_HTTP = Response(raw=b"SSH-2.0-OpenSSH_9.2\r\n")
WRONG_ENCODING = replace(answer('{"months": 3}'), headers={"content-encoding": "gzip"})


def half_json() -> Response:
    """A whole response whose JSON is cut."""
    body = answer('{"months": 36}').body
    return Response(body=body[: len(body) // 2])


def kept_alive(response: Response) -> Response:
    """Blank lines before the JSON, as some gateways send while the model thinks."""
    return replace(response, body=b"\n \n\r\n" * 5 + response.body)


def decision(probability: Any, **fields: Any) -> Response:
    """What a decision endpoint answers to its one question; keywords replace fields."""
    data = {
        "model": "jev-1.13.0",
        "answers": {"decision": {"type": "noul", "noul": probability}},
        "usage": {"input_tokens": 120, "output_tokens": 8},
        **fields,
    }
    return Response(body=json.dumps(data).encode())

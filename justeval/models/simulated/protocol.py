"""The chat-completions protocol: a request body -> status and response body, without a network.

In: the bytes of a request. Out: an HTTP status and JSON bytes in the shape of OpenAI's API, errors
included. Parsed with json alone: this runs thousands of times a second.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from justeval.models.simulated.answer import SimulatedModel, message_text

_TOKEN = re.compile(
    r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]|\s*[A-Za-z]{1,6}|\s*\d{1,3}|\s*\S|\s+"
)
"""A crude token: a Chinese character, up to six letters, up to three digits, or one sign."""


@dataclass(frozen=True, slots=True)
class Response:
    """What goes back: status, body, and the usage for the log."""

    status: int
    body: bytes
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class _Request:
    model: str
    messages: Sequence[Mapping[str, Any]]
    temperature: float
    max_tokens: int | None
    seed: int | None


class _RequestError(Exception):
    """A request that cannot be answered: status, words, the parameter and a code."""

    def __init__(self, status: int, message: str, param: str | None = None, code: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.param, self.code = status, message, param, code


class ChatService:
    """Answers for a set of models; counts the requests of a text asked at a temperature above 0."""

    def __init__(self, models: Sequence[SimulatedModel]) -> None:
        self.models = {model.name: model for model in models}
        self._asked: Counter[bytes] = Counter()
        self._served = 0
        self._fingerprints = {name: _fingerprint(model) for name, model in self.models.items()}

    def list_models(self) -> Response:
        """GET /v1/models."""
        data = [
            {"id": name, "object": "model", "created": 0, "owned_by": "justeval"}
            for name in self.models
        ]
        return Response(200, json.dumps({"object": "list", "data": data}).encode())

    def complete(self, body: bytes) -> Response:
        """POST /v1/chat/completions."""
        try:
            request = _parse(body)
            model = self.models.get(request.model)
            if model is None:
                known = ", ".join(self.models)
                message = f"The model {request.model!r} does not exist; served here: {known}"
                raise _RequestError(404, message, "model", "model_not_found")
        except _RequestError as error:
            return error_response(error.status, error.message, error.param, error.code or None)
        return self._answer(model, request)

    def _answer(self, model: SimulatedModel, request: _Request) -> Response:
        draw = self._draw(request) if request.temperature > 0 else 0
        text, finish_reason = model.reply(request.messages, request.temperature, draw)
        tokens = _TOKEN.findall(text)
        if request.max_tokens is not None and len(tokens) > request.max_tokens:
            tokens = tokens[: request.max_tokens]
            text, finish_reason = "".join(tokens), "length"
        prompt_tokens = count_tokens(message_text(request.messages))
        self._served += 1
        payload = {
            "id": f"chatcmpl-simulated-{self._served}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": request.model,
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": finish_reason,
                }
            ],
            "usage": {
                "prompt_tokens": prompt_tokens,
                "completion_tokens": len(tokens),
                "total_tokens": prompt_tokens + len(tokens),
            },
            "system_fingerprint": self._fingerprints[request.model],
        }
        body = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
        return Response(200, body, request.model, prompt_tokens, len(tokens))

    def _draw(self, request: _Request) -> int:
        """How often this text was asked of this model before, moved by the request's seed."""
        text = f"{request.model}\n{message_text(request.messages)}"
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        self._asked[key] += 1
        return self._asked[key] - 1 + 1_000_003 * (request.seed or 0)


def count_tokens(text: str) -> int:
    """A crude count: one a Chinese character (three bytes in UTF-8), one in four other ones."""
    wide = (len(text.encode("utf-8", "surrogatepass")) - len(text)) // 2
    return wide + -(-(len(text) - wide) // 4)


def error_response(
    status: int, message: str, param: str | None = None, code: str | None = None
) -> Response:
    """An error in OpenAI's shape."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    error = {"message": message, "type": kind, "param": param, "code": code}
    return Response(status, json.dumps({"error": error}).encode())


def _parse(body: bytes) -> _Request:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _RequestError(400, f"The body is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise _RequestError(400, "The body must be a JSON object")
    model = data.get("model")
    if not isinstance(model, str) or not model:
        raise _RequestError(400, "You must provide a model parameter", "model")
    if data.get("stream"):
        raise _RequestError(400, "stream: this server answers whole replies only", "stream")
    if data.get("n") not in (None, 1):
        raise _RequestError(400, "n: this server gives one choice a request", "n")
    return _Request(
        model=model,
        messages=_messages(data.get("messages")),
        temperature=_number(data, "temperature", 0.0, 2.0) or 0.0,
        max_tokens=_whole(data, "max_completion_tokens", 1) or _whole(data, "max_tokens", 1),
        seed=_whole(data, "seed", -(2**63)),
    )


def _messages(value: object) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not value:
        raise _RequestError(400, "messages: must be a list with at least one message", "messages")
    for index, message in enumerate(value):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise _RequestError(400, f"messages[{index}]: must have role and content", "messages")
        if not isinstance(message.get("content"), str | list):
            raise _RequestError(
                400, f"messages[{index}]: content must be text or parts", "messages"
            )
    return value


def _number(data: Mapping[str, Any], name: str, low: float, high: float) -> float | None:
    value = data.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise _RequestError(400, f"{name}: must be a number from {low:g} to {high:g}", name)
    return float(value)


def _whole(data: Mapping[str, Any], name: str, low: int) -> int | None:
    value = data.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise _RequestError(400, f"{name}: must be a whole number, at least {low}", name)
    return value


def _fingerprint(model: SimulatedModel) -> str:
    """A version of what the model does: another profile or seed, another fingerprint."""
    profile = model.profile
    planted = {label: (dict(e.by_value), e.per_log) for label, e in profile.effects.items()}
    described = repr(
        (
            profile.name,
            model.noise_seed,
            profile.seed,
            profile.base_noise_sd,
            profile.noise_sd,
            profile.noise_share,
            profile.temperature_sd,
            profile.malformed_share,
            profile.respond_share,
            sorted(planted.items()),
        )
    )
    return "fp_" + hashlib.blake2b(described.encode(), digest_size=5).hexdigest()

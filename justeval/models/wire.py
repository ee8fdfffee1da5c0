"""What comes back over HTTP -> an Answer, or the kind of failure that it is.

In: status, headers and body of one response. Out: an Answer. A chat completion is believed only
where it holds a message; a 200 with an error in it is an error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from justeval.models.failures import STATUS_OF_CODE, Told, failure
from justeval.models.records import Answer, TransientProviderError
from justeval.models.secrets import Blotter

_CUT = ("length", "max_tokens", "max_output_tokens", "model_length")
_MOST_TOKENS = 10**12
_MOST_DOLLARS = 1e6


def _as_it_is(text: str) -> str:
    return text


def read_answer(
    status: int, headers: Mapping[str, str], body: bytes, blotted: Blotter = _as_it_is
) -> Answer:
    """The answer in a chat completion; `blotted` takes out a key that the provider repeats.

    Raises as `read_object`.
    """
    return _answer(status, read_object(status, headers, body, blotted), blotted)


def read_object(
    status: int, headers: Mapping[str, str], body: bytes, blotted: Blotter = _as_it_is
) -> Mapping[str, Any]:
    """The JSON object in a response that is no error.

    Raises PermanentProviderError (key, credit, day's quota, unknown model),
    RejectedRequestError (this request only) or TransientProviderError (all else).
    """
    data = _json(body)
    if isinstance(data, list) and len(data) == 1:
        data = data[0]
    if status >= 300 or _holds_error(data):
        error = data.get("error") if isinstance(data, dict) else None
        raise failure(status, _all_headers(headers, error), _told(error, data, body, blotted))
    if not isinstance(data, dict):
        raise TransientProviderError(
            f"status {status} with a body that is no JSON object: {_excerpt(body, blotted)}", status
        )
    return data


def _holds_error(data: object) -> bool:
    return isinstance(data, dict) and bool(data.get("error") or data.get("object") == "error")


def _answer(status: int, data: Mapping[str, Any], blotted: Blotter) -> Answer:
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise TransientProviderError(f"status {status} without choices", status)
    error = choice.get("error")
    if error or choice.get("finish_reason") == "error":
        raise failure(status, _all_headers({}, error), _told(error, choice, b"an error", blotted))
    message = choice.get("message")
    if not isinstance(message, dict):
        raise TransientProviderError(f"status {status} with a choice that has no message", status)

    def text(value: object) -> str | None:
        return _blotted_text(value, blotted)

    return described(
        data,
        blotted,
        reply=text(_content(message.get("content"))) or text(message.get("refusal")),
        finish_reason=text(_finish_reason(choice)),
        reasoning=text(message.get("reasoning") or message.get("reasoning_content")),
    )


def described(
    data: Mapping[str, Any],
    blotted: Blotter,
    reply: str | None,
    finish_reason: str | None = None,
    reasoning: str | None = None,
) -> Answer:
    """A reply with what the response says of it: who answered, the tokens, the cost."""
    raw_usage = data.get("usage")
    usage = raw_usage if isinstance(raw_usage, dict) else {}
    return Answer(
        reply=reply,
        finish_reason=finish_reason,
        reasoning=reasoning,
        model_version=_blotted_text(data.get("model"), blotted),
        fingerprint=_blotted_text(data.get("system_fingerprint"), blotted),
        served_by=_blotted_text(data.get("provider"), blotted),
        prompt_tokens=_count(usage.get("prompt_tokens", usage.get("input_tokens"))),
        completion_tokens=_count(usage.get("completion_tokens", usage.get("output_tokens"))),
        cost_usd=_amount(usage.get("cost")),
    )


def _content(content: object) -> str | None:
    """Text, or the text parts of a list; parts of another type (thinking) are no answer."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else None
    parts = [
        part.get("text")
        for part in content
        if isinstance(part, dict) and part.get("type") in (None, "text", "output_text")
    ]
    return "".join(part for part in parts if isinstance(part, str)) or None


def _finish_reason(choice: Mapping[str, Any]) -> str | None:
    """Why the model ended; every way of saying that the reply was cut is `length`."""
    reasons = (_text(choice.get("finish_reason")), _text(choice.get("native_finish_reason")))
    if any(reason and reason.lower() in _CUT for reason in reasons):
        return "length"
    return reasons[0]


def _json(body: bytes) -> object:
    """The body as JSON; blank lines before it, sent to keep a connection alive, do no harm."""
    try:
        return json.loads(body.strip())
    except (ValueError, RecursionError):
        return None


def _told(error: object, data: object, body: bytes, blotted: Blotter) -> Told:
    fields = error if isinstance(error, dict) else data if isinstance(data, dict) else {}
    message = error if isinstance(error, str) else fields.get("message") or fields.get("detail")
    metadata = fields.get("metadata")
    upstream = metadata.get("raw") if isinstance(metadata, dict) else None
    words = ": ".join(str(part) for part in (message, upstream) if part)
    words = blotted(words) or _excerpt(body, blotted)
    status, code = _status_and_code(fields.get("code"), fields.get("type"))
    if code and code not in words:
        words = f"{words} [{blotted(code)}]"
    whole = f"{words} {json.dumps(fields, ensure_ascii=False, default=str)}"
    return Told(status, code, _one_line(words, 300), whole)


def _status_and_code(code: object, kind: object) -> tuple[int | None, str]:
    """The HTTP status that an error gives itself, and its code in words."""
    try:
        number = int(code) if isinstance(code, int | str) and not isinstance(code, bool) else 0
    except ValueError:
        number = 0
    if number:
        return (number if 400 <= number <= 599 else None), ""
    words = [word for word in (code, kind) if isinstance(word, str)]
    known = next((STATUS_OF_CODE[word] for word in words if word in STATUS_OF_CODE), None)
    if "insufficient_quota" in words:
        return 429, "insufficient_quota"
    return known, code if isinstance(code, str) else ""


def _all_headers(headers: Mapping[str, str], error: object) -> Mapping[str, str]:
    """The response's headers, and those of an upstream provider that stand in the error."""
    metadata = error.get("metadata") if isinstance(error, dict) else None
    passed_on = metadata.get("headers") if isinstance(metadata, dict) else None
    if not isinstance(passed_on, dict):
        return headers
    return {str(name).lower(): str(value) for name, value in passed_on.items()} | dict(headers)


def _excerpt(body: bytes, blotted: Blotter) -> str:
    return _one_line(blotted(body[:4000].decode("utf-8", "replace")), 120) or "an empty body"


def _one_line(text: str, longest: int) -> str:
    """Text on one line without control characters: it will stand in a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:longest]


def _text(value: object) -> str | None:
    """Text that every file can hold: half a surrogate pair becomes the replacement character."""
    if not isinstance(value, str):
        return None
    if value.isascii():
        return value
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _blotted_text(value: object, blotted: Blotter) -> str | None:
    sound = _text(value)
    return blotted(sound) if sound else sound


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= _MOST_TOKENS else None


def _amount(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < _MOST_DOLLARS else None

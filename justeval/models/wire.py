"""What comes back over HTTP -> an Answer, or the kind of failure that it is.

In: status, headers and body of one chat completion. Out: an Answer. A body is believed only
where it holds a message; a 200 with an error in it is an error.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from justeval.errors import PermanentProviderError
from justeval.models.records import Answer, RejectedRequestError, TransientProviderError

LONGEST_WAIT_SECONDS = 3600.0
PERMANENT_STATUS = {401: "key refused", 402: "no credit", 403: "not allowed", 404: "no such model"}
_NO_CREDIT = re.compile(
    r"insufficient[ _]quota|insufficient (credit|balance|funds)|no credit|out of credit|billing"
    r"|exceeded your current quota|per[- ]day|daily (limit|quota)|quota (for )?today",
    re.IGNORECASE,
)


def read_answer(status: int, headers: Mapping[str, str], body: bytes) -> Answer:
    """The answer in a response.

    Raises PermanentProviderError (key, credit, day's quota, unknown model),
    RejectedRequestError (this request only) or TransientProviderError (all else).
    """
    data = _json(body)
    error = data.get("error") if isinstance(data, dict) else None
    if status >= 400 or error:
        raise _failure(_code(error) or status, headers, _words(error, data, body))
    if not isinstance(data, dict):
        raise TransientProviderError(
            f"status {status} with a body that is no JSON object: {_excerpt(body)}", status
        )
    return _answer(status, data)


def _answer(status: int, data: Mapping[str, object]) -> Answer:
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise TransientProviderError(f"status {status} without choices", status)
    if choice.get("error"):
        words = _words(choice["error"], choice, b"")
        raise _failure(_code(choice["error"]) or status, {}, words)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise TransientProviderError(f"status {status} with a choice that has no message", status)
    raw_usage = data.get("usage")
    usage = raw_usage if isinstance(raw_usage, dict) else {}
    return Answer(
        reply=_content(message.get("content")),
        finish_reason=_text(choice.get("finish_reason")),
        reasoning=_text(message.get("reasoning") or message.get("reasoning_content")),
        model_version=_text(data.get("model")),
        fingerprint=_text(data.get("system_fingerprint")),
        served_by=_text(data.get("provider")),
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        cost_usd=_amount(usage.get("cost")),
    )


def _content(content: object) -> str | None:
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str)) or None
    return _text(content)


def _failure(status: int, headers: Mapping[str, str], words: str) -> Exception:
    message = f"status {status}: {words}"
    if status in PERMANENT_STATUS:
        return PermanentProviderError(f"{message} ({PERMANENT_STATUS[status]})")
    if status == 429 and _NO_CREDIT.search(words):
        return PermanentProviderError(f"{message} (no credit or quota used up)")
    if status in (408, 409, 425, 429) or status >= 500 or status < 400:
        return TransientProviderError(message, status, retry_after_seconds(headers))
    return RejectedRequestError(message, status)


def retry_after_seconds(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds to wait by Retry-After (seconds or a date) or x-ratelimit-reset; None if unsaid.

    Nonsense (text, negative, not finite) counts as unsaid; nothing is waited longer than an hour.
    """
    now = time.time() if now is None else now
    waits = [
        _seconds(headers.get("retry-after"), now),
        _reset(headers.get("x-ratelimit-reset"), now),
    ]
    for wait in waits:
        if wait is not None:
            return min(wait, LONGEST_WAIT_SECONDS)
    return None


def _seconds(text: str | None, now: float) -> float | None:
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - now
        except (TypeError, ValueError, OverflowError):
            return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _reset(text: str | None, now: float) -> float | None:
    """A reset is an instant in seconds or milliseconds since 1970, or a number of seconds."""
    seconds = _seconds(text, now)
    if seconds is None:
        return None
    if seconds > 1e11:
        seconds /= 1000
    return max(seconds - now, 0.0) if seconds > 1e9 else seconds


def _json(body: bytes) -> object:
    try:
        return json.loads(body.strip())
    except (ValueError, RecursionError):
        return None


def _code(error: object) -> int | None:
    code = error.get("code") if isinstance(error, dict) else None
    try:
        number = int(code) if code is not None and not isinstance(code, bool) else 0
    except (TypeError, ValueError):
        number = 0
    if 400 <= number <= 599:
        return number
    return 429 if code == "insufficient_quota" else None


def _words(error: object, data: object, body: bytes) -> str:
    message = error.get("message") if isinstance(error, dict) else error
    if not message and isinstance(data, dict):
        message = data.get("message") or data.get("detail")
    words = str(message) if message else _excerpt(body)
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and not code.isdigit() and code not in words:
        words = f"{words} [{code}]"
    return " ".join(words.split())[:300]


def _excerpt(body: bytes) -> str:
    return " ".join(body[:400].decode("utf-8", "replace").split())[:120] or "an empty body"


def _text(value: object) -> str | None:
    """Text that every file can hold: half a surrogate pair becomes the replacement character."""
    if not isinstance(value, str):
        return None
    return (
        value
        if value.isascii()
        else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value


def _amount(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None

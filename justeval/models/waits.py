"""Headers and words of a provider -> the seconds that it wants to be left alone.

In: the headers of a response, and what its error says. Out: seconds, or None where nothing is
said. Nonsense (text, negative, not finite, years) counts as unsaid.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_SENSIBLE_SECONDS = 40 * 86_400.0
"""A month's quota resets within it; anything longer is no wait but a mistake."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_IN_WORDS = re.compile(
    r"(?:try again|retry|available|resets?)\s+(?:in|after)\s+"
    r"(?P<wait>(?:\d+(?:\.\d+)?\s*(?:ms|s|m|h|d|seconds?|secs?|minutes?|mins?|hours?|days?)(?![a-z])\s*)+)",
    re.IGNORECASE,
)
_LONG_UNIT = re.compile(r"\s*(ms|s|m|h|d)[a-z]*\s*", re.IGNORECASE)
_LIMITS = ("requests", "tokens")


def wished_wait_seconds(
    headers: Mapping[str, str], words: str = "", now: float | None = None
) -> float | None:
    """Seconds by Retry-After (seconds or a date), else by a rate limit's reset, else by words.

    `headers` have lower-case names. `now` is in seconds since 1970.
    """
    now = time.time() if now is None else now
    for wait in _waits(headers, words, now):
        if wait is not None and math.isfinite(wait) and 0 <= wait <= LONGEST_SENSIBLE_SECONDS:
            return wait
    return None


def _waits(headers: Mapping[str, str], words: str, now: float) -> Iterable[float | None]:
    milliseconds = _number(headers.get("retry-after-ms"))
    yield None if milliseconds is None else milliseconds / 1000
    yield _moment(headers.get("retry-after"), now)
    yield _reset(headers.get("x-ratelimit-reset"), now)
    yield _reset_of_used_up(headers, now)
    yield _reset(headers.get("ratelimit-reset"), now)
    yield _in_words(words)


def _reset_of_used_up(headers: Mapping[str, str], now: float) -> float | None:
    """The reset of those limits (requests, tokens) of which nothing remains."""
    waits = []
    for limit in _LIMITS:
        for remaining, reset in (
            (f"x-ratelimit-remaining-{limit}", f"x-ratelimit-reset-{limit}"),
            (f"anthropic-ratelimit-{limit}-remaining", f"anthropic-ratelimit-{limit}-reset"),
        ):
            if headers.get(remaining) == "0":
                waits.append(_reset(headers.get(reset), now))
    return max((wait for wait in waits if wait is not None), default=None)


def _reset(text: str | None, now: float) -> float | None:
    """A reset: an instant (seconds or milliseconds since 1970, a date), or a number of seconds."""
    number = _number(text)
    if number is None:
        return _moment(text, now)
    if number > 1e11:
        number /= 1000
    return max(number - now, 0.0) if number > 1e9 else number


def _moment(text: str | None, now: float) -> float | None:
    """Seconds as a number, as `6m0s`, or until an HTTP or ISO 8601 date; a past date is 0."""
    number = _number(text)
    if text is None or number is not None:
        return number
    if (seconds := _duration(text.strip())) is not None:
        return seconds
    for parse in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            date = parse(text.strip())
            aware = date if date.tzinfo else date.replace(tzinfo=UTC)
            return max(aware.timestamp() - now, 0.0)
        except (TypeError, ValueError, OverflowError):
            continue
    return None


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


def _duration(text: str) -> float | None:
    parts = _DURATION.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


def _in_words(words: str) -> float | None:
    found = _IN_WORDS.search(words)
    if found is None:
        return None
    return _duration(_LONG_UNIT.sub(lambda unit: unit[1].lower(), found["wait"]))

"""A provider's error -> the kind of failure that it is: transient, this request's, or permanent.

In: status, headers and the error as the provider worded it. Out: the exception to raise, with the
provider's own words. Permanent is what asking again cannot cure: key, credit, a day's quota, an
unknown model, a request that no variant of it would pass.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from justeval.errors import PermanentProviderError, ProviderError
from justeval.models.records import RejectedRequestError, TransientProviderError
from justeval.models.waits import wished_wait_seconds

LONGEST_WAIT_SECONDS = 3600.0
"""Who asks to be left alone for longer is asked again another day."""

PERMANENT_STATUS = {
    401: "key refused",
    402: "no credit",
    403: "not allowed",
    404: "no such model or address",
    405: "no such address",
    407: "the proxy wants a login",
    410: "no longer served",
    451: "not allowed",
}
STATUS_OF_CODE = {
    "insufficient_quota": 429,
    "rate_limit_exceeded": 429,
    "resource_exhausted": 429,
    "overloaded_error": 529,
    "server_error": 500,
    "invalid_api_key": 401,
    "model_not_found": 404,
}
_TRANSIENT_STATUS = (408, 409, 421, 423, 425, 429)
_NO_CREDIT = re.compile(
    r"insufficient[ _]?(quota|credit|balance|fund)|(no|out of|not enough|low on) credit"
    r"|credit balance is too low|(requires|add|buy|purchase) (more |\d+ )?credits"
    r"|exceeded[ _](your[ _])?current[ _]quota|billing[ _](hard[ _])?limit|spending limit"
    r"|free (quota|tier|allocat\w+)[^.]{0,30}(used up|exhausted|exceeded|reached)"
    r"|payment required|arrear|余额不足|欠费|额度(已|已经)?(用|耗)(尽|完)",
    re.IGNORECASE,
)
_LONG_QUOTA = re.compile(
    r"per[- _]?(day|week|month)|\b[RT]P[DWM]onth\b|\b(RPD|TPD)\b|\b(daily|weekly|monthly)\b"
    r"|day's|\b(quota|limit)\b.{0,30}\btoday\b|今日|当日|每日|每天|当天|本月|每月",
    re.IGNORECASE,
)
_SHORT_QUOTA = re.compile(
    r"per[- _]?(second|sec|minute|min|hour)|\b[RT]PM\b|limit_rpm|每分钟|每秒", re.IGNORECASE
)
_UNKNOWN_MODEL = re.compile(
    r"model_not_found|not a valid model|model\b.{0,80}(does not exist|not found|not supported)"
    r"|no endpoints found|unknown model|模型不存在",
    re.IGNORECASE,
)
_EVERY_REQUEST = re.compile(
    r"unsupported[ _](parameter|value)|API key not valid|invalid api key|incorrect api key"
    r"|response_format|json_schema|structured[ _]outputs?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Told:
    """An error as a provider worded it: its own status or code, the words, all of its text."""

    status: int | None
    code: str
    words: str
    text: str


def failure(status: int, headers: Mapping[str, str], told: Told) -> ProviderError:
    """The exception for an error. `status` is the response's; the error's own goes before it."""
    status = told.status or status
    message = f"status {status}: {told.words}"
    wait = wished_wait_seconds(headers, told.words)
    why = _permanence(status, told, wait)
    if why:
        return PermanentProviderError(f"{message} ({why}{_reset_in_words(wait)})")
    if status in _TRANSIENT_STATUS or status >= 500 or status < 300:
        return TransientProviderError(message, status, wait)
    return RejectedRequestError(message, status)


def _permanence(status: int, told: Told, wait: float | None) -> str:
    """Why asking again is no use; empty where it may be."""
    if 300 <= status < 400:
        return "a redirect; give the address that it leads to"
    if status == 429:
        return _used_up(told, wait)
    if status in PERMANENT_STATUS:
        return PERMANENT_STATUS[status]
    if status in (400, 422) or status < 300:
        if _UNKNOWN_MODEL.search(told.text):
            return "no such model"
        if _NO_CREDIT.search(told.text):
            return "no credit"
        if _EVERY_REQUEST.search(told.text):
            return "every request would be refused like this one"
    return ""


def _used_up(told: Told, wait: float | None) -> str:
    """Whether a 429 means an empty account or a quota of a day or longer, not a short limit."""
    if told.code == "insufficient_quota":
        return "no credit"
    long, short = _LONG_QUOTA.search(told.text), _SHORT_QUOTA.search(told.text)
    if long and not (short and short.start() < long.start()):
        return "the quota is used up"
    if short:
        return ""
    if _NO_CREDIT.search(told.text) and wished_wait_seconds({}, told.words) is None:
        return "no credit or the quota is used up"
    return "the provider wants a long pause" if (wait or 0) > LONGEST_WAIT_SECONDS else ""


def _reset_in_words(wait: float | None) -> str:
    if wait is None or wait < 1:
        return ""
    resets = datetime.now(UTC) + timedelta(seconds=wait)
    return f"; resets at {resets:%Y-%m-%d %H:%M:%S} UTC"

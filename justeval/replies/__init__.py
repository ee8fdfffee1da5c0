"""Reply text -> Prediction, or the reason why not.

In: the raw text of a reply (or its raw fields, as a table holds them). Out: schema.Prediction.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from justeval.schema import LONGEST_MONTHS_READ, Prediction

__all__ = ["read_fields", "read_reply"]

_KEYS = {
    "罪名": "charge",
    "是否有罪": "guilty",
    "刑罚类型": "penalty",
    "刑期": "months",
    "决定": "decision",
    "概率": "probability",
}
_PENALTIES = {
    "有期徒刑": "fixed_term",
    "imprisonment": "fixed_term",
    "拘役": "detention",
    "缓刑": "probation",
    "probation": "probation",
    "管制": "surveillance",
    "无期徒刑": "life",
    "life imprisonment": "life",
    "死刑": "death",
    "death": "death",
    "死刑,缓期二年执行": "death_suspended",
    "死刑缓期执行": "death_suspended",
    "单处罚金": "fine",
    "fine": "fine",
    "time served": "time_served",
    "免予刑事处罚": "exempt",
    "免于刑事处罚": "exempt",
    "no punishment": "exempt",
    "无罪": "acquittal",
}
_GUILTY = {"是": True, "yes": True, "true": True, "否": False, "no": False, "false": False}


def read_reply(
    reply: str | None, finish_reason: str | None = "stop", *, bounded: bool = True
) -> Prediction:
    """What a reply states, or the reason why it states nothing; never raises."""
    text = (reply or "").strip()
    if not text:
        return Prediction("empty", "the reply is empty")
    status = "ok"
    fenced = re.fullmatch(r"```\w*\s*(.*?)\s*```", text, re.DOTALL)
    if fenced:
        text, status = fenced[1], "repaired"
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        answer = None
    if isinstance(answer, float) and 0 <= answer <= 1:
        return Prediction(status, probability=answer)
    if not isinstance(answer, dict):
        cut = finish_reason == "length"
        return Prediction("truncated" if cut else "unparsable", "no object in the reply")
    fields = {_KEYS.get(str(key), str(key)): value for key, value in answer.items()}
    read = read_fields(fields, bounded=bounded)
    if read.status == "ok" and status != "ok":
        return replace(read, status=status, reason="a code fence")
    return read


def read_fields(fields: Mapping[str, object], *, bounded: bool = True) -> Prediction:
    """What the raw fields of a reply state: guilty, penalty, months ... as a table holds them."""
    texts = {k: "" if v is None else str(v).strip() for k, v in fields.items()}
    if not any(texts.values()):
        return Prediction("empty", "all fields are blank")
    guilty = _GUILTY.get(texts.get("guilty", "").lower())
    penalty = _PENALTIES.get(texts.get("penalty", "").lower())
    if penalty is None and guilty is False:
        penalty = "acquittal"
    read = Prediction("ok", guilty=guilty, penalty=penalty, charge=texts.get("charge") or None,
                      decision=texts.get("decision") or None,
                      probability=_number(texts.get("probability", "")))  # fmt: skip
    months = _number(texts.get("months", ""))
    if penalty in ("fine", "exempt", "acquittal"):
        months = 0.0
    elif penalty in ("life", "death", "death_suspended"):
        months = None
    elif months is None and read.probability is None and read.decision is None:
        return Prediction("unparsable", "no term", guilty=guilty, penalty=penalty)
    if bounded and months is not None:
        longest = 12.0 if penalty == "detention" else LONGEST_MONTHS_READ
        if not 0 <= months <= longest:
            return Prediction("out_of_range", f"{months:g} months", guilty=guilty, penalty=penalty)
    return replace(read, months=months)


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", text) else None

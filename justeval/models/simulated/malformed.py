"""Ways in which models spoil an answer, chosen without a look at what the answer says.

In: a well-formed answer and two uniforms. Out: the text of the reply and its finish reason. Half
of the ways leave one term that a reader can repair, half leave none.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate

from justeval.models.simulated.words import chinese, english


@dataclass(frozen=True, slots=True)
class Answer:
    """A well-formed answer: its fields as written, the key of the term and the term if asked."""

    fields: Mapping[str, object]
    language: str
    months_key: str | None
    months: int | None

    def text(self) -> str:
        """The answer as one JSON object."""
        return json.dumps(self.fields, ensure_ascii=False)

    def with_months(self, written: object) -> str:
        """The answer as JSON with the term written in another way."""
        if self.months_key is None:
            return self.text()
        return json.dumps({**self.fields, self.months_key: written}, ensure_ascii=False)

    def say(self, zh: str, en: str) -> str:
        """The phrase in the language of the answer."""
        return zh if self.language == "zh" else en


Spoiler = Callable[[Answer, float], tuple[str, str]]


def _fence(answer: Answer, u: float) -> tuple[str, str]:
    return f"```json\n{json.dumps(answer.fields, ensure_ascii=False, indent=2)}\n```", "stop"


def _prose(answer: Answer, u: float) -> tuple[str, str]:
    before = answer.say("根据案情，提出如下意见：", "Having considered the case, I propose:")
    after = answer.say("以上意见供参考。", "This is a proposal only.")
    return f"{before}\n\n{answer.text()}\n\n{after}", "stop"


def _number_words(answer: Answer, u: float) -> tuple[str, str]:
    if answer.months is None or answer.months > 999:
        return _fence(answer, u)
    words = answer.say(f"{chinese(answer.months)}个月", f"{english(answer.months)} months")
    return answer.with_months(words), "stop"


def _years(answer: Answer, u: float) -> tuple[str, str]:
    if answer.months is None or answer.months < 12:
        return _fence(answer, u)
    years, months = divmod(answer.months, 12)
    zh = f"{years}年" + (f"{months}个月" if months else "")
    en = f"{years} years" + (f" and {months} months" if months else "")
    return answer.with_months(answer.say(zh, en)), "stop"


def _unclosed(answer: Answer, u: float) -> tuple[str, str]:
    return answer.text().rstrip("}"), "stop"


def _range(answer: Answer, u: float) -> tuple[str, str]:
    if answer.months is None:
        return _refusal(answer, u)
    low, high = max(answer.months - 3, 1), answer.months + 3
    return answer.with_months(answer.say(f"{low}至{high}个月", f"{low} to {high} months")), "stop"


def _refusal(answer: Answer, u: float) -> tuple[str, str]:
    zh = "抱歉，我无法就具体案件作出判断，请咨询专业法律人士。"
    en = "I'm sorry, but I can't give an opinion on this case. Please consult a qualified lawyer."
    return answer.say(zh, en), "stop"


def _cut(answer: Answer, u: float) -> tuple[str, str]:
    text = answer.text()
    end = text.find(f'"{answer.months_key}"') if answer.months_key else len(text)
    return text[: max(1, int((0.5 + 0.5 * u) * end))], "length"


def _contradiction(answer: Answer, u: float) -> tuple[str, str]:
    if answer.months is None:
        return _refusal(answer, u)
    other = answer.months + 12
    why = answer.say(f"综上，判处有期徒刑{other}个月。", f"I therefore impose {other} months.")
    return f"{answer.text()}\n\n{why}", "stop"


def _empty(answer: Answer, u: float) -> tuple[str, str]:
    return "", "stop"


WAYS: tuple[tuple[Spoiler, float], ...] = (
    (_fence, 0.20),
    (_prose, 0.14),
    (_number_words, 0.07),
    (_years, 0.05),
    (_unclosed, 0.04),
    (_range, 0.14),
    (_refusal, 0.14),
    (_cut, 0.12),
    (_contradiction, 0.05),
    (_empty, 0.05),
)
"""Each way with its share among malformed replies; the shares add to 1."""
_ENDS = tuple(accumulate(share for _, share in WAYS))


def spoil(answer: Answer, kind: float, detail: float) -> tuple[str, str]:
    """The reply and finish reason that the uniform `kind` picks; `detail` varies it."""
    way, _ = WAYS[min(bisect_right(_ENDS, kind), len(WAYS) - 1)]
    return way(answer, detail)

"""What a prompt asks for: the keys of the answer and the options it allows, from its own text.

In: a message without label sentences. Out: a Question, and the rest of the text, which is the
case. A sentence that names a known key in quotation marks belongs to the question, and so does
all that a prompt that ships with justeval says around the case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from justeval.prompts import SLOT, load_prompt, prompt_names

_KEYS = {
    "罪名": "charge",
    "是否有罪": "guilty",
    "刑罚类型": "penalty",
    "刑期": "months",
    "决定": "decision",
    "概率": "probability",
    "保证金": "bond_amount",
    "币种": "bond_currency",
    "charge": "charge",
    "guilty": "guilty",
    "penalty": "penalty",
    "months": "months",
    "decision": "decision",
    "probability": "probability",
    "bond_amount": "bond_amount",
    "bond_currency": "bond_currency",
}
"""A key as a prompt may state it -> the field it asks for."""
_DEFAULT_KEYS = {
    "zh": ("罪名", "是否有罪", "刑罚类型", "刑期"),
    "en": ("charge", "guilty", "penalty", "months"),
}
_SENTENCE = re.compile(r"[^。！？!?；;\n.]*(?:\.(?!\s)[^。！？!?；;\n.]*)*(?:[。！？!?；;\n.]|\Z)")
_KEY = re.compile('["“](' + "|".join(_KEYS) + ')["”]')
_QUOTED = re.compile('["“]([^"“”]{1,40})["”]')
_LIST = re.compile(r"(?:one of|either)\s+(.+)|[:：]\s*(.+?)\s*之一", re.DOTALL)
_SEPARATOR = re.compile(r"\s*(?:[,、，|/]|\bor\b|或)\s*")
_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the answer: as the prompt writes it, its field, and the options stated for it."""

    written: str
    field: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """The keys of the answer in the prompt's order, and the language of the reply (zh or en)."""

    keys: tuple[Key, ...]
    language: str

    def asks_for(self, field: str) -> bool:
        """Whether one of the keys is this field."""
        return any(key.field == field for key in self.keys)


def read_question(text: str) -> tuple[Question, str]:
    """The question in `text`, and the text of the case: all sentences that are not asking."""
    keys: dict[str, Key] = {}
    case: list[str] = []
    asking = _asking_sentences()
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        named = list(_KEY.finditer(sentence))
        if not named and sentence.strip() not in asking:
            case.append(sentence)
        ends = [found.start() for found in named[1:]] + [len(sentence)]
        for found, end in zip(named, ends, strict=False):
            written = found.group(1)
            options = _options(sentence[found.end() : end])
            keys.setdefault(_KEYS[written], Key(written, _KEYS[written], options))
    if keys:
        language = "zh" if any(_HAN.search(key.written) for key in keys.values()) else "en"
        return Question(tuple(keys.values()), language), "".join(case)
    language = "zh" if 5 * len(_HAN.findall(text)) > len(text) else "en"
    defaults = tuple(Key(key, _KEYS[key], ()) for key in _DEFAULT_KEYS[language])
    return Question(defaults, language), "".join(case)


@lru_cache(maxsize=1)
def _asking_sentences() -> frozenset[str]:
    """What the prompts that ship with justeval say, sentence by sentence."""
    prompts = [load_prompt(name) for name in prompt_names()]
    said = [part for prompt in prompts for part in (prompt.system, *prompt.user.split(SLOT))]
    return frozenset(m.group().strip() for part in said for m in _SENTENCE.finditer(part))


def _options(text: str) -> tuple[str, ...]:
    """The answers that a prompt allows for a key: quoted ones, else a list it calls `one of`."""
    quoted = tuple(dict.fromkeys(_QUOTED.findall(text)))
    if len(quoted) > 1:
        return quoted
    listed = _LIST.search(text)
    if listed is None:
        return ()
    parts = _SEPARATOR.split((listed.group(1) or listed.group(2)).strip(" 。.;；\n"))
    return tuple(part for part in parts if part)

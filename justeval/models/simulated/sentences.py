"""Which label sentences stand in a message: the only way a label reaches the simulated model.

In: labels and a text. Out: the sentences found, as label and value, and the text without them.
A sentence counts only word for word, at the beginning of a line or after punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from justeval.labels import Label

_BEGINNING = re.compile(r".[\w ]{0,7}", re.DOTALL)
_END = re.compile(r"[。！？!?；;\n]|\.(?!\d)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Stated:
    """One label's value that a text states; `number` where the label is numeric."""

    label: str
    value: str
    number: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a text states of the labels, and the text without those sentences."""

    stated: tuple[Stated, ...]
    rest: str


@dataclass(frozen=True, slots=True)
class _Known:
    """One known sentence: literal text, or a pattern for the sentence of a numeric label.

    `beginning` is its start up to a number or a sign, at most 8 characters of it.
    """

    label: str
    value: str
    text: str
    beginning: str
    pattern: re.Pattern[str] | None


class SentenceIndex:
    """All sentences of the labels by their first clause, so that a text is read in one pass."""

    def __init__(self, labels: Iterable[Label]) -> None:
        self._by_clause: dict[str, tuple[_Known, ...]] = {}
        all_known = [known for label in labels for known in _known_sentences(label)]
        for known in all_known:
            clause = _clause(known.text, 0)
            self._by_clause[clause] = (*self._by_clause.get(clause, ()), known)
        self._without_end = tuple(known for known in all_known if not _END.search(known.text))
        self._length = min((len(known.beginning) for known in all_known), default=0)
        beginnings = sorted({known.beginning[: self._length] for known in all_known})
        self._candidate = re.compile(
            "|".join(map(re.escape, beginnings)) if beginnings else r"(?!)"
        )

    def find(self, text: str) -> Found:
        """The label sentences in `text`, in order, and the text without them."""
        stated: list[Stated] = []
        pieces: list[str] = []
        done = 0
        for match in self._candidate.finditer(text):
            start = match.start()
            if start < done or not _may_begin(text, start):
                continue
            end = start
            clause = _clause(text, start)
            for known in (*self._by_clause.get(clause, ()), *self._without_end):
                stop, found = _match(known, text, start)
                if found is not None:
                    stated.append(found)
                    end = max(end, stop)
            if end > start:
                pieces.append(text[done:start])
                done = end
        pieces.append(text[done:])
        return Found(tuple(stated), "".join(pieces))


def _may_begin(text: str, start: int) -> bool:
    """Whether a sentence can begin at `start`: of the text or a line, or after punctuation."""
    before = start
    while before > 0 and text[before - 1].isspace():
        before -= 1
        if text[before] == "\n":
            return True
    return before == 0 or not (text[before - 1].isalnum() or text[before - 1] == "_")


def _clause(text: str, start: int) -> str:
    """The text from `start` up to and with the next end of a sentence, numbers as `#`."""
    match = _END.search(text, start)
    return _NUMBER.sub("#", text[start : match.end() if match else len(text)])


def _match(known: _Known, text: str, start: int) -> tuple[int, Stated | None]:
    if known.pattern is None:
        stop = start + len(known.text)
        if text.startswith(known.text, start) and not _goes_on(text, stop):
            return stop, Stated(known.label, known.value)
        return start, None
    match = known.pattern.match(text, start)
    if match is None or _goes_on(text, match.end()):
        return start, None
    number = float(match.group(1))
    return match.end(), Stated(known.label, match.group(1), number)


def _goes_on(text: str, stop: int) -> bool:
    """Whether a word goes on across `stop`: a sentence without an end is no part of a word."""
    around = text[stop - 1 : stop + 1]
    return len(around) == 2 and around.isascii() and around.isalnum()


def _known_sentences(label: Label) -> Iterable[_Known]:
    if label.numeric:
        for template in dict.fromkeys(label.template.values()):
            before, _, after = template.partition("{value}")
            pattern = re.compile(re.escape(before) + r"(\d+(?:\.\d+)?)" + re.escape(after))
            yield _Known(
                label.id, "", template.replace("{value}", "1"), _beginning(before), pattern
            )
        return
    for value in label.values:
        for sentence in dict.fromkeys(value.sentence.values()):
            yield _Known(label.id, value.id, sentence, _beginning(sentence), None)


def _beginning(text: str) -> str:
    match = _BEGINNING.match(text)
    return match.group() if match else ""

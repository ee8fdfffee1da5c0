"""The text of a reply -> its answer: the records in it, the prose beside them, what was mended.

In: the text without thinking. Out: an Answer. Strict JSON is taken as it stands; else objects are
looked for, then lines and tables; the rest is prose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from justeval.replies.layouts import LayoutReader
from justeval.replies.lexicon import Lexicon, word_pattern
from justeval.replies.objects import OBJECTS_AT_MOST, Found, find_objects
from justeval.replies.records import AnswerRecord, is_answer, make_record
from justeval.replies.strict import read_strict
from justeval.replies.values import Bare, Pairs, Value, text_of

_BLANK = " \t\r\n\ufeff"
_DEEPEST_TEXT = 3
_ANNOUNCED = 200
"""Characters before or after an object in which it is called a draft or final."""


@dataclass(slots=True)
class Answer:
    """An answer before its words are understood.

    `records`: one for each object that answers. `strict`: JSON as it stands. `mends`: what had to
    be done, in words. `prose`: the text around the records; `is_final`: the text right before
    the last record says that it is the final one. `cut`: the record breaks off. `text`: an answer
    that is prose alone.
    """

    records: list[AnswerRecord] = field(default_factory=list)
    strict: bool = False
    mends: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    is_final: bool = False
    cut: bool = False
    too_large: bool = False
    bare: Value = None
    text: str = ""


class AnswerReader:
    """Finds the answer in text by the keys of one lexicon."""

    def __init__(self, lexicon: Lexicon, layouts: LayoutReader) -> None:
        self.lexicon = lexicon
        self.layouts = layouts
        self._final = re.compile(word_pattern(lexicon.words["final"]))
        self._drafts = re.compile(word_pattern(lexicon.words["drafts"]))

    def _is_final(self, text: str) -> bool:
        """Whether a text announces the final answer."""
        return self._final.search(self.lexicon.fold(text[-_ANNOUNCED:])) is not None

    def _is_draft(self, text: str) -> bool:
        """Whether a text announces a draft."""
        return self._drafts.search(self.lexicon.fold(text[-_ANNOUNCED:])) is not None

    def strict(self, text: str, depth: int = 0) -> Answer | None:
        """The answer of a text that is JSON as it stands, None if it is not."""
        stripped = text.strip(_BLANK)
        if not stripped or stripped[0] not in '{["-0123456789tfnNI':
            return None
        read = read_strict(stripped)
        if read is None:
            return None
        answer = self._of_value(read.value, depth)
        if answer is not None and not read.plain:
            answer.mends.append("NaN or Infinity, which JSON does not have")
        return answer

    def _of_value(self, value: Value, depth: int) -> Answer | None:
        if isinstance(value, Pairs):
            return Answer([make_record(value, self.lexicon)], strict=True)
        if isinstance(value, list):
            objects = [item for item in value if isinstance(item, Pairs)]
            if not objects or len(objects) != len(value):
                return None
            records = [make_record(item, self.lexicon) for item in objects[:OBJECTS_AT_MOST]]
            too_large = len(objects) > OBJECTS_AT_MOST
            return Answer(records, too_large=too_large, mends=["a list around the object"])
        if isinstance(value, str):
            inner = self.strict(value, depth + 1) if depth < _DEEPEST_TEXT else None
            if inner is None:
                return None
            inner.mends.append("JSON within a string")
            inner.strict = False
            return inner
        return Answer(bare=value, strict=True) if isinstance(value, Bare) else None

    def tolerant(self, text: str, complete: bool) -> Answer:
        """The answer of any text; `complete` is False where the reply may have been cut."""
        found, too_large = find_objects(text)
        answers = [(one, make_record(one.pairs, self.lexicon)) for one in found]
        answers = [(one, r) for one, r in answers if is_answer(r) or _is_open(one) or r.too_large]
        if any(is_answer(record) or record.too_large for _, record in answers):
            return self._of_objects(text, answers, complete, too_large)
        if any(one.pairs.cut for one, _ in answers):
            return Answer(cut=True, text=text, too_large=too_large)
        return self._of_layout(text, complete, too_large)

    def _of_objects(
        self,
        text: str,
        answers: list[tuple[Found, AnswerRecord]],
        complete: bool,
        too_large: bool,
    ) -> Answer:
        answer = Answer(mends=["text around the object"], too_large=too_large)
        end, before = 0, ""
        for one, record in answers:
            answer.prose.append(text[end : one.start])
            before = text[end : one.start]
            answer.records.append(record)
            end = one.end
            ended = one.pairs.closed or one.pairs.over
            answer.cut = answer.cut or one.pairs.cut or not (ended or complete)
        answer.is_final = self._is_final(before)
        answer.prose.append(text[end:])
        announces = self._is_final(text[end:])
        if announces and text.rstrip().endswith((":", "{")):
            answer.cut = True
        if not complete and (announces or self._is_draft(before)):
            answer.cut = True
        around = "".join(answer.prose).strip().strip("`").strip()
        if around in ("", "json", "JSON"):
            answer.mends = ["a code fence" if "```" in text else "mended JSON"]
        return answer

    def _of_layout(self, text: str, complete: bool, too_large: bool) -> Answer:
        folded = self.lexicon.fold(text)
        layouts = self.layouts.read(folded)
        records = [make_record(pairs, self.lexicon) for pairs in layouts]
        if not any(is_answer(record) for record in records):
            return Answer(text=text, too_large=too_large, mends=["a sentence instead of JSON"])
        answer = Answer(records, mends=["lines or a table instead of JSON"], prose=[folded])
        answer.too_large = too_large
        last = layouts[-1]
        if last.cut and (not complete or ends_in_number(text_of(last.items[-1][1]), self.lexicon)):
            answer.cut = True
            last.items.pop()
            answer.records[-1] = make_record(last, self.lexicon)
        answer.cut = answer.cut or not (complete or last.over)
        return answer


def _is_open(one: Found) -> bool:
    return one.pairs.cut or not (one.pairs.closed or one.pairs.over)


def ends_in_number(text: str, lexicon: Lexicon) -> bool:
    """Whether a text ends in a digit or a number word, so that more might have followed."""
    end = lexicon.fold(text[-40:])
    words = (*lexicon.numeral_values, *lexicon.numeral_multipliers)
    return end[-1:].isdigit() or end.endswith(words)

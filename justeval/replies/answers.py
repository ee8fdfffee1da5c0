"""The text of a reply -> its answer: the records in it, the prose beside them, what was mended.

In: the text without thinking. Out: an Answer. Strict JSON is taken as it stands; else objects are
looked for, then lines and tables; the rest is prose.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from justeval.replies.layouts import LayoutReader
from justeval.replies.lexicon import Lexicon
from justeval.replies.objects import OBJECTS_AT_MOST, Found, find_objects
from justeval.replies.records import AnswerRecord, is_answer, make_record
from justeval.replies.strict import read_strict
from justeval.replies.values import Bare, Pairs, Value

_BLANK = " \t\r\n\ufeff"
_DEEPEST_TEXT = 3


@dataclass(slots=True)
class Answer:
    """An answer before its words are understood.

    `records`: one for each object that answers. `strict`: JSON as it stands. `mends`: what had to
    be done, in words. `prose`: the text around the records; `before_last`: the text right before
    the last record. `cut`: the record breaks off. `text`: an answer that is prose alone.
    """

    records: list[AnswerRecord] = field(default_factory=list)
    strict: bool = False
    mends: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    before_last: str = ""
    cut: bool = False
    too_large: bool = False
    bare: Value = None
    text: str = ""


class AnswerReader:
    """Finds the answer in text by the keys of one lexicon."""

    def __init__(self, lexicon: Lexicon, layouts: LayoutReader) -> None:
        self.lexicon = lexicon
        self.layouts = layouts

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
        answers = [(one, r) for one, r in answers if is_answer(r) or one.pairs.cut or r.too_large]
        if any(is_answer(record) or record.too_large for _, record in answers):
            return self._of_objects(text, answers, complete, too_large)
        if answers:
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
        end = 0
        for one, record in answers:
            answer.prose.append(text[end : one.start])
            answer.before_last = text[end : one.start]
            answer.records.append(record)
            end = one.end
            ended = one.pairs.closed or one.pairs.over
            answer.cut = answer.cut or one.pairs.cut or not (ended or complete)
        answer.prose.append(text[end:])
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
        answer.cut = not (complete or last.over)
        if answer.cut and last.cut:
            last.items.pop()
            answer.records[-1] = make_record(last, self.lexicon)
        return answer

"""The reader of replies: from the raw text, or from the fields of a table, to a Prediction.

In: what a provider returned and why it ended. Out: schema.Prediction. Nothing raises, nothing is
guessed, and the work is bounded whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from justeval.replies.amounts import AmountReader
from justeval.replies.answers import Answer, AnswerReader, ends_in_number
from justeval.replies.guilt import WordReader
from justeval.replies.language import Language, shipped_languages
from justeval.replies.layouts import layout_reader_of
from justeval.replies.legal import LegalTerms
from justeval.replies.lexicon import Lexicon, lexicon_of
from justeval.replies.meaning import MeaningReader
from justeval.replies.prose import ProseReader
from justeval.replies.prose_answers import WHOLE_AT_MOST, ProseAnswerReader
from justeval.replies.record_terms import RecordTermReader
from justeval.replies.records import AnswerRecord, Entry
from justeval.replies.sentence import SentenceReader
from justeval.replies.terms import TermReader
from justeval.replies.thinking import opened, unwrapped, without_thinking
from justeval.replies.tokens import tokenizer_of
from justeval.replies.values import Bare, Value
from justeval.schema import Prediction

READ_AT_MOST = 6_000
"""Characters of an answer that are read; of a longer one the beginning and the end."""
STRICT_AT_MOST = 16_000
"""Characters of a reply that is read as strict JSON."""

_LIST_AT_MOST = 20
_TAGS_AT_MOST = 1_000
_BEGINNING, _END = 1_500, 4_500
_SIGNS = ":=：|>"
_SIGNS_AT_MOST = 60
_KEY_MARKS = " \t\"'*_`”)）"
_SPACES = re.compile(r"[ \t\r\n]{6,}")
_LONG_SPACES = (" " * 6, "\n" * 6, "\t" * 6, "\n \n \n")

_CUT = ("length", "max_tokens", "max_output_tokens", "model_length", "incomplete")
_WITHHELD = ("content_filter", "safety", "prohibited_content", "recitation", "refusal")
_INCOMPLETE = (*_CUT, *_WITHHELD, "error", "")
"""Reasons, the unknown one among them, that do not say that the model had come to its end."""
_EDGES = " \t\r\n*_`\"'"
_STOPS = (".", "。", "!", "！", "；", ";", "）", ")")
_TRUNCATED = Prediction("truncated", "cut before the answer was complete")
_ROLE_OF_FIELD = {"months": "term", "probation_months": "probation"}


class ReplyReader:
    """Reads replies by the words of one lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        tokenizer = tokenizer_of(lexicon)
        self.lexicon = lexicon
        self.terms = TermReader(tokenizer)
        self.words = WordReader(tokenizer, self.terms)
        self.amounts = AmountReader(tokenizer)
        self.prose = ProseReader(tokenizer)
        self.answers = AnswerReader(lexicon, layout_reader_of(lexicon))
        sentences = SentenceReader(self.words, RecordTermReader(self.terms))
        self.meaning = MeaningReader(self.words, sentences, self.amounts, self.prose)
        self.term_keys = _term_keys(lexicon)
        self.legal = LegalTerms(lexicon)
        self.alone = ProseAnswerReader(self.words, sentences, self.terms, self.amounts, self.prose)

    def read(self, reply: str | None, finish_reason: str | None, bounded: bool) -> Prediction:
        """What a reply states; see `justeval.replies.read_reply`."""
        return self.legal.flagged(self._read(reply, finish_reason, bounded), reply or "")

    def _read(self, reply: str | None, finish_reason: str | None, bounded: bool) -> Prediction:
        finish = (finish_reason or "").lower()
        if reply is None or not reply.strip(" \t\r\n\ufeff\u200b\u3000"):
            return _of_nothing(finish)
        if len(reply) <= STRICT_AT_MOST:
            strict = self.answers.strict(reply)
            if strict is not None and (strict.records or finish not in _INCOMPLETE):
                return self._understood(strict, bounded)
        if reply.count("<") > _TAGS_AT_MOST:
            return Prediction("unparsable", "too many tags to be read")
        spoken = without_thinking(reply)
        if not spoken.text.strip():
            return _of_thinking(finish, spoken.open)
        text, left_out = self._shortened(spoken.text)
        text = opened(text)
        marked = unwrapped(text)
        if spoken.thought or marked is not None:
            text = text if marked is None else marked
            strict = self.answers.strict(text)
            if strict is not None and (strict.records or finish not in _INCOMPLETE):
                said = "thinking before the answer" if spoken.thought else "tags around the answer"
                strict.mends.append(said)
                return self._understood(strict, bounded)
        answer = self.answers.tolerant(text, complete=finish not in _INCOMPLETE)
        answer.too_large = answer.too_large or left_out
        if answer.records:
            return self._understood(answer, bounded)
        return self._of_prose(answer, finish, bounded)

    def _shortened(self, text: str) -> tuple[str, bool]:
        """Beginning and end of a long text, and whether what lies between may state a term."""
        if len(text) <= READ_AT_MOST:
            return text, False
        if any(run in text for run in _LONG_SPACES):
            text = _SPACES.sub(_first_spaces, text)
        if len(text) <= READ_AT_MOST:
            return text, False
        middle = text[_BEGINNING : len(text) - _END]
        states = _states_term(middle, self.term_keys)
        return f"{text[:_BEGINNING]}\n\n{text[-_END:]}", states

    def _understood(self, answer: Answer, bounded: bool) -> Prediction:
        if answer.records:
            return self.meaning.read(answer, bounded)
        read = self.amounts.probability(answer.bare)
        if read.state == "one":
            status = "repaired" if answer.mends else "ok"
            return Prediction(status, "; ".join(answer.mends), probability=read.value)
        return Prediction("ambiguous", "a bare number that is no probability")

    def _of_prose(self, answer: Answer, finish: str, bounded: bool) -> Prediction:
        text = answer.text.strip(_EDGES)
        whole = self.alone.whole(text, bounded) if len(text) <= WHOLE_AT_MOST else None
        if whole is not None:
            return whole if finish not in _INCOMPLETE else _TRUNCATED
        if self.prose.refuses(text):
            return Prediction("refused", "the reply refuses")
        if answer.cut or finish in _CUT or (finish in _INCOMPLETE and not text.endswith(_STOPS)):
            return _TRUNCATED
        if answer.too_large:
            return Prediction("unparsable", "too large to be read without doubt")
        if ends_in_number(answer.text, self.lexicon):
            return _TRUNCATED
        return self.alone.running(text, bounded)

    def fields(self, fields: Mapping[str, object], bounded: bool) -> Prediction:
        """What the raw fields of a reply state; see `justeval.replies.read_fields`."""
        record = AnswerRecord()
        for name, held in fields.items():
            value = _cell(held)
            role = _ROLE_OF_FIELD.get(name, name)
            unit = "month" if role != name else None
            record.entries.setdefault(role, []).append(Entry(name, value, unit, 0))
        blank = all(
            entry.value is None or entry.value == ""
            for entries in record.entries.values()
            for entry in entries
        )
        if blank:
            return Prediction("empty", "all fields are blank")
        read = self.meaning.read(Answer([record], strict=True), bounded, table=True)
        return self.legal.flagged(read, str(fields.get("penalty") or ""))


def _term_keys(lexicon: Lexicon) -> tuple[str, ...]:
    """The ends of keys of a term, as they may stand in a text that is too long to be read."""
    return tuple(
        key
        for language in lexicon.languages
        for role in ("term", "total")
        for key in language.tables["keys"].get(role, ())
    )


def _states_term(text: str, keys: tuple[str, ...]) -> bool:
    """Whether a colon in the text follows a key of a term, or there are too many to look at."""
    for sign in _SIGNS:
        place = text.find(sign)
        for _ in range(_SIGNS_AT_MOST):
            if place < 0:
                break
            if text[max(0, place - 40) : place].rstrip(_KEY_MARKS).lower().endswith(keys):
                return True
            place = text.find(sign, place + 1)
        if place >= 0:
            return True
    return False


def _first_spaces(match: re.Match[str]) -> str:
    """A short run of spaces in place of a long one, with a line's end where one was in it."""
    return "  \n\n" if match.group().count("\n") > 1 else "\n" if "\n" in match.group() else "  "


def _of_nothing(finish: str) -> Prediction:
    if finish in _CUT:
        return Prediction("truncated", "cut before the answer began")
    if finish in _WITHHELD:
        return Prediction("refused", "withheld by the provider's filter")
    return Prediction("empty", "the reply is empty")


def _of_thinking(finish: str, left_open: bool) -> Prediction:
    if left_open or finish in _CUT:
        return Prediction("truncated", "thinking that never came to an answer")
    return Prediction("empty", "nothing after the thinking")


def _cell(held: object) -> Value:
    """A cell of a table as a value: numbers as written, not-a-number as blank."""
    if held is None or isinstance(held, bool):
        return held
    if isinstance(held, float):
        return None if held != held else Bare(repr(held))
    if isinstance(held, int):
        return Bare(str(held) if abs(held) < 10**15 else "inf")
    if isinstance(held, list | tuple) and len(held) <= _LIST_AT_MOST:
        return [str(item).strip() for item in held if item is not None]
    return str(held).strip()


@lru_cache(maxsize=8)
def reader_of(languages: tuple[Language, ...]) -> ReplyReader:
    """The reader of these languages, made once."""
    return ReplyReader(lexicon_of(languages))


def default_reader() -> ReplyReader:
    """The reader of the languages that ship with justeval."""
    return reader_of(shipped_languages())

"""Guilt, the kind of penalty, the decision: what a record states in words.

In: an AnswerRecord. Out: a value for each field, None where the record states none or two.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from justeval.replies.folding import writable
from justeval.replies.lexicon import Lexicon, word_pattern
from justeval.replies.penalties import Kinds, read_kinds
from justeval.replies.records import AnswerRecord, Entry
from justeval.replies.terms import Term, TermReader
from justeval.replies.tokens import Tokenizer
from justeval.replies.values import Bare, Value, is_blank, text_of

_WORDS = 400
_LIST_AT_MOST = 20
_ZERO_OR_ONE = ("0", "1", "0.0", "1.0")
_SEVERAL = "several"
_OWN_CATEGORY = re.compile(r"[^\d{}\[\]:;.。,，!?]{1,40}")


@dataclass(frozen=True, slots=True)
class Penalty:
    """The kinds of penalty that a record names, and a term that stands among them.

    `nothing`: the field says that there is no penalty; `conflict`: it is stated twice, differently.
    """

    kinds: Kinds
    term: Term
    nothing: bool = False
    conflict: bool = False


class WordReader:
    """Reads the fields of a record that are words."""

    def __init__(self, tokenizer: Tokenizer, terms: TermReader) -> None:
        self.tokenizer = tokenizer
        self.lexicon = tokenizer.lexicon
        self.terms = terms
        self._kinds_in = lru_cache(maxsize=2048)(self._read_kinds)
        self._acquitted = re.compile(word_pattern(self.lexicon.words["acquitted"]))
        self._convicted = re.compile(word_pattern(self.lexicon.words["convicted"]))
        self._both = _one_or_the_other(self.lexicon)

    def guilt(self, record: AnswerRecord) -> tuple[bool | None, bool]:
        """Guilty or not, and whether it is stated twice and differently."""
        if repeated_differently(record.of("guilty"), self.truth):
            return None, True
        stated = {self.truth(entry.value) for entry in record.filled("guilty")}
        if not record.filled("guilty"):
            stated = {self.guilt(part)[0] for part in record.parts}
        stated -= {None}
        if len(stated) > 1:
            return None, bool(record.filled("guilty"))
        return (stated.pop() if stated else None), False

    def truth(self, value: Value) -> bool | None:
        """Guilty or not: as a word of yes or no, or told in a phrase."""
        if isinstance(value, list) and len(value) < _LIST_AT_MOST:
            said_each = {self.truth(item) for item in value}
            return said_each.pop() if len(said_each) == 1 else None
        said = self.yes_or_no(value)
        return self.told(text_of(value)[:_WORDS]) if said is None else said

    def yes_or_no(self, value: Value) -> bool | None:
        """Yes or no, as a word, as true or false, or at the beginning of an explanation."""
        if isinstance(value, bool):
            return value
        if text_of(value).strip() in _ZERO_OR_ONE:
            return "1" in text_of(value)
        text = text_of(value)[:_WORDS]
        for word in (text, re.split(r"[,，。.;；:：(（\n]", text.strip(), maxsplit=1)[0]):
            if self.lexicon.is_any(word, "affirmative"):
                return True
            if self.lexicon.is_any(word, "negative"):
                return False
        return None

    def told(self, text: str) -> bool | None:
        """Guilt told in words: 被告人有罪, the defendant is not guilty; None where both are."""
        folded = self.lexicon.fold(text)
        rest = self._acquitted.sub(" ", folded)
        convicts = self._convicted.search(rest) is not None
        if rest == folded:
            return True if convicts else None
        return None if convicts else False

    def penalty(self, record: AnswerRecord) -> Penalty:
        """The kinds of penalty in the fields that name it."""
        conflict = repeated_differently(record.of("penalty"), self._kind)
        texts = [text_of(entry.value) for entry in record.filled("penalty")]
        none = Term("none", reason="no term is stated")
        if conflict:
            return Penalty(Kinds(), none, conflict=True)
        if not texts:
            return self._of_parts(record)
        kinds, term = Kinds(), none
        for text in texts:
            kinds = kinds.joined(self.kinds(text))
            read = self.terms.read(text)
            term = read if read.state != "none" or read.probation is not None else term
        nothing = all(self.lexicon.is_any(text, "nothing") for text in texts)
        return Penalty(Kinds() if nothing else kinds, term, nothing)

    def kinds(self, text: str) -> Kinds:
        """The kinds of penalty that a text names."""
        return self._kinds_in(text[:_WORDS])

    def _read_kinds(self, text: str) -> Kinds:
        folded = self.lexicon.fold(text)
        return read_kinds(folded, self.tokenizer.tokens(folded))

    def _kind(self, value: Value) -> str | None:
        return self.kinds(text_of(value)).kind

    def _of_parts(self, record: AnswerRecord) -> Penalty:
        """The kind that all charges share."""
        read = [self.penalty(part) for part in record.parts if part.has("penalty")]
        none = Term("none", reason="no term is stated")
        if not read:
            return Penalty(Kinds(), none)
        if len({penalty.kinds.kind for penalty in read}) > 1:
            return Penalty(Kinds(), none, conflict=True)
        return Penalty(read[0].kinds, none, read[0].nothing)

    def decision(self, record: AnswerRecord) -> tuple[str | None, str]:
        """The decision: yes, no, a category of the lexicon, or a prompt's own word; and a doubt."""
        entries = record.filled("decision")
        if not entries:
            return None, "no decision is stated" if record.of("decision") else ""
        read = [self.category(entry.value) for entry in entries]
        differ = repeated_differently(record.of("decision"), self.category)
        if differ or len(set(read)) > 1 or read[0] == _SEVERAL:
            return None, "two decisions"
        return read[0], "" if read[0] else "a decision that is none of those known"

    def category(self, value: Value) -> str | None:
        """The one category that a text names."""
        if isinstance(value, Bare) and value.text[:1].isdigit():
            return None
        text = writable(text_of(value)[:_WORDS]).strip()
        folded = self.lexicon.fold(text).strip(" .。!！\"'*_`").replace("_", " ")
        if folded in self.lexicon.decisions:
            return self.lexicon.decisions[folded]
        if self._both.fullmatch(folded.replace('"', "").replace("'", "")):
            return _SEVERAL
        truth = self.yes_or_no(value)
        if truth is not None:
            return "yes" if truth else "no"
        named = {self.lexicon.decisions[word] for word in self.lexicon.decision_words(folded)}
        if len(named) > 1:
            return _SEVERAL
        if named:
            return None if self._denies(folded) else named.pop()
        return folded if _OWN_CATEGORY.fullmatch(folded) and len(folded.split()) <= 4 else None

    def _denies(self, folded: str) -> bool:
        """A text with a denial in it names a category only if it is listed as a whole."""
        return any(token.has("negations") for token in self.tokenizer.tokens(folded))


def _one_or_the_other(lexicon: Lexicon) -> re.Pattern[str]:
    """yes or no, 是/否: both answers, and no more than a mark or a word between them."""
    yes, no = (word_pattern(lexicon.words[name]) for name in ("affirmative", "negative"))
    joined = f"(?:{word_pattern(lexicon.words['between'])}|[/,，、|;])"
    return re.compile(rf"{yes} ?{joined} ?{no}|{no} ?{joined} ?{yes}")


def repeated_differently(entries: list[Entry], meaning: Callable[[Value], object]) -> bool:
    """Whether one object holds the same key twice, with values that do not mean the same."""
    if len(entries) < 2:
        return False
    written: dict[tuple[int, str], Value] = {}
    for entry in entries:
        first = written.setdefault((entry.home, entry.key), entry.value)
        if _plain(first) == _plain(entry.value):
            continue
        meant = None if is_blank(first) or is_blank(entry.value) else meaning(first)
        if meant is None or meant != meaning(entry.value):
            return True
    return False


def _plain(value: Value) -> str:
    return "" if is_blank(value) else " ".join(text_of(value).split())

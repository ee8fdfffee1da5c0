"""Guilt, the kind of penalty, the decision: what a record states in words.

In: an AnswerRecord. Out: a value for each field, None where the record states none or two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from justeval.replies.penalties import Kinds, read_kinds
from justeval.replies.records import AnswerRecord, Entry
from justeval.replies.terms import Term, TermReader
from justeval.replies.tokens import Tokenizer
from justeval.replies.values import Bare, Value, is_blank, text_of

_WORDS = 400
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

    def guilt(self, record: AnswerRecord) -> tuple[bool | None, bool]:
        """Guilty or not, and whether it is stated twice and differently."""
        if repeated_differently(record.of("guilty")):
            return None, True
        stated = {self.truth(entry.value) for entry in record.filled("guilty")}
        if not record.filled("guilty"):
            stated = {self.guilt(part)[0] for part in record.parts}
        stated -= {None}
        if len(stated) > 1:
            return None, bool(record.filled("guilty"))
        return (stated.pop() if stated else None), False

    def truth(self, value: Value) -> bool | None:
        """Yes or no, as a word, as true or false, or at the beginning of an explanation."""
        if isinstance(value, bool):
            return value
        if isinstance(value, Bare) and value.text in ("0", "1"):
            return value.text == "1"
        text = text_of(value)[:_WORDS]
        for word in (text, re.split(r"[,，。.;；:：(（\n]", text.strip(), maxsplit=1)[0]):
            if self.lexicon.is_any(word, "affirmative"):
                return True
            if self.lexicon.is_any(word, "negative"):
                return False
        return None

    def penalty(self, record: AnswerRecord) -> Penalty:
        """The kinds of penalty in the fields that name it."""
        conflict = repeated_differently(record.of("penalty"))
        texts = [text_of(entry.value) for entry in record.filled("penalty")]
        none = Term("none", reason="no term is stated")
        if conflict:
            return Penalty(Kinds(), none, conflict=True)
        if not texts:
            return self._of_parts(record)
        kinds, term = Kinds(), none
        for text in texts:
            folded = self.lexicon.fold(text[:_WORDS])
            kinds = kinds.joined(read_kinds(folded, self.tokenizer.tokens(folded)))
            read = self.terms.read(text)
            term = read if read.state != "none" or read.probation is not None else term
        nothing = all(self.lexicon.is_any(text, "nothing") for text in texts)
        return Penalty(Kinds() if nothing else kinds, term, nothing)

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
        if repeated_differently(record.of("decision")) or len(set(read)) > 1:
            return None, "two decisions"
        return read[0], "" if read[0] else "a decision that is none of those known"

    def category(self, value: Value) -> str | None:
        """The one category that a text names."""
        if isinstance(value, Bare) and value.text[:1].isdigit():
            return None
        text = text_of(value)[:_WORDS].strip()
        folded = self.lexicon.fold(text).strip(" .。!！\"'*_`").replace("_", " ")
        if folded in self.lexicon.decisions:
            return self.lexicon.decisions[folded]
        truth = self.truth(value)
        if truth is not None:
            return "yes" if truth else "no"
        named = {self.lexicon.decisions[word] for word in self.lexicon.decision_words(folded)}
        if named:
            return named.pop() if len(named) == 1 and not self._denies(folded) else None
        return folded if _OWN_CATEGORY.fullmatch(folded) and len(folded.split()) <= 4 else None

    def _denies(self, folded: str) -> bool:
        """A text with a denial in it names a category only if it is listed as a whole."""
        return any(token.has("negations") for token in self.tokenizer.tokens(folded))


def repeated_differently(entries: list[Entry]) -> bool:
    """Whether one object holds the same key twice with different values."""
    written: dict[tuple[int, str], str] = {}
    for entry in entries:
        text = _plain(entry.value)
        if written.setdefault((entry.home, entry.key), text) != text:
            return True
    return False


def _plain(value: Value) -> str:
    return "" if is_blank(value) else " ".join(text_of(value).split())

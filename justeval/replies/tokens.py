"""Text cut into what matters for a term: numbers, units, and words that say what a number is.

In: folded text. Out: tokens in order; what lies between them is text that the reader does not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from justeval.replies.lexicon import Lexicon, word_pattern
from justeval.replies.numbers import DIGITS, NumberWords, value_of_digits

TOKENS_AT_MOST = 120
"""Of one field or sentence; one that holds more states nothing without doubt."""

CLASSES = (
    "custody",
    "not_custody",
    "suspended",
    "negations",
    "duration_joiners",
    "age",
    "not_terms",
    "between",
    "bounds",
    "doubts",
    "restated",
    "totals",
    "totals_after",
    "concurrent",
    "consecutive",
    "numbered",
    "counts",
    "each",
    "adjustments",
    "date_months",
    "date_days",
    "probation_before",
    "probation_after",
    "other_before",
    "other_after",
    "term_before",
    "term_after",
    "after_fillers",
    "percent_after",
    "percent_before",
    "scale",
    "numeral_one",
    "numeral_half",
    "numeral_half_joiners",
    "numeral_points",
)
"""Word lists of a language that become classes of tokens."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token: where it stands, its classes, and what it means.

    `value` is the number of a number token (None where it has no single reading). `unit`,
    `penalty`, `currency` name what a word is; `times` is what a word multiplies an amount by.
    """

    start: int
    end: int
    text: str
    classes: frozenset[str] = frozenset()
    value: float | None = None
    unit: str | None = None
    penalty: str | None = None
    currency: str | None = None
    times: float | None = None

    def has(self, name: str) -> bool:
        """Whether the token belongs to a class."""
        return name in self.classes

    @property
    def number(self) -> bool:
        """Whether the token is a run of digits or of number words."""
        return "number" in self.classes


class Tokenizer:
    """Cuts text by the words of one lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.number_words = NumberWords(lexicon)
        words: dict[str, set[str]] = {}
        for name in CLASSES:
            for word in lexicon.words[name]:
                words.setdefault(word, set()).add(name)
        for word in lexicon.words["probation_before"] | lexicon.words["probation_after"]:
            if any(suspended in word for suspended in lexicon.words["suspended"]):
                words[word].add("suspended")
        named = (
            lexicon.units,
            lexicon.half_units,
            lexicon.penalties,
            lexicon.currencies,
            lexicon.amount_multipliers,
        )
        for table in named:
            for word in table:
                words.setdefault(word, set())
        self._classes = {word: frozenset(classes) for word, classes in words.items()}
        starts = re.compile(f"(?:{self.number_words.pattern})[^0-9]")
        early = [word for word in words if starts.match(word)]
        self._pattern = re.compile(
            f"(?P<digits>{DIGITS})|(?P<early>{word_pattern(early)})"
            f"|(?P<number>{self.number_words.pattern})|(?P<word>{word_pattern(words)})|(?P<symbol>[-+*/~<>=≥≤≈?±÷^]|\\.\\.+)"
            "|(?P<open>[(\\[（])|(?P<close>[)\\]）])"
        )

    def tokens(self, text: str) -> list[Token]:
        """The tokens of folded text, one more than TOKENS_AT_MOST at most."""
        found: list[Token] = []
        for token in self._tokens(text):
            found.append(token)
            if len(found) > TOKENS_AT_MOST:
                break
        return found

    def _tokens(self, text: str) -> Iterator[Token]:
        unit_end = digits_end = -1
        for match in self._pattern.finditer(text):
            start, end = match.span()
            written, group = match.group(), match.lastgroup
            times = self.lexicon.amount_multipliers.get(written)
            if (
                group == "number"
                and times
                and not text[digits_end:start].strip()
                and digits_end > 0
            ):
                yield Token(start, end, written, times=times)
            elif group in ("word", "early"):
                token = self._word(start, end, written)
                unit_end = end if token.unit else -1
                yield token
            elif group == "digits":
                alone = _stands_alone(text, start, end, after_unit=unit_end == start)
                value = value_of_digits(written) if alone else None
                digits_end = end
                yield Token(start, end, written, frozenset(("number", "digits")), value)
            elif group == "number":
                value = self.number_words.value(written)
                yield Token(start, end, written, frozenset(("number",)), value)
            else:
                yield Token(start, end, written, frozenset((str(group),)))

    def _word(self, start: int, end: int, written: str) -> Token:
        lexicon = self.lexicon
        half = lexicon.half_units.get(written)
        classes = self._classes[written] | ({"half_unit"} if half else frozenset())
        return Token(
            start,
            end,
            written,
            classes,
            lexicon.numeral_values.get(written),
            unit=half or lexicon.units.get(written),
            penalty=lexicon.penalties.get(written),
            currency=lexicon.currencies.get(written),
            times=lexicon.amount_multipliers.get(written),
        )


def _stands_alone(text: str, start: int, end: int, after_unit: bool) -> bool:
    """Whether a run of digits is no part of a longer mark: a36, 3², 3٦ are not read; 1y6m is."""
    before, after = text[start - 1 : start], text[end : end + 1]
    lettered = before.isascii() and (before.isalpha() or before in ("_", "#"))
    odd_after = after.isdigit() or (after.isnumeric() and not _is_han(after))
    odd_before = before.isdigit() or (before.isnumeric() and not _is_han(before))
    return not ((lettered and not after_unit) or odd_after or odd_before)


def _is_han(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff"


@lru_cache(maxsize=16)
def tokenizer_of(lexicon: Lexicon) -> Tokenizer:
    """The tokenizer of a lexicon, made once."""
    return Tokenizer(lexicon)

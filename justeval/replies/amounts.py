"""Numbers that are no terms: a probability, a risk score, an amount of money with its currency.

In: a value as written. Out: an Amount, the number or the reason why it is none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from justeval.replies.tokens import TOKENS_AT_MOST, Token, Tokenizer
from justeval.replies.values import Bare, Value, is_blank, text_of

HIGHEST_SCORE = 1000.0
HIGHEST_BOND = 1e10

_LENGTH = 200
_STRICT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[+-]? ?(?:nan|inf|infinity)")


@dataclass(frozen=True, slots=True)
class Amount:
    """`state` is one, none, ambiguous, out_of_range or unparsable.

    `plain`: the number stood there as JSON writes it, without sign or unit.
    """

    state: str
    value: float | None = None
    plain: bool = False
    reason: str = ""
    currency: str | None = None


def is_plain(value: Value) -> bool:
    """Whether a value is a number as strict JSON writes it, without quotation marks."""
    return isinstance(value, Bare) and _STRICT.fullmatch(value.text) is not None


class AmountReader:
    """Reads numbers by the words of one tokenizer."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.lexicon = tokenizer.lexicon

    def probability(self, value: Value) -> Amount:
        """A probability in [0, 1]: 0.73, or 73 with a sign or word for per cent."""
        read = self._number(value, "probability")
        if read.state != "one" or read.value is None:
            return read
        if not 0 <= read.value <= 1:
            shown = f"{read.value:g} is no probability between 0 and 1"
            return Amount("out_of_range", reason=shown)
        return read

    def probability_in(self, folded: str) -> Amount:
        """The probability in a sentence whose other words are known to name it."""
        read = self._in_text(folded, "probability", words=True)
        outside = read.value is not None and not 0 <= read.value <= 1
        return Amount("out_of_range", reason="no probability between 0 and 1") if outside else read

    def score(self, value: Value) -> Amount:
        """A risk score in [0, HIGHEST_SCORE]; its scale is the prompt's."""
        read = self._number(value, "score")
        if read.value is not None and not 0 <= read.value <= HIGHEST_SCORE:
            return Amount("out_of_range", reason=f"{read.value:g} is no score")
        return read

    def money(self, value: Value) -> Amount:
        """An amount of money in whole units, with the currency that stands beside it."""
        read = self._number(value, "amount of money")
        if read.value is not None and not 0 <= read.value <= HIGHEST_BOND:
            return Amount("out_of_range", reason=f"{read.value:g} is no amount of a bond")
        return read

    def currency(self, value: Value) -> str | None:
        """The code of the currency that a text names."""
        folded = self.lexicon.fold(text_of(value)[:_LENGTH]).strip(" .。()")
        named = {t.currency for t in self.tokenizer.tokens(folded) if t.currency}
        if len(named) == 1:
            return named.pop()
        return folded.upper() if re.fullmatch(r"[a-z]{3}", folded) else None

    def _number(self, value: Value, what: str) -> Amount:
        if isinstance(value, bool):
            return Amount("unparsable", reason=f"true or false is no {what}")
        if is_blank(value) or self.lexicon.is_any(text_of(value)[:_LENGTH], "blank", "nothing"):
            return Amount("none", reason=f"no {what} is stated")
        if is_plain(value):
            return _finite(float(text_of(value)), what, plain=True)
        text = text_of(value)
        folded = self.lexicon.fold(text[: _LENGTH + 1]).strip(" \t\r\n\"'*_`。;；:").rstrip(" .")
        if len(folded) > _LENGTH:
            return Amount("ambiguous", reason=f"a long text instead of a {what}")
        if _NOT_FINITE.fullmatch(folded):
            return Amount("out_of_range", reason=f"no finite {what}")
        return self._in_text(folded, what)

    def _in_text(self, folded: str, what: str, words: bool = False) -> Amount:
        tokens = self.tokenizer.tokens(folded)
        numbers = [i for i, token in enumerate(tokens) if token.number]
        if not numbers:
            return Amount("unparsable", reason=f"no number where a {what} is asked")
        if len(tokens) > TOKENS_AT_MOST or _in_doubt(tokens):
            return Amount("ambiguous", reason=f"no certain {what}")
        if what == "amount of money":
            read = [self._with_unit(tokens, position) for position in numbers]
        else:
            read = [_share(tokens, position, what) for position in numbers]
        currencies = {token.currency for token in tokens if token.currency}
        if len(set(read)) > 1 or math.isnan(read[0]) or len(currencies) > 1:
            return Amount("ambiguous", reason=f"more than one number, or no certain {what}")
        if _unknown_words(folded, tokens) and not (currencies or words):
            return Amount("ambiguous", reason=f"a number of something else than a {what}")
        number = -read[0] if folded.startswith("-") else read[0]
        finite = _finite(number, what, plain=False)
        currency = currencies.pop() if currencies else None
        return Amount(finite.state, finite.value, False, finite.reason, currency)

    @staticmethod
    def _with_unit(tokens: Sequence[Token], position: int) -> float:
        """An amount with 万, k or million after it."""
        number = tokens[position].value
        if number is None or any(token.has("percent_after") for token in tokens):
            return math.nan
        for token in tokens[position + 1 :]:
            if token.times is None:
                break
            number *= token.times
        return number


def _share(tokens: Sequence[Token], position: int, what: str) -> float:
    """A number, a percentage as a share; below 1 % it may be a share with a sign too many."""
    number = tokens[position].value
    if number is None:
        return math.nan
    before = position > 0 and tokens[position - 1].has("percent_before")
    after = position + 1 < len(tokens) and tokens[position + 1].has("percent_after")
    if not (before or after):
        return number
    certain = what == "probability" and (number >= 1 or number == 0)
    return number / 100 if certain else math.nan


def _unknown_words(folded: str, tokens: Sequence[Token]) -> bool:
    """Whether anything but numbers, signs and words of money or percentage stands in a text."""
    rest, end = [], 0
    for token in tokens:
        known = token.number or token.currency or token.times or token.has("percent_after")
        if known or token.has("percent_before"):
            rest.append(folded[end : token.start])
            end = token.end
    return any(character.isalpha() for character in "".join(rest) + folded[end:])


def _in_doubt(tokens: Sequence[Token]) -> bool:
    signs = [t for t in tokens if t.has("symbol") and not (t.text in "+-" and t.start == 0)]
    words = ("bounds", "doubts", "between", "negations", "scale")
    return bool(signs) or any(token.has(name) for token in tokens for name in words)


def _finite(number: float, what: str, plain: bool) -> Amount:
    if not math.isfinite(number):
        return Amount("out_of_range", reason=f"no finite {what}")
    return Amount("one", number, plain)

"""Numbers as they are written: digits with separators, and number words of the lexicon.

In: one run of digits, or one run of number words. Out: its value, or None where it can be read in
more than one way (1,5; 三四; twenty ten) or is no number at all. Nothing is rounded or guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from justeval.replies.lexicon import Lexicon, tree_pattern, word_pattern

DIGITS = (
    r"(?:[0-9]{1,4} +)?(?:1/2|1/4|3/4)(?![0-9/])"
    r"|\.?[0-9](?:[0-9.,]*[0-9])?(?:e[+-]?[0-9]{1,4}(?![a-z0-9]))?"
)
"""One run of digits with what may stand in it, or a mixed fraction with halves or quarters."""

_PLAIN = re.compile(r"[0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_MIXED = re.compile(r"(?:([0-9]+) +)?([0-9])/([0-9])")


def value_of_digits(written: str) -> float | None:
    """The value of a run that DIGITS matches; infinite where it is too large for a float."""
    mixed = _MIXED.fullmatch(written)
    if mixed:
        whole, over, under = mixed.groups()
        return float(whole or 0) + int(over) / int(under)
    if _PLAIN.fullmatch(written):
        return float(written)
    if _THOUSANDS.fullmatch(written):
        return float(written.replace(",", ""))
    return None


class NumberWords:
    """Reads runs of number words: treinta y seis, one hundred and twenty, 一百二十."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._values = lexicon.numeral_values
        self._multipliers = lexicon.numeral_multipliers
        self._joiners = lexicon.words["numeral_joiners"]
        numerals = [*self._values, *self._multipliers, *self._joiners]
        self._word = re.compile(tree_pattern(numerals) or "(?!)")
        self._tight = {
            lexicon.fold(word)
            for language in lexicon.languages
            if not language.spaced
            for word in language.numeral_multipliers
        }
        self._point = re.compile(word_pattern(lexicon.words["numeral_points"]))
        words_only = [*self._values, *self._multipliers]
        self.short_pattern = (
            f"(?:{tree_pattern(words_only)}(?:[ -]?{tree_pattern(words_only)}){{0,3}})"
            if words_only
            else "(?!)"
        )
        self.pattern = _with_points(_run_pattern(lexicon), lexicon)

    def value(self, written: str) -> float | None:
        """The value of a run of number words, None where they form no single number."""
        parts = self._point.split(written)
        if len(parts) > 1:
            return self._decimal(parts)
        words = self._word.findall(written)
        if len(words) > 1 and all(self._values.get(word, 99) < 10 for word in words):
            return self._digit_by_digit(words)
        total, limit, group = 0.0, float("inf"), list[str]()
        for word in words:
            factor = self._multipliers.get(word, 0.0)
            if factor < 1000:
                group.append(word)
                continue
            amount = self._below_thousand(group) if group else float(total == 0)
            if amount is None or factor == limit:
                return None
            total = (total + amount) * factor if factor > limit else total + amount * factor
            limit, group = factor, []
        rest = self._below_thousand(group)
        return None if rest is None or rest >= limit else total + rest

    def _decimal(self, parts: Sequence[str]) -> float | None:
        """三点五, thirty-six point five: a whole number and digits after the point."""
        whole = self.value(parts[0].strip())
        digits = [self._values.get(word, 10) for word in self._word.findall(parts[1])]
        if len(parts) > 2 or whole is None or not digits or max(digits) > 9:
            return None
        written = "".join(str(int(digit)) for digit in digits)
        return whole + float(f"0.{written}")

    def _digit_by_digit(self, words: Sequence[str]) -> float | None:
        """一二〇 = 120; without a zero in it, 三四 may mean three or four."""
        digits = [int(self._values[word]) for word in words]
        if digits[0] == 0 or 0 not in digits:
            return None
        return float("".join(map(str, digits)))

    def _below_thousand(self, words: Sequence[str]) -> float | None:
        """Adds parts of falling size: each must fit below the place that the last one ended at.

        A part is a value (20) or a value with its multiplier (2 x 100). 百二 is no number here:
        after a hundred a lone digit needs a zero between, in a language without spaces.
        """
        total, room, value, needs_zero = 0.0, float("inf"), 0.0, False
        for word in words:
            if word in self._joiners and (total or value or word not in self._values):
                total, room = total + value, _room_after(value) if value else room
                value, needs_zero = 0.0, False
            elif word in self._multipliers:
                part = (value or 1.0) * self._multipliers[word]
                if part >= room:
                    return None
                total, room, value = total + part, self._multipliers[word], 0.0
                needs_zero = word in self._tight and room >= 100
            else:
                if value:
                    total, room = total + value, _room_after(value)
                value = self._values[word]
                if value >= room:
                    return None
        return None if needs_zero and value else total + value


def _room_after(value: float) -> float:
    """Below what the next value must stay: 20 leaves room for a digit, 12 for nothing."""
    if value % 100 == 0:
        return 100.0
    return 10.0 if value % 10 == 0 and value > 10 else 0.0


def _with_points(run: str, lexicon: Lexicon) -> str:
    """A run of number words, and after a point another."""
    point = word_pattern(lexicon.words["numeral_points"])
    zero = word_pattern(lexicon.words["numeral_joiners"] & set(lexicon.numeral_values))
    return f"(?:{zero} ?{point} ?|(?:{run})(?: ?{point} ?(?={run}))?)(?:{run})?"


def _run_pattern(lexicon: Lexicon) -> str:
    """Runs of number words: with spaces or hyphens between them where words are spaced."""
    spaced: list[str] = []
    tight: list[str] = []
    for language in lexicon.languages:
        words = [*language.numeral_values, *language.numeral_multipliers]
        (spaced if language.spaced else tight).extend(lexicon.fold(word) for word in words)
    parts = []
    if spaced:
        word, joiner = word_pattern(spaced), word_pattern(lexicon.words["numeral_joiners"])
        parts.append(f"{word}(?:[ -]{{1,2}}(?:{joiner} )?{word})*")
    if tight:
        first = set(tight) - lexicon.words["numeral_joiners"]
        parts.append(f"{tree_pattern(first)}(?:{tree_pattern(tight)})*")
    return "|".join(parts) or "(?!)"

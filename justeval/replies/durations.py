"""Tokens -> durations: 3 years and 6 months, 两年半, a year and a day, thirty-six (36) months.

In: tokens of a field or a sentence. Out: spans in order; a span is a duration in months, or a
number without a unit. A number that can be read in two ways makes its span doubtful.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from justeval.replies.language import UNITS
from justeval.replies.tokens import Token

_FIRST_DATE_YEAR = 1900
_PARTS_BELOW = {"month": 12.0, "week": 53.0, "day": 366.0}
"""A smaller unit adds to a larger one only below this: 3 years 36 months is two terms."""


@dataclass(frozen=True, slots=True)
class Span:
    """A duration (`unit` is its smallest unit, value in months) or a number (`unit` None).

    `value` is None where it has no single reading. `first` and `last` are positions of tokens.
    """

    first: int
    last: int
    value: float | None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class _Amount:
    value: float | None
    after: int


class _Builder:
    """Walks over tokens; `text` tells what stands between them."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self.tokens = tokens

    def spans(self) -> list[Span]:
        found: list[Span] = []
        position = 0
        while position < len(self.tokens):
            span = self._span(position)
            if span is None:
                position += 1
                continue
            if span.unit != "date":
                found.append(span)
            position = span.last + 1
        return found

    def _has(self, position: int, name: str) -> bool:
        return position < len(self.tokens) and self.tokens[position].has(name)

    def _unit(self, position: int) -> str | None:
        return self.tokens[position].unit if position < len(self.tokens) else None

    def _close(self, position: int, marks: str = "") -> bool:
        """Whether only spaces (or `marks`) stand between a token and the one before it."""
        if not 0 < position < len(self.tokens):
            return False
        gap = self.text[self.tokens[position - 1].end : self.tokens[position].start]
        return not gap.strip(" \t" + marks)

    def _span(self, position: int) -> Span | None:
        quantity = self._quantity(position)
        if quantity is None:
            token = self.tokens[position]
            if not token.number:
                return None
            amount = self._amount(position)
            last = amount.after - 1 if amount else position
            return Span(position, last, amount.value if amount else token.value)
        return self._with_smaller(quantity)

    def _with_smaller(self, span: Span) -> Span:
        """Adds the quantities in smaller units that follow: years, months, days."""
        is_date = span.unit == "year" and (span.value or 0.0) >= 12 * _FIRST_DATE_YEAR
        month = span
        while True:
            smaller = self._next_quantity(span.last + 1)
            if smaller is None or not self._adds_to(smaller, span):
                break
            month = span if self._has(span.last, "date_months") else month
            is_date |= self._has(month.last, "date_months") and self._has(smaller.last, "date_days")
            both = None not in (span.value, smaller.value)
            value = (span.value or 0.0) + (smaller.value or 0.0) if both else None
            span = Span(span.first, smaller.last, value, smaller.unit)
        return Span(span.first, span.last, None, "date") if is_date else span

    def _next_quantity(self, position: int) -> Span | None:
        if not self._close(position, ",，"):
            return None
        if self._has(position, "duration_joiners"):
            after = self._quantity(position + 1) if self._close(position + 1) else None
            if after is not None:
                return after
        return self._quantity(position)

    def _adds_to(self, smaller: Span, larger: Span) -> bool:
        unit, above = smaller.unit or "", larger.unit or ""
        if UNITS.get(unit, 99.0) >= UNITS.get(above, 0.0):
            return False
        return smaller.value is None or smaller.value / UNITS[unit] < _PARTS_BELOW[unit]

    def _quantity(self, position: int) -> Span | None:
        """A number with its unit, and half a unit more where the text says so."""
        amount = self._amount(position)
        if amount is None:
            return None
        after = amount.after
        if self._is_hyphen(after):
            after += 1
        in_brackets = self._has(after, "open") and self._has(after + 2, "close")
        after += in_brackets
        unit = self._unit(after)
        if unit is None or not self._close(after):
            return None
        value = amount.value
        if value is not None:
            more, last = self._half_more(after + 1 + in_brackets, after + in_brackets)
            half = 0.5 if self.tokens[after].has("half_unit") else more
            return Span(position, last, (value + half) * UNITS[unit], unit)
        return Span(position, after + in_brackets, None, unit)

    def _is_hyphen(self, position: int) -> bool:
        return self._has(position, "symbol") and self.tokens[position].text == "-"

    def _half_more(self, position: int, last: int) -> tuple[float, int]:
        """What a half after the unit adds (两年半, a year and a half), and the last token."""
        half = position
        if self._has(half, "numeral_half_joiners") and self._close(half):
            half += 1
        is_half = self._has(half, "numeral_half") and self._close(half)
        if is_half and not (self._unit(half + 1) and self._close(half + 1)):
            return 0.5, half
        return 0.0, last

    def _amount(self, position: int) -> _Amount | None:
        token = self.tokens[position] if position < len(self.tokens) else None
        if token is None:
            return None
        if token.number:
            return self._number(position, token.value)
        if token.has("numeral_half") and self._close(position + 1):
            return _Amount(0.5, position + 1) if self._unit(position + 1) else None
        if token.has("numeral_one") and self._close(position + 1):
            following = self.tokens[position + 1]
            if following.number and not following.has("digits"):
                return self._number(position + 1, following.value)
            return _Amount(1.0, position + 1) if following.unit else None
        zero = token.has("duration_joiners") and token.value == 0
        if zero and self._unit(position + 1) and self._close(position + 1):
            return _Amount(0.0, position + 1)
        return None

    def _number(self, position: int, value: float | None) -> _Amount:
        """A number, said again in brackets or with a half before its unit."""
        after = position + 1
        again = self._has(after, "open") and self._has(after + 2, "close")
        if again and self.tokens[after + 1].number and self._close(after + 1):
            same = self.tokens[after + 1].value == value
            return _Amount(value if same else None, after + 3)
        half = after
        if self._has(half, "numeral_half_joiners") and self._close(half):
            half += 1
        if self._has(half, "numeral_half") and self._unit(half + 1) and self._close(half + 1):
            alone = half == after and value == 1
            more = (0.5 if alone else value + 0.5) if value is not None else None
            return _Amount(more, half + 1)
        if self._has(after, "numeral_points") and self._close(after):
            following = after + 1 < len(self.tokens) and self.tokens[after + 1].number
            return _Amount(None, after + 1 + following)
        if self._has(after, "bounds") and self._unit(after + 1) and self._close(after):
            return _Amount(None, after + 1)
        return _Amount(value, after)


def find_spans(text: str, tokens: Sequence[Token]) -> list[Span]:
    """The durations and numbers of folded `text`, from its tokens, in order."""
    return _Builder(text, tokens).spans()

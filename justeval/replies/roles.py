"""What each duration in a field is: the term, a total, a time of probation, or something else.

In: tokens and spans of a field or a sentence. Out: Roles. The word nearest before a span, or right
after it, says what it is; money, ages, dates and counts are set aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from justeval.replies.counted import terms_only
from justeval.replies.durations import Span
from justeval.replies.tokens import Token

_BEFORE = ("probation_before", "other_before", "totals", "term_before")
_AFTER = ("probation_after", "other_after", "term_after", "totals_after")
_BOUND_SIGNS = ("<", ">", "≥", "≤", "≈", "~", "±", "?", "^")
_EXPRESSION_SIGNS = ("-", "+", "*", "/", "~", "÷", "±", "=")


@dataclass(slots=True)
class Roles:
    """The spans of a field by what they are, and what leaves a doubt about them."""

    terms: list[Span] = field(default_factory=list)
    totals: list[Span] = field(default_factory=list)
    probations: list[Span] = field(default_factory=list)
    others: list[Span] = field(default_factory=list)
    numbers: list[Span] = field(default_factory=list)
    range: bool = False
    bounded: bool = False
    negative: bool = False
    restated: bool = False
    quiet: bool = True

    @property
    def only_probation(self) -> bool:
        """Whether the only duration is a time of probation or reprieve."""
        return not self.terms and not self.totals and not self.numbers

    @property
    def one_probation(self) -> float | None:
        """The time of probation in months, where one is stated."""
        values = {span.value for span in self.probations}
        return values.pop() if len(values) == 1 else None


class RoleFinder:
    """Sorts spans by the tokens around them."""

    def __init__(self, text: str, tokens: Sequence[Token], spans: Sequence[Span]) -> None:
        self.text = text
        self.tokens = tokens
        self.spans = terms_only(text, tokens, spans)
        self.found = Roles()

    def roles(self) -> Roles:
        """Sorts all spans; spans that count something else are set aside first."""
        for index, span in enumerate(self.spans):
            if span.unit is None:
                self._number(span)
            else:
                self._duration(index, span)
        self._between()
        return self.found

    def _token(self, position: int) -> Token | None:
        return self.tokens[position] if 0 <= position < len(self.tokens) else None

    def _gap(self, position: int) -> str:
        """The text between a token and the one before it."""
        before, after = self._token(position - 1), self._token(position)
        start = before.end if before else 0
        return self.text[start : after.start if after else len(self.text)].strip()

    def _near_after(self, span: Span) -> Token | None:
        """The token right after a span, words that only connect skipped."""
        position = span.last + 1
        while True:
            token = self._token(position)
            if token is None or self._gap(position).strip("'’"):
                return None
            if not token.has("after_fillers") or any(token.has(name) for name in _AFTER):
                return None if self._names_the_next(position) else token
            position += 1

    def _names_the_next(self, position: int) -> bool:
        """二年缓刑三年: a word between two durations that names the later one."""
        if not any(self.tokens[position].has(name) for name in _BEFORE):
            return False
        following = self._token(position + 1)
        starts = following is not None and any(s.first == position + 1 for s in self.spans)
        return starts and not self._gap(position + 1)

    def _near_before(self, span: Span) -> Token | None:
        token = self._token(span.first - 1)
        return token if token is not None and not self._gap(span.first) else None

    def _duration(self, index: int, span: Span) -> None:
        role = self._role(index, span)
        group = getattr(self.found, role)
        group.append(span)
        if role in ("terms", "totals"):
            self._note_bounds(span)

    def _role(self, index: int, span: Span) -> str:
        after = self._near_after(span)
        if after is not None:
            if after.has("probation_after") and not after.has("term_after"):
                return "probations"
            if after.has("other_after"):
                return "others"
            if after.has("totals_after"):
                return "totals"
        before = self._near_before(span)
        if before is not None and before.has("numbered"):
            return "others"
        earliest = self.spans[index - 1].last + 1 if index else 0
        total = False
        nearest = None
        for position in range(earliest, span.first):
            token = self.tokens[position]
            total = total or token.has("totals")
            if any(token.has(name) for name in _BEFORE) and not self._is_denied(position):
                nearest = token
        if nearest is None or nearest.has("term_before") or nearest.has("totals"):
            return "totals" if total else "terms"
        return "probations" if nearest.has("probation_before") else "others"

    def _is_denied(self, position: int) -> bool:
        before = self._token(position - 1)
        return before is not None and before.has("negations") and not self._gap(position)

    def _note_bounds(self, span: Span) -> None:
        before, after = self._near_before(span), self._token(span.last + 1)
        if before is not None:
            sign = before.has("symbol") and before.text in _BOUND_SIGNS
            self.found.bounded |= before.has("bounds") or before.has("negations") or sign
            self.found.negative |= before.text == "-" and self._is_sign(span.first - 1)
        if after is not None and not self._gap(span.last + 1).strip("("):
            sign = after.has("symbol") and after.text in (*_BOUND_SIGNS, "+")
            self.found.bounded |= after.has("bounds") or sign

    def _is_sign(self, position: int) -> bool:
        """Whether a hyphen is the sign of the number after it."""
        earlier = self._token(position - 1)
        return earlier is None or not (earlier.number or earlier.unit)

    def _number(self, span: Span) -> None:
        before = self._near_before(span)
        if before is not None and before.text == "-" and self._is_sign(span.first - 1):
            self.found.negative = True
        self._note_bounds(span)
        self.found.numbers.append(span)
        self.found.quiet &= self._is_quiet(span)

    def _is_quiet(self, span: Span) -> bool:
        """Whether a bare number stands between marks or known words, not unknown ones."""
        first, last = self.tokens[span.first], self.tokens[span.last]
        left = self.text[: first.start].rstrip(" \t\"'*(（:,，-+")
        right = self.text[last.end :].lstrip(" \t\"'*")
        left_known = not left or any(token.end == len(left) for token in self.tokens)
        after = self._token(span.last + 1)
        right_known = not right or right[0] in ".,，。;；(（)\n"
        right_known |= after is not None and not self._gap(span.last + 1) and _is_known(after)
        return left_known and right_known

    def _between(self) -> None:
        """Looks at what stands between neighboring spans, and around them."""
        aside = [*self.found.probations, *self.found.others]
        for left, right in zip(self.spans, self.spans[1:], strict=False):
            between = self.tokens[left.last + 1 : right.first]
            gaps = "".join(
                self._gap(position) for position in range(left.last + 1, right.first + 1)
            )
            if any(token.has("restated") for token in between) or "(" in gaps or _opens(between):
                self.found.restated = True
            joins = [t for t in between if t.has("between") or t.text in _EXPRESSION_SIGNS]
            if left in aside or right in aside:
                continue
            if joins and len(joins) == len(between) and not gaps:
                self.found.range |= not self._is_restated(between)
        for span in self.spans:
            self.found.range |= self._touches_sign(span)

    def _is_restated(self, between: Sequence[Token]) -> bool:
        """or, =: between two spellings of one term they say it again."""
        values = [span.value for span in self.spans]
        same = all(value is not None and values[0] is not None for value in values)
        again = all(token.has("restated") or token.text in ("=", "/") for token in between)
        return again and same and len({round(value or 0.0, 1) for value in values}) == 1

    def _touches_sign(self, span: Span) -> bool:
        after = self._token(span.last + 1)
        if after is None or not after.has("symbol") or self._gap(span.last + 1):
            return False
        follows = [one for one in self.spans if one.first == span.last + 2]
        if after.text == "/" and follows and self._is_restated([after]):
            return False
        return after.text in ("*", "/", "÷", "^", "+") or after.text.startswith("..")


def _opens(tokens: Sequence[Token]) -> bool:
    return any(token.has("open") for token in tokens)


def _is_known(token: Token) -> bool:
    """Words that may follow a bare number without counting as its unit."""
    known = token.penalty or token.currency or token.has("custody") or token.has("term_after")
    return bool(known) or token.has("suspended") or token.has("restated")

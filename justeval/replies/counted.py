"""Numbers that are no terms: money, ages, counts of charges, labels of counts, parts of words.

In: tokens and spans of a field or a sentence. Out: the spans that may be terms.
"""

from __future__ import annotations

from collections.abc import Sequence

from justeval.replies.durations import Span
from justeval.replies.tokens import Token


def terms_only(text: str, tokens: Sequence[Token], spans: Sequence[Span]) -> list[Span]:
    """The durations of folded `text`, and the numbers that count nothing else."""
    kept: list[Span] = []
    label_end = -1
    for span in spans:
        if span.unit is not None:
            kept.append(span)
            continue
        counted = _Number(text, tokens, span)
        labels = counted.is_label() or counted.goes_on_from(label_end)
        label_end = span.last if labels else -1
        if not (labels or counted.counts_something() or counted.is_part_of_a_word()):
            kept.append(span)
    return kept


class _Number:
    """A number without a unit of time, and the tokens right beside it."""

    def __init__(self, text: str, tokens: Sequence[Token], span: Span) -> None:
        self.text = text
        self.tokens = tokens
        self.span = span
        self.first, self.last = tokens[span.first], tokens[span.last]
        before, after = tokens[: span.first][-1:], tokens[span.last + 1 : span.last + 2]
        self.before = before[0] if before and self._close(before[0], self.first) else None
        self.after = after[0] if after and self._close(self.last, after[0]) else None

    def _close(self, left: Token, right: Token) -> bool:
        return not self.text[left.end : right.start].strip()

    def is_label(self) -> bool:
        """count 2, 第三: the number names one of several."""
        return self.before is not None and self.before.has("numbered")

    def goes_on_from(self, label_end: int) -> bool:
        """counts 1 and 2: a number joined to a label by words that only join."""
        between = self.tokens[label_end + 1 : self.span.first] if label_end >= 0 else ()
        joining = (token.has("between") or token.has("duration_joiners") for token in between)
        return bool(between) and all(joining)

    def counts_something(self) -> bool:
        """Whether the number is money or an age, or counts what the next word says."""
        after, before = self.after, self.before
        if after is not None:
            counted = after.has("age") or (after.has("not_terms") and not after.unit)
            if counted or after.currency or after.times or after.penalty == "fine":
                return True
        if before is not None and before.has("after_fillers") and self.span.first > 1:
            before = self.tokens[self.span.first - 2]
        return before is not None and bool(before.currency or before.penalty == "fine")

    def is_part_of_a_word(self) -> bool:
        """一 in 一并: a number word beside unknown letters of a script without spaces."""
        if self.first.has("digits") or self.first is not self.last:
            return False
        start, end = self.first.start, self.first.end
        left, right = self.text[start - 1 : start], self.text[end : end + 1]
        return (_is_han(left) and not any(token.end == start for token in self.tokens)) or (
            _is_han(right) and not any(token.start == end for token in self.tokens)
        )


def _is_han(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"

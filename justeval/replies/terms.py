"""The one term that a field states: its months, or the reason why it states none.

In: the text of a field and the unit that its key asks for. Out: a Term. A number is taken only
where nothing in the field leaves a doubt: no range, no bound, no second term without a total.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from justeval.replies.durations import Span, find_spans
from justeval.replies.language import UNITS
from justeval.replies.penalties import Kinds, read_kinds
from justeval.replies.roles import RoleFinder, Roles
from justeval.replies.tokens import TOKENS_AT_MOST, Token, Tokenizer

FIELD_LENGTH = 400
"""Characters of a field that is read as a term; a longer one is prose."""
SPANS_AT_MOST = 16
"""Durations and numbers in one field or sentence that are looked at."""

NO_TOTAL = "several terms and no total"
"""The reason why terms of several charges are no term."""

_NOT_FINITE = re.compile(r"[+-]? ?(?:nan|inf|infinity|∞)")
_SUM = re.compile(r"([0-9.]+(?: *[+*] *[0-9.]+)+) *= *(.+)")
_SAME = 0.05
"""Months by which two statements of one term may differ (a year and a day, 12)."""


@dataclass(frozen=True, slots=True)
class Term:
    """What a field states: state is one, none, ambiguous, contradictory or out_of_range.

    `bare` says that the field is a number without a unit; `kinds` are the kinds of penalty named.
    """

    state: str
    months: float | None = None
    probation: float | None = None
    bare: bool = False
    reason: str = ""
    kinds: Kinds = Kinds()  # noqa: RUF009 (an immutable record)


def same_term(left: float, right: float) -> bool:
    """Whether two statements in months are the same term."""
    return abs(left - right) <= _SAME


class TermReader:
    """Reads terms by the words of one tokenizer."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.lexicon = tokenizer.lexicon
        self._short = tuple(self._short_forms())
        self._remembered = lru_cache(maxsize=2048)(self._read)

    def read(self, text: str, unit: str = "month") -> Term:
        """The term in a field; a number without a unit counts in `unit`."""
        return self._remembered(text[: FIELD_LENGTH + 1], unit)

    def _read(self, text: str, unit: str) -> Term:
        folded = self.lexicon.fold(text).strip(" \t\r\n\"'*_`。;；:")
        if not folded or self.lexicon.is_any(folded, "blank", "nothing"):
            return Term("none", reason="no term is stated")
        if len(folded) > FIELD_LENGTH:
            return Term("ambiguous", reason="a long text instead of a term")
        if _NOT_FINITE.fullmatch(folded):
            return Term("out_of_range", reason="a term that is no finite number")
        return self._short_form(folded) or self._sum(folded, unit) or self._field(folded, unit)

    def _field(self, folded: str, unit: str) -> Term:
        tokens = self.tokenizer.tokens(folded)
        if len(tokens) > TOKENS_AT_MOST:
            return Term("ambiguous", reason="too many words for a term")
        kinds = read_kinds(folded, tokens)
        spans = find_spans(folded, tokens)
        if len(spans) > SPANS_AT_MOST:
            return Term("ambiguous", reason="too many numbers for a term", kinds=kinds)
        roles = RoleFinder(folded, tokens, spans).roles()
        term = _decide(tokens, roles, unit)
        if term.state == "one" and (kinds.life or kinds.death) and not roles.only_probation:
            term = Term("ambiguous", reason=f"{kinds.names()} beside a number")
        return replace(term, kinds=kinds)

    def _short_forms(self) -> list[re.Pattern[str]]:
        number = f"(?:[0-9]{{1,2}}|{self.tokenizer.number_words.short_pattern})"
        patterns = []
        for written in sorted(self.lexicon.words["short_suspended"]):
            slots = {"term": f"(?P<term>{number})", "probation": f"(?P<probation>{number})"}
            parts = re.split(r"\{(term|probation)\}", written)
            joined = "".join(slots[p] if p in slots else re.escape(p) for p in parts)
            patterns.append(re.compile(joined))
        return patterns

    def _short_form(self, folded: str) -> Term | None:
        """判二缓三: two years, suspended for three, unless another unit follows."""
        for pattern in self._short:
            match = pattern.search(folded)
            if match is None:
                continue
            following = self.lexicon.unit_words.match(folded, match.end())
            if following and self.lexicon.units.get(following.group()) != "year":
                continue
            rest = folded[: match.start()] + folded[following.end() if following else match.end() :]
            term, probation = (self._number(match[name]) for name in ("term", "probation"))
            if term is None or probation is None:
                continue
            other = self._field(rest, "month")
            if other.state != "none" and not same_term(other.months or 0.0, term * 12):
                return Term("ambiguous", reason=NO_TOTAL)
            kinds = Kinds(frozenset(), suspended=True, custody=True)
            return Term("one", term * 12, probation * 12, kinds=kinds)
        return None

    def _number(self, written: str) -> float | None:
        return float(written) if written.isdigit() else self.tokenizer.number_words.value(written)

    def _sum(self, folded: str, unit: str) -> Term | None:
        """36 + 10 + 8 = 54: the total is stated; without it, or with a wrong one, there is none."""
        match = _SUM.fullmatch(folded)
        if match is None:
            return None
        stated = self._field(match[2], unit)
        if stated.state != "one" or stated.months is None:
            return stated
        total = _computed(match[1]) * UNITS[unit if stated.bare else "month"]
        if not same_term(total, stated.months):
            return Term("contradictory", reason="a sum whose stated total is another")
        return replace(stated, bare=False)


def _computed(written: str) -> float:
    """The value of sums of products of plain numbers; not a number where one is not plain."""
    try:
        return sum(math.prod(float(f) for f in part.split("*")) for part in written.split("+"))
    except ValueError:
        return math.nan


def _decide(tokens: Sequence[Token], roles: Roles, unit: str) -> Term:
    """One term out of the spans of a field."""
    problem = _doubt(tokens, roles)
    if problem is not None:
        return problem
    if roles.numbers:
        return _bare(tokens, roles, unit)
    probation = roles.one_probation
    if roles.totals:
        return _one_of(roles.totals, probation, "two totals")
    if not roles.terms:
        return Term("none", probation=probation, reason="no term is stated")
    return joined(tokens, roles, probation)


def _doubt(tokens: Sequence[Token], roles: Roles) -> Term | None:
    stated = roles.terms or roles.totals or roles.numbers
    if roles.negative:
        return Term("out_of_range", reason="a negative term")
    if roles.range:
        return Term("ambiguous", reason="a range or an expression instead of one term")
    if stated and roles.bounded:
        return Term("ambiguous", reason="a bound or an estimate instead of one term")
    if stated and any(token.has("doubts") for token in tokens):
        return Term("ambiguous", reason="a term under a condition or in doubt")
    if any(token.has("adjustments") for token in tokens):
        return Term("ambiguous", reason="a term that is counted up or down")
    if any(span.value is None for span in (*roles.terms, *roles.totals, *roles.numbers)):
        return Term("ambiguous", reason="a number that can be read in two ways")
    if any(math.isinf(span.value or 0.0) for span in (*roles.terms, *roles.numbers)):
        return Term("out_of_range", reason="a term that is no finite number")
    return None


def _bare(tokens: Sequence[Token], roles: Roles, unit: str) -> Term:
    """A number without a unit is the term where it is all that the field says of a term."""
    stated = [*roles.terms, *roles.totals]
    if len(roles.numbers) > 1 or (not stated and not roles.quiet):
        return Term("ambiguous", reason="several numbers, or a number of something unknown")
    number = (roles.numbers[0].value or 0.0) * UNITS[unit]
    if not stated:
        return Term("one", number, roles.one_probation, bare=True)
    if any(token.has("counts") for token in tokens) and not roles.restated:
        return Term("ambiguous", reason=NO_TOTAL)
    if all(same_term(number, span.value or 0.0) for span in stated):
        return Term("one", number, roles.one_probation)
    first = roles.numbers[0].first < stated[0].first
    state = "contradictory" if first and roles.restated else "ambiguous"
    return Term(state, reason="two numbers that differ")


def _one_of(spans: Sequence[Span], probation: float | None, reason: str) -> Term:
    months = spans[-1].value or 0.0
    if all(same_term(span.value or 0.0, months) for span in spans):
        return Term("one", spans[0].value, probation)
    return Term("ambiguous", reason=reason)


def of_several_charges(tokens: Sequence[Token], roles: Roles) -> bool:
    """Whether terms without a total are told to be those of several charges."""
    if roles.totals or not roles.terms or roles.restated:
        return False
    each = any(token.has("each") for token in tokens)
    runs = any(token.has(name) for token in tokens for name in ("concurrent", "consecutive"))
    counts = any(token.has("counts") for token in tokens)
    return each or (len(roles.terms) > 1 and (runs or counts))


def joined(tokens: Sequence[Token], roles: Roles, probation: float | None) -> Term:
    """Terms of several counts become one only where the field says how they run."""
    values = [span.value or 0.0 for span in roles.terms]
    concurrent = any(token.has("concurrent") for token in tokens)
    consecutive = any(token.has("consecutive") for token in tokens)
    counts = any(token.has("counts") for token in tokens)
    if concurrent and consecutive and counts and len(values) > 1:
        return Term("ambiguous", reason="terms both concurrent and consecutive")
    if concurrent and not consecutive:
        return Term("one", max(values), probation)
    if consecutive and not concurrent and len(values) > 1 and not roles.restated:
        return Term("one", sum(values), probation)
    if len(values) > 1 and counts and not roles.restated:
        return Term("ambiguous", reason=NO_TOTAL)
    if len(values) == 1 and any(token.has("each") for token in tokens):
        return Term("ambiguous", reason=NO_TOTAL)
    if all(same_term(value, values[0]) for value in values):
        return Term("one", values[0], probation)
    if roles.restated:
        return Term("contradictory", reason="a term and its own conversion differ")
    return Term("ambiguous", reason=NO_TOTAL)

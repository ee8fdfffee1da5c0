"""The one term of a record: out of its keys, its units, its objects and its charges.

In: an AnswerRecord. Out: a Term. A joint term counts before the terms of single charges; years and
months under keys of their own add up; statements of one term must agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from justeval.replies.guilt import repeated_differently
from justeval.replies.language import UNITS
from justeval.replies.penalties import Kinds
from justeval.replies.records import AnswerRecord, Entry, duration_units, numbers_of
from justeval.replies.terms import NO_TOTAL, Term, TermReader, same_term
from justeval.replies.values import Bare, Pairs, Value, is_blank, text_of

_NONE = Term("none", reason="no term is stated")


class RecordTermReader:
    """Reads the term of records."""

    def __init__(self, terms: TermReader) -> None:
        self.terms = terms
        self.lexicon = terms.lexicon

    def term(self, record: AnswerRecord) -> Term:
        """The one term of a record: its total, else its own term, else that of its only part."""
        parts = [self.term(part) for part in record.parts]
        stated = [part.months for part in parts if part.months is not None]
        units = self._units(record)
        total = self._of_entries(record.of("total"), units)
        if total.state == "one":
            return _checked(total, stated)
        own = self._of_entries(record.of("term"), units)
        if own.state != "none" or not parts:
            return _checked(own, stated) if total.state == "none" else total
        if len(parts) == 1:
            return parts[0]
        if not stated:
            return own
        return Term("ambiguous", reason=NO_TOTAL)

    def _units(self, record: AnswerRecord) -> dict[int, str]:
        """The unit that an object names for its own term: {"term": 3, "unit": "years"}."""
        return {
            entry.home: unit
            for entry in record.filled("unit")
            if (unit := self.lexicon.units.get(self.lexicon.fold(text_of(entry.value)).strip()))
        }

    def _of_entries(self, entries: Sequence[Entry], units: dict[int, str]) -> Term:
        if repeated_differently(list(entries), self._meant):
            return Term("ambiguous", reason="the term is stated twice, differently")
        filled = [entry for entry in entries if not is_blank(entry.value)]
        composed = self._composed(filled)
        if composed is not None:
            return composed
        read = [
            self.value_term(numbers_of(entry), units.get(entry.home) or entry.unit or "month")
            for entry in filled
        ]
        stated = [term for term in read if term.state != "none"]
        if not stated:
            kinds = Kinds()
            for term in read:
                kinds = kinds.joined(term.kinds)
            return replace(read[0] if read else _NONE, kinds=kinds)
        return _agreeing(stated)

    def _meant(self, value: Value) -> float | None:
        return self.value_term(value, "month").months

    def _composed(self, entries: Sequence[Entry]) -> Term | None:
        """Years and months under keys of their own: they add up, or say one term twice."""
        by_unit: dict[str, float] = {}
        for entry in entries:
            only_unit = (
                entry.unit is not None and self.lexicon.fold(entry.key) in self.lexicon.units
            )
            number = self.value_term(entry.value, "month")
            if not only_unit or not number.bare or number.months is None or entry.unit in by_unit:
                return None
            by_unit[str(entry.unit)] = number.months
        return _added(by_unit) if len(by_unit) > 1 else None

    def value_term(self, value: Value, unit: str) -> Term:
        """The term in one value."""
        if isinstance(value, bool):
            return Term("unparsable", reason="true or false is no term")
        if isinstance(value, Pairs):
            return self._object_term(value)
        if isinstance(value, list):
            if not value:
                return _NONE
            return Term("ambiguous", reason=NO_TOTAL)
        read = self.terms.read(text_of(value), unit)
        states = read.kinds.any or read.probation is not None
        if read.state == "none" and not states and not self._says_blank(value):
            return Term("unparsable", reason="no number where a term is asked")
        return read

    def _says_blank(self, value: Value) -> bool:
        text = text_of(value)
        return is_blank(value) or self.lexicon.is_any(text, "blank", "nothing")

    def _object_term(self, pairs: Pairs) -> Term:
        """{"years": 3, "months": 6}, {"value": 36, "unit": "months"}, or terms by count."""
        by_unit = duration_units(pairs, self.lexicon)
        if by_unit is not None:
            read = {unit: self.value_term(value, unit) for unit, value in by_unit.items()}
            numbers = {u: (t.months or 0.0) / UNITS[u] for u, t in read.items() if t.bare}
            blank = {unit for unit, term in read.items() if term.state == "none"}
            if len(numbers) + len(blank) == len(read) and numbers:
                return _added(numbers)
        single = [value for _, value in pairs.items if isinstance(value, Bare)]
        units = {self.lexicon.units.get(self.lexicon.fold(text_of(v))) for _, v in pairs.items}
        units -= {None}
        if len(pairs.items) == 2 and len(single) == 1 and len(units) == 1:
            return replace(self.value_term(single[0], str(units.pop())), bare=False)
        if len(pairs.items) == 1 and isinstance(pairs.items[0][1], str | Bare):
            return self._only_value(*pairs.items[0])
        return Term("ambiguous", reason=NO_TOTAL)

    def _only_value(self, key: str, value: Value) -> Term:
        unit = self.lexicon.role(key)[1]
        return replace(self.value_term(value, unit or "month"), bare=False)

    def remark_doubt(self, remark: str, months: float | None) -> tuple[str, str] | None:
        """What a remark beside the answer (a comment in the JSON) says against its term."""
        read = self.terms.read(remark)
        stated = read.state == "one" and not read.bare and read.months is not None
        if stated and (months is None or not same_term(read.months or 0.0, months)):
            return "contradictory", "a remark states another term"
        units = {self.lexicon.units.get(w) for w in self._unit_words(remark)} - {"month", None}
        if read.state == "none" and units:
            return "ambiguous", "a remark names another unit of time"
        return None

    def _unit_words(self, remark: str) -> list[str]:
        words: list[str] = self.lexicon.unit_words.findall(self.lexicon.fold(remark[:200]))
        return words

    def probation(self, record: AnswerRecord) -> float | None:
        """The time of probation under a key of its own."""
        entries = record.filled("probation") or record.filled("suspended")
        if len(entries) != 1:
            return None
        value = numbers_of(entries[0])
        if isinstance(value, Bare | str):
            read = self.terms.read(text_of(value), entries[0].unit or "month")
            months = read.months if read.state == "one" else read.probation
            bare_flag = entries[0] in record.filled("suspended") and read.bare
            return months if months and not bare_flag else None
        return None


def _added(by_unit: dict[str, float]) -> Term:
    """Amounts by unit: 3 years and 6 months add up; 3 years and 36 months are one term twice."""
    months = [amount * UNITS[unit] for unit, amount in by_unit.items()]
    if any(amount < 0 for amount in months):
        return Term("out_of_range", reason="a negative term")
    if all(same_term(amount, months[0]) for amount in months):
        return Term("one", months[0])
    if by_unit.get("month", 0.0) >= 12 and "year" in by_unit and by_unit["year"]:
        return Term("contradictory", reason="years and months that differ")
    return Term("one", sum(months))


def _agreeing(terms: Sequence[Term]) -> Term:
    """One term out of several statements of it."""
    bad = [term for term in terms if term.state != "one"]
    if bad:
        return bad[0]
    if all(same_term(term.months or 0.0, terms[0].months or 0.0) for term in terms):
        return replace(terms[0], bare=all(term.bare for term in terms))
    return Term("ambiguous", reason="terms under several keys that differ")


def _checked(total: Term, parts: Sequence[float]) -> Term:
    """A joint term lies between the longest of its parts and their sum."""
    if total.state != "one" or total.months is None or not parts:
        return total
    if not max(parts) - 0.05 <= total.months <= sum(parts) + 0.05:
        return Term("contradictory", reason="a total that does not fit the terms of the charges")
    return total

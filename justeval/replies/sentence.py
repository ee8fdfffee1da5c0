"""The sentence of a record: one term in months with its kind of penalty, or what is wrong with it.

In: an AnswerRecord. Out: a Sentence. The rules on which kinds have a term, which are 0 months and
which bound holds are here; `docs/replies.md` gives their reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from justeval.replies.guilt import Penalty, WordReader, repeated_differently
from justeval.replies.language import UNITS
from justeval.replies.penalties import Kinds
from justeval.replies.records import AnswerRecord, Entry, duration_units, numbers_of
from justeval.replies.terms import Term, TermReader, same_term
from justeval.replies.values import Bare, Pairs, Value, is_blank, text_of

LONGEST_DETENTION = 12.0
"""Months: six for one crime, twelve for several (Criminal Law of the PRC, articles 42 and 69)."""

ZERO_KINDS = ("fine", "exempt", "acquittal")
TERMLESS_KINDS = ("life", "death", "death_suspended")
_NONE = Term("none", reason="no term is stated")


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a record says of guilt, penalty and term. `problem` is a status with its reason."""

    guilty: bool | None = None
    penalty: str | None = None
    months: float | None = None
    probation_months: float | None = None
    mended: bool = False
    problem: tuple[str, str] | None = None
    kinds: Kinds = Kinds()  # noqa: RUF009 (an immutable record)


class SentenceReader:
    """Reads the sentence of records."""

    def __init__(self, words: WordReader, terms: TermReader) -> None:
        self.words = words
        self.terms = terms
        self.lexicon = terms.lexicon

    def read(self, record: AnswerRecord, longest: float | None) -> Sentence:
        """The sentence of a record; `longest` bounds a term in months, None turns bounds off."""
        guilty, two_findings = self.words.guilt(record)
        penalty = self.words.penalty(record)
        term = _with_penalty_term(self.term(record), penalty.term)
        kinds = self._kinds(record, penalty, term)
        kind = _acquitted(guilty, kinds, penalty, term) or kinds.kind
        probation = self._probation(record)
        if term.probation is not None and probation is None:
            probation = term.probation
        mended = not term.bare and term.months is not None
        sentence = Sentence(guilty, kind, probation_months=probation, mended=mended, kinds=kinds)
        if two_findings or penalty.conflict:
            return replace(sentence, problem=("ambiguous", "a field is stated twice, differently"))
        return self._with_months(sentence, term, penalty, longest)

    def of_statement(
        self, guilty: bool | None, kinds: Kinds, term: Term, longest: float | None
    ) -> Sentence:
        """The sentence that running text decides on, under the same rules."""
        sentence = Sentence(
            guilty, kinds.kind, probation_months=term.probation, mended=True, kinds=kinds
        )
        return self._with_months(sentence, term, Penalty(kinds, _NONE), longest)

    def _with_months(
        self, sentence: Sentence, term: Term, penalty: Penalty, longest: float | None
    ) -> Sentence:
        problem = (
            _of_guilt(sentence, term)
            or _of_kinds(sentence.kinds, penalty)
            or _of_term(term)
            or _of_kind_and_term(sentence, term, penalty)
        )
        if problem is None and term.months is not None and longest is not None:
            problem = _of_bounds(sentence, term.months, longest)
        if problem is not None:
            return replace(sentence, problem=problem)
        months = term.months
        if sentence.penalty in ZERO_KINDS:
            months = 0.0
        elif sentence.penalty in TERMLESS_KINDS or (
            sentence.penalty == "time_served" and not months
        ):
            months = None
        return replace(sentence, months=months)

    def term(self, record: AnswerRecord) -> Term:
        """The one term of a record: its total, else its own term, else that of its only part."""
        parts = [self.term(part) for part in record.parts]
        stated = [part.months for part in parts if part.months is not None]
        total = self._of_entries(record.of("total"))
        if total.state == "one":
            return _checked(total, stated)
        own = self._of_entries(record.of("term"))
        if own.state != "none" or not parts:
            return _checked(own, stated) if total.state == "none" else total
        if len(parts) == 1:
            return parts[0]
        if not stated:
            return own
        return Term("ambiguous", reason="a term for each charge and no total")

    def _of_entries(self, entries: Sequence[Entry]) -> Term:
        if repeated_differently(list(entries)):
            return Term("ambiguous", reason="the term is stated twice, differently")
        filled = [entry for entry in entries if not is_blank(entry.value)]
        composed = self._composed(filled)
        if composed is not None:
            return composed
        read = [self.value_term(numbers_of(entry), entry.unit or "month") for entry in filled]
        stated = [term for term in read if term.state != "none"]
        if not stated:
            kinds = Kinds()
            for term in read:
                kinds = kinds.joined(term.kinds)
            return replace(read[0] if read else _NONE, kinds=kinds)
        return _agreeing(stated)

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
            return Term("ambiguous", reason="a list of terms and no total")
        read = self.terms.read(text_of(value), unit)
        if read.state == "none" and not read.kinds.any and not self._says_blank(value):
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
        return Term("ambiguous", reason="several terms and no total")

    def _only_value(self, key: str, value: Value) -> Term:
        unit = self.lexicon.role(key)[1]
        return replace(self.value_term(value, unit or "month"), bare=False)

    def _probation(self, record: AnswerRecord) -> float | None:
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

    def _kinds(self, record: AnswerRecord, penalty: Penalty, term: Term) -> Kinds:
        """All kinds named, a suspension said by a field of its own among them."""
        kinds = penalty.kinds.joined(term.kinds)
        flags = [self.words.truth(entry.value) for entry in record.filled("suspended")]
        periods = [entry for entry in record.filled("probation") if self._suspends(entry.key)]
        if True in flags or (periods and self._probation(record)):
            kinds = kinds.joined(Kinds(suspended=True))
        return kinds

    def _suspends(self, key: str) -> bool:
        folded = self.lexicon.fold(key).replace("_", " ")
        return any(word in folded for word in self.lexicon.words["suspended"])


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
        return replace(terms[0], bare=terms[0].bare and len(terms) == 1)
    return Term("ambiguous", reason="terms under several keys that differ")


def _checked(total: Term, parts: Sequence[float]) -> Term:
    """A joint term lies between the longest of its parts and their sum."""
    if total.state != "one" or total.months is None or not parts:
        return total
    if not max(parts) - 0.05 <= total.months <= sum(parts) + 0.05:
        return Term("contradictory", reason="a total that does not fit the terms of the charges")
    return total


def _with_penalty_term(term: Term, penalty: Term) -> Term:
    """Joins the term of its own field with one that stands in the field of the penalty."""
    if term.state == "none" and (penalty.state != "none" or penalty.probation is not None):
        return replace(penalty, kinds=penalty.kinds.joined(term.kinds), bare=False)
    if term.state != "one" or penalty.state != "one":
        return term
    if same_term(term.months or 0.0, penalty.months or 0.0):
        probation = term.probation if term.probation is not None else penalty.probation
        return replace(term, probation=probation)
    return Term("contradictory", reason="penalty and term state different terms", kinds=term.kinds)


def _acquitted(guilty: bool | None, kinds: Kinds, penalty: Penalty, term: Term) -> str | None:
    """Not guilty and no penalty is an acquittal; guilty and no penalty is an exemption."""
    if kinds.any or (term.months or 0.0) > 0 or penalty.conflict:
        return None
    if guilty is False:
        return "acquittal"
    return "exempt" if guilty and penalty.nothing and term.state in ("one", "none") else None


def _of_guilt(sentence: Sentence, term: Term) -> tuple[str, str] | None:
    positive = (term.months or 0.0) > 0
    if sentence.guilty is False and (
        positive or sentence.penalty not in (None, "acquittal", "exempt")
    ):
        return "contradictory", "not guilty, yet a penalty"
    if sentence.guilty and sentence.penalty == "acquittal":
        return "contradictory", "guilty, yet an acquittal"
    if sentence.penalty in ZERO_KINDS and (positive or term.state in ("ambiguous", "out_of_range")):
        return "contradictory", f"{sentence.penalty} beside a term of custody"
    if sentence.penalty in TERMLESS_KINDS and positive:
        return "contradictory", f"{sentence.penalty} beside a number of months"
    return None


def _of_kinds(kinds: Kinds, penalty: Penalty) -> tuple[str, str] | None:
    if not kinds.several:
        return None
    if kinds.negated:
        return "ambiguous", "a kind of penalty is denied"
    if penalty.kinds.several:
        return "ambiguous", f"several kinds of penalty: {kinds.names()}"
    return "contradictory", f"penalty and term name different kinds: {kinds.names()}"


def _of_term(term: Term) -> tuple[str, str] | None:
    return None if term.state in ("one", "none") else (term.state, term.reason)


def _of_kind_and_term(sentence: Sentence, term: Term, penalty: Penalty) -> tuple[str, str] | None:
    kind = sentence.penalty
    if kind in (*ZERO_KINDS, *TERMLESS_KINDS, "time_served"):
        return None
    if kind == "probation":
        return _of_probation(sentence, term)
    if term.months is None:
        return "unparsable", term.reason or "no term is stated"
    if term.months == 0 and kind is not None:
        return "contradictory", f"{kind} of no months"
    if term.months == 0:
        return "ambiguous", "0 months without a penalty may be no answer"
    return None


def _of_probation(sentence: Sentence, term: Term) -> tuple[str, str] | None:
    """Under probation alone a number may be the term or the time of probation."""
    kinds = sentence.kinds
    names_custody = kinds.custody or bool(kinds.named & {"fixed_term", "detention"})
    if term.months is None:
        alone = not kinds.suspended or sentence.probation_months is not None
        return None if alone else ("unparsable", "a suspended term without a number")
    if term.months == 0:
        return ("contradictory", "a suspended term of no months") if kinds.suspended else None
    if names_custody or sentence.probation_months is not None:
        return None
    return "ambiguous", "the number may be the term or the time of probation"


def _of_bounds(sentence: Sentence, months: float, longest: float) -> tuple[str, str] | None:
    if months > longest:
        return "out_of_range", f"{months:g} months is above {longest:g}"
    if "detention" in sentence.kinds.named and months > LONGEST_DETENTION:
        return "out_of_range", f"detention of {months:g} months is above {LONGEST_DETENTION:g}"
    return None

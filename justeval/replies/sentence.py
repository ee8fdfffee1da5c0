"""The sentence of a record: one term in months with its kind of penalty, or what is wrong with it.

In: an AnswerRecord. Out: a Sentence. The rules on which kinds have a term, which are 0 months and
which bound holds are here; `docs/replies.md` gives their reasons.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from justeval.replies.guilt import Penalty, WordReader
from justeval.replies.penalties import Kinds
from justeval.replies.record_terms import RecordTermReader
from justeval.replies.records import AnswerRecord
from justeval.replies.terms import Term, same_term

LONGEST_DETENTION = 12.0
"""Months: six for one crime, twelve for several (Criminal Law of the PRC, articles 42 and 69)."""

_REPRIEVE = 24.0
"""Months for which death is suspended (article 48): beside suspended death no term of custody."""
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

    def __init__(self, words: WordReader, record_terms: RecordTermReader) -> None:
        self.words = words
        self.record_terms = record_terms
        self.lexicon = words.lexicon

    def read(self, record: AnswerRecord, longest: float | None) -> Sentence:
        """The sentence of a record; `longest` bounds a term in months, None turns bounds off."""
        guilty, two_findings = self.words.guilt(record)
        penalty = self.words.penalty(record)
        term = _with_penalty_term(self.record_terms.term(record), penalty.term)
        kinds = self._kinds(record, penalty, term)
        kind = _acquitted(guilty, kinds, penalty, term) or kinds.kind
        probation = self.record_terms.probation(record)
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
            or _of_term(sentence, term)
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

    def _kinds(self, record: AnswerRecord, penalty: Penalty, term: Term) -> Kinds:
        """All kinds named, a suspension said by a field of its own among them."""
        kinds = penalty.kinds.joined(term.kinds)
        if not kinds.any and not penalty.nothing:
            named = [self.words.kinds(entry.key) for entry in record.filled("term")]
            kinds = kinds.joined(named[0] if len(named) == 1 else Kinds())
        periods = [entry for entry in record.filled("probation") if self._suspends(entry.key)]
        said = [self.words.yes_or_no(e.value) for e in (*record.filled("suspended"), *periods)]
        if True in said or (periods and self.record_terms.probation(record)):
            kinds = kinds.joined(Kinds(suspended=True))
        return kinds

    def _suspends(self, key: str) -> bool:
        folded = self.lexicon.fold(key).replace("_", " ")
        return any(word in folded for word in self.lexicon.words["suspended"])


def _with_penalty_term(term: Term, penalty: Term) -> Term:
    """Joins the term of its own field with one that stands in the field of the penalty."""
    if term.state == "none" and penalty.bare:
        return Term("ambiguous", reason="a number under a key that asks for no term")
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
    reprieve = sentence.penalty == "death_suspended" and term.months == _REPRIEVE
    if sentence.penalty in TERMLESS_KINDS and positive and not reprieve:
        return "contradictory", f"{sentence.penalty} beside a number of months"
    return None


def _of_kinds(kinds: Kinds, penalty: Penalty) -> tuple[str, str] | None:
    if kinds.elsewhere and not kinds.any and not penalty.nothing:
        return "ambiguous", "a sanction that is no custody"
    if not kinds.several:
        return None
    if not kinds.any:
        return "ambiguous", "a kind of penalty is denied"
    if penalty.kinds.several:
        return "ambiguous", f"several kinds of penalty: {kinds.names()}"
    return "contradictory", f"penalty and term name different kinds: {kinds.names()}"


def _of_term(sentence: Sentence, term: Term) -> tuple[str, str] | None:
    """What is wrong with the term; where there is none to be stated, any word is a blank."""
    blank = sentence.penalty in (*ZERO_KINDS, *TERMLESS_KINDS) and term.state == "unparsable"
    if blank or term.state in ("one", "none"):
        return None
    return term.state, term.reason


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
        return ("unparsable", "a suspended term without a number") if kinds.suspended else None
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

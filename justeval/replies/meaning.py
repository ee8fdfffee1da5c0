"""An answer -> a Prediction: one record is chosen, its fields are read, a status is given.

In: an Answer. Out: schema.Prediction. Numbers are carried only by the readable statuses; guilt,
penalty, decision and charge are read field by field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from justeval.replies.amounts import Amount, AmountReader, is_plain
from justeval.replies.answers import Answer
from justeval.replies.folding import clean
from justeval.replies.guilt import WordReader
from justeval.replies.prose import ProseReader, contradicts
from justeval.replies.records import AnswerRecord, Entry, numbers_of
from justeval.replies.sentence import TERMLESS_KINDS, Sentence, SentenceReader
from justeval.replies.terms import NO_TOTAL
from justeval.replies.values import Bare, is_blank, text_of
from justeval.schema import LONGEST_MONTHS_READ, Prediction

_SENTENCE_ROLES = ("guilty", "penalty", "term", "total", "probation")
_TERM_ROLES = ("term", "total", "probation")
_OTHER_ROLES = ("decision", "probability", "risk_score", "bond_amount")


@dataclass(slots=True)
class _Others:
    """What is not the sentence: decision and amounts, with the first problem among them."""

    decision: str | None = None
    probability: float | None = None
    risk_score: float | None = None
    bond_amount: float | None = None
    bond_currency: str | None = None
    mended: bool = False
    problems: list[tuple[str, str]] = field(default_factory=list)

    @property
    def stated(self) -> bool:
        """Whether anything is stated."""
        numbers = (self.probability, self.risk_score, self.bond_amount)
        return self.decision is not None or any(number is not None for number in numbers)


class MeaningReader:
    """Understands answers by the words of one lexicon."""

    def __init__(
        self,
        words: WordReader,
        sentences: SentenceReader,
        amounts: AmountReader,
        prose: ProseReader,
    ) -> None:
        self.words = words
        self.sentences = sentences
        self.amounts = amounts
        self.prose = prose

    def read(self, answer: Answer, bounded: bool, table: bool = False) -> Prediction:
        """The prediction of an answer with records; `table`: plain text counts as a number."""
        if answer.too_large or any(record.too_large for record in answer.records):
            return Prediction("unparsable", "too large to be read without doubt")
        record, choice = self._chosen(answer)
        longest = LONGEST_MONTHS_READ if bounded else None
        sentence = self.sentences.read(record, longest)
        total = self._told_total(answer, record, sentence)
        if total is not None:
            record.entries["total"] = [Entry("", Bare(f"{total:.10g}"), "month", 0)]
            record.mended, choice = True, None
            sentence = self.sentences.read(record, longest)
        others = self._others(record)
        shell = Prediction(
            "ok",
            guilty=sentence.guilty,
            penalty=sentence.penalty,
            decision=others.decision,
            charge=_charge(record),
        )
        problem = ("truncated", "the answer breaks off") if answer.cut else None
        problem = problem or self._refused(answer, record, sentence, others)
        problem = problem or choice or self._problem(answer, record, sentence, others)
        if problem is not None:
            return replace(shell, status=problem[0], reason=problem[1])
        reasons = [*answer.mends, *self._mends(record, sentence, others, table)]
        status = "ok" if answer.strict and not reasons else "repaired"
        return replace(
            shell,
            status=status,
            reason="; ".join(dict.fromkeys(reasons)),
            months=sentence.months if sentence.problem is None else None,
            probation_months=_bounded_probation(sentence, longest),
            probability=others.probability,
            risk_score=others.risk_score,
            bond_amount=others.bond_amount,
            bond_currency=others.bond_currency,
        )

    def _chosen(self, answer: Answer) -> tuple[AnswerRecord, tuple[str, str] | None]:
        """The record that counts, and the problem where none of several does."""
        records = answer.records
        if len(records) == 1 or len({self._gist(record) for record in records}) == 1:
            return records[-1], None
        totals = [record for record in records if record.filled("total")]
        if len(totals) == 1:
            total = totals[0]
            total.parts += [record for record in records if record is not total]
            return total, None
        if answer.is_final:
            return records[-1], None
        joined = AnswerRecord(parts=list(records), mended=True)
        return joined, ("ambiguous", "several answers and no word on which one counts")

    def _told_total(self, answer: Answer, record: AnswerRecord, sentence: Sentence) -> float | None:
        """The joint term that the text states where the fields hold only those of the charges."""
        if sentence.problem != ("ambiguous", NO_TOTAL):
            return None
        statements = self.prose.statements(_beside(answer, record))
        totals = {statement.months for statement in statements if statement.total}
        return totals.pop() if len(totals) == 1 else None

    def _gist(self, record: AnswerRecord) -> tuple[object, ...]:
        """What a record says, to tell whether another says the same."""
        sentence, others = self.sentences.read(record, None), self._others(record)
        numbers = (others.probability, others.risk_score, others.bond_amount)
        said = (sentence.guilty, sentence.penalty, sentence.months, sentence.problem)
        return (*said, others.decision, *numbers, _charge(record))

    def _refused(
        self, answer: Answer, record: AnswerRecord, sentence: Sentence, others: _Others
    ) -> tuple[str, str] | None:
        """A refusal stands unless an answer stands beside it; 0 and blanks are no answer."""
        substance = sentence.months or sentence.penalty in TERMLESS_KINDS or others.stated
        guilty_fields = sentence.guilty and (sentence.penalty or sentence.problem is None)
        if substance or guilty_fields:
            return None
        texts = [*answer.prose, *_texts(record)]
        if any(self.prose.refuses(text) for text in texts):
            return "refused", "the reply refuses"
        return None

    def _problem(
        self, answer: Answer, record: AnswerRecord, sentence: Sentence, others: _Others
    ) -> tuple[str, str] | None:
        if record.has(*_SENTENCE_ROLES):
            waived = sentence.problem is not None and sentence.problem[0] == "unparsable"
            waived = waived and others.stated and not record.filled("term")
            if not waived:
                return sentence.problem or self._contradiction(answer, record, sentence)
        if others.problems:
            return others.problems[0]
        if not others.stated and not record.has(*_SENTENCE_ROLES):
            return "unparsable", "nothing that was asked is stated"
        return None

    def _contradiction(
        self, answer: Answer, record: AnswerRecord, sentence: Sentence
    ) -> tuple[str, str] | None:
        """Whether the reply's own words decide on another term than its fields."""
        for remark in record.comments:
            doubt = self.sentences.record_terms.remark_doubt(remark, sentence.months)
            if doubt is not None:
                return doubt
        told = self.prose.statements(_beside(answer, record))
        statements = [statement for statement in told if "exempt" not in statement.kinds.named]
        if contradicts(statements, sentence.months) and sentence.penalty != "probation":
            return "contradictory", "the text around the answer decides on another term"
        return None

    def _others(self, record: AnswerRecord) -> _Others:
        others = _Others()
        others.decision, doubt = self.words.decision(record)
        if doubt:
            others.problems.append(("ambiguous" if "two" in doubt else "unparsable", doubt))
        readers = {
            "probability": self.amounts.probability,
            "risk_score": self.amounts.score,
            "bond_amount": self.amounts.money,
        }
        for role, reader in readers.items():
            read = [reader(numbers_of(entry)) for entry in record.of(role)]
            self._note(others, role, read)
        self._note_currency(others, record)
        if _disagree(others):
            others.problems.append(("contradictory", "decision and probability disagree"))
        return others

    @staticmethod
    def _note(others: _Others, role: str, read: Sequence[Amount]) -> None:
        stated = [amount for amount in read if amount.state != "none"]
        for amount in stated:
            if amount.state != "one":
                others.problems.append((amount.state, amount.reason))
                return
        values = {amount.value for amount in stated}
        if len(values) > 1:
            others.problems.append(("ambiguous", f"two statements of the {role}"))
        elif values:
            setattr(others, role, values.pop())
            others.mended = others.mended or not all(amount.plain for amount in stated)
            others.bond_currency = others.bond_currency or stated[0].currency

    def _note_currency(self, others: _Others, record: AnswerRecord) -> None:
        stated = {self.amounts.currency(entry.value) for entry in record.filled("bond_currency")}
        stated -= {None}
        if others.bond_currency is not None:
            stated.add(others.bond_currency)
        if len(stated) > 1:
            others.problems.append(("contradictory", "two currencies"))
        others.bond_currency = stated.pop() if len(stated) == 1 and others.bond_amount else None

    def _mends(
        self, record: AnswerRecord, sentence: Sentence, others: _Others, table: bool
    ) -> list[str]:
        found = []
        if record.mended and not table:
            found.append("other keys or objects than asked")
        if sentence.mended:
            found.append("a term with its unit or in words")
        terms = [entry for role in _TERM_ROLES for entry in record.of(role)]
        if not all(_is_plain_entry(entry, table) for entry in terms):
            found.append("a term that is no plain number")
        if others.mended and not table:
            found.append("a number that is no plain number")
        return found


def _is_plain_entry(entry: Entry, table: bool) -> bool:
    if is_blank(entry.value) or is_plain(entry.value):
        return True
    return table and isinstance(entry.value, str) and is_plain(Bare(entry.value.strip()))


def _bounded_probation(sentence: Sentence, longest: float | None) -> float | None:
    probation = sentence.probation_months
    if probation is None or probation < 0 or (longest is not None and probation > longest):
        return None
    return probation


def _disagree(others: _Others) -> bool:
    """The probability is that of yes: it cannot lie on the other side of one half."""
    if others.probability is None or others.decision not in ("yes", "no"):
        return False
    return others.probability < 0.5 if others.decision == "yes" else others.probability > 0.5


def _charge(record: AnswerRecord) -> str | None:
    texts = [text_of(entry.value) for entry in record.filled("charge")]
    if not texts:
        texts = [text_of(e.value) for part in record.parts for e in part.filled("charge")]
    return clean("、".join(dict.fromkeys(texts))) if texts else None


def _beside(answer: Answer, record: AnswerRecord) -> list[str]:
    """The running text beside the fields: around the objects, and in explanations."""
    return [*answer.prose, *(text_of(entry.value) for entry in record.filled("explanation"))]


def _texts(record: AnswerRecord) -> list[str]:
    return [text_of(entry.value) for entries in record.entries.values() for entry in entries]

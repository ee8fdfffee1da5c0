"""Replies that are words alone: 0.73, yes, three years, or a paragraph that passes a sentence.

In: the text of a reply without object, lines or table. Out: a Prediction. A whole reply of a few
words is read like a field; running text only where it decides on one term.
"""

from __future__ import annotations

import re
from dataclasses import replace

from justeval.replies.amounts import AmountReader
from justeval.replies.guilt import WordReader
from justeval.replies.lexicon import word_pattern
from justeval.replies.prose import ProseReader, same_statement
from justeval.replies.sentence import Sentence, SentenceReader
from justeval.replies.terms import Term, TermReader
from justeval.replies.values import Bare
from justeval.schema import LONGEST_MONTHS_READ, Prediction

WHOLE_AT_MOST = 60
"""Characters of a reply that is read like the value of a field."""

PROBABILITY_AT_MOST = 160
"""Characters of a text in which one number is taken for the probability that it names."""

_TOLD_AT_MOST = 2000
_REASON = "words instead of JSON"


class ProseAnswerReader:
    """Reads replies without any structure."""

    def __init__(
        self,
        words: WordReader,
        sentences: SentenceReader,
        terms: TermReader,
        amounts: AmountReader,
        prose: ProseReader,
    ) -> None:
        self.words = words
        self.sentences = sentences
        self.terms = terms
        self.amounts = amounts
        self.prose = prose
        names = [
            terms.lexicon.fold(word)
            for language in terms.lexicon.languages
            for word in language.tables["keys"].get("probability", ())
            if len(word) > 1
        ]
        self._named = re.compile(word_pattern(names))

    def whole(self, text: str, bounded: bool) -> Prediction | None:
        """A reply of a few words, None where it has to be read as running text."""
        number = self.amounts.probability(Bare(text))
        if number.state == "one":
            return Prediction("repaired", _REASON, probability=number.value)
        if number.state == "out_of_range" and "%" in text:
            return Prediction("out_of_range", number.reason)
        guilt = self._verdict(text)
        if guilt is not None:
            return guilt
        decision = self._decision(text)
        if decision is not None:
            return Prediction("repaired", _REASON, decision=decision)
        term = self.terms.read(text)
        if term.bare:
            return Prediction("ambiguous", "a bare number that is no probability")
        kind = term.kinds.kind
        without_term = kind == "exempt" or (kind == "fine" and self.prose.decides(text))
        if term.state == "one" or term.kinds.life or term.kinds.death:
            return self._sentenced(self._guilt(text), term, bounded)
        if term.state == "none" and without_term:
            return self._sentenced(self._guilt(text), term, bounded)
        return None

    def _verdict(self, text: str) -> Prediction | None:
        """Guilty or not guilty and nothing else."""
        if self.terms.read(text).state != "none":
            return None
        told = self.words.told(text)
        if told is False and self.words.truth(text) is False:
            return Prediction("repaired", _REASON, guilty=False, penalty="acquittal", months=0.0)
        if told is True and self.words.truth(text) is True:
            return Prediction("unparsable", "guilty without a sentence", guilty=True)
        return None

    def _guilt(self, text: str) -> bool | None:
        return self.words.told(text[-_TOLD_AT_MOST:]) or None

    def _decision(self, text: str) -> str | None:
        """Yes, no or a category that is the whole reply; no other word counts."""
        lexicon = self.words.lexicon
        folded = lexicon.fold(text).strip(" .。!！\"'*_`")
        if folded in lexicon.decisions:
            return lexicon.decisions[folded]
        if lexicon.is_any(text, "affirmative", "negative"):
            return "yes" if self.words.truth(text) else "no"
        return None

    def running(self, text: str, bounded: bool) -> Prediction:
        """A text that passes one sentence, or why it does not."""
        statements = [one for one in self.prose.statements([text]) if one.decided]
        if not statements:
            if self.words.told(text[-_TOLD_AT_MOST:]) is False:
                return Prediction(
                    "repaired", _REASON, guilty=False, penalty="acquittal", months=0.0
                )
            told = self._probability(text)
            return told or Prediction("unparsable", "no answer in the text")
        last = statements[-1]
        guilty = self._guilt(text)
        if last.doubt:
            return Prediction(*last.doubt, guilty=guilty, penalty=last.kinds.kind)
        if not last.total and any(one.doubt for one in statements):
            return Prediction("ambiguous", "the text decides on several terms", guilty=guilty)
        statements = [one for one in statements if not one.doubt]
        if not all(same_statement(one.months, last.months) for one in statements):
            return Prediction("ambiguous", "the text decides on several terms", guilty=guilty)
        if last.months is None:
            term = Term("none", reason="no term is stated", kinds=last.kinds)
        else:
            term = Term("one", last.months, last.probation, kinds=last.kinds)
        return self._sentenced(guilty, term, bounded)

    def _probability(self, text: str) -> Prediction | None:
        """The probability is 0.64: one number in a short text that names a probability."""
        folded = self.words.lexicon.fold(text)
        if len(text) > PROBABILITY_AT_MOST or not self._named.search(folded):
            return None
        read = self.amounts.probability_in(folded)
        if read.state != "one":
            return Prediction(read.state, read.reason) if read.state != "unparsable" else None
        return Prediction("repaired", _REASON, probability=read.value)

    def _sentenced(self, guilty: bool | None, term: Term, bounded: bool) -> Prediction:
        longest = LONGEST_MONTHS_READ if bounded else None
        sentence: Sentence = self.sentences.of_statement(guilty, term.kinds, term, longest)
        shell = Prediction("repaired", _REASON, guilty=guilty, penalty=sentence.penalty)
        if sentence.problem is not None:
            return replace(shell, status=sentence.problem[0], reason=sentence.problem[1])
        return replace(shell, months=sentence.months, probation_months=sentence.probation_months)

"""Terms that the law does not know: kept as they were stated, and flagged.

In: a Prediction and the text that it was read from. Out: the Prediction, with a remark in `reason`
where its term is shorter or longer than the law behind the word for its penalty allows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from justeval.replies.lexicon import Lexicon, word_pattern
from justeval.schema import Prediction

_EDGE = 4_000
"""Characters at the beginning and the end of a text in which the penalty is looked for."""


@dataclass(frozen=True, slots=True)
class _Law:
    penalty: str
    words: re.Pattern[str]
    shortest: float
    longest: float


class LegalTerms:
    """The terms that the laws of some languages know."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._laws = tuple(
            _Law(penalty, re.compile(word_pattern(map(lexicon.fold, words))), *terms)
            for language in lexicon.languages
            for penalty, terms in language.legal_terms.items()
            if (words := language.tables["penalties"].get(penalty))
        )

    def flagged(self, prediction: Prediction, text: str) -> Prediction:
        """The prediction, with a remark where its term is outside the law that it names."""
        months = prediction.months
        if not months or not prediction.readable:
            return prediction
        for law in self._laws:
            within = law.shortest <= months <= law.longest
            if within or law.penalty != prediction.penalty:
                continue
            looked_at = text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]}\n{text[-_EDGE:]}"
            named = law.words.search(self._lexicon.fold(looked_at))
            if named is not None:
                reasons = (prediction.reason, _remark(named.group(), months, law))
                return replace(prediction, reason="; ".join(filter(None, reasons)))
        return prediction


def _remark(word: str, months: float, law: _Law) -> str:
    if months < law.shortest:
        return f"{word} of {months:g} months is below its legal minimum of {law.shortest:g}"
    return f"{word} of {months:g} months is above the {law.longest:g} for one charge"

"""What running text says of the sentence: beside an object to check it, or alone as the answer.

In: text without the object. Out: statements (a term, whether it is the decision), refusals, final
words. A statement counts only in a sentence that decides and neither quotes the law nor supposes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from justeval.replies.durations import Span, find_spans
from justeval.replies.lexicon import word_pattern
from justeval.replies.penalties import Kinds, read_kinds
from justeval.replies.roles import RoleFinder, Roles
from justeval.replies.terms import SPANS_AT_MOST, joined, of_several_charges, same_term
from justeval.replies.tokens import TOKENS_AT_MOST, Token, Tokenizer

SENTENCES_AT_MOST = 8
"""Sentences with a term that are looked at, the last ones of the text."""
_PASSAGES_AT_MOST = 120
_SENTENCE_LENGTH = 200
_TEXT_LENGTH = 6000
"""Characters of one text, from its end, in which statements are looked for."""
_REFUSAL_LENGTH = 2000
"""Characters at the beginning and at the end in which a refusal is looked for."""
_TERMLESS = frozenset(("life", "death", "death_suspended", "exempt"))
_SENTENCE = re.compile(r"[^。；;！!\n]+")
_NO_TERM = ("ambiguous", "a range or a bound instead of one term")
_MISCONVERTED = ("contradictory", "a term and its own conversion differ")
_FULL_STOP = re.compile(r"(?<=[a-z)])\.(?=\s)|(?<=\d)\.(?=\s+[a-z])")


@dataclass(frozen=True, slots=True)
class Statement:
    """A term that prose decides on, in months, with the kinds of penalty named beside it.

    `months` is None for life and death; `total`: a word says that it is the term in all. `doubt`
    is the status, with its reason, of a sentence that decides and states no one term.
    """

    months: float | None
    kinds: Kinds
    probation: float | None = None
    decided: bool = True
    total: bool = False
    doubt: tuple[str, str] | None = None


class ProseReader:
    """Reads running text by the words of one tokenizer."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        lexicon = self.lexicon = tokenizer.lexicon
        self._decided = re.compile(word_pattern(lexicon.words["decided"]))
        self._undecided = re.compile(word_pattern(lexicon.words["undecided"]))
        custody = [word for word, kind in lexicon.penalties.items() if kind == "fixed_term"]
        self._deciding = (
            self._decided,
            re.compile(word_pattern([*custody, *lexicon.words["custody"]])),
            re.compile(word_pattern(lexicon.words["totals"] | lexicon.words["totals_after"])),
        )
        self._refusal = re.compile(word_pattern(lexicon.words["refusals"]))
        termless = [word for word, kind in lexicon.penalties.items() if kind in _TERMLESS]
        self._stated = re.compile(word_pattern([*lexicon.units, *lexicon.half_units, *termless]))

    def refuses(self, text: str) -> bool:
        """Whether a text holds words of refusal."""
        if len(text) > 2 * _REFUSAL_LENGTH:
            text = f"{text[:_REFUSAL_LENGTH]}\n{text[-_REFUSAL_LENGTH:]}"
        return self._refusal.search(self.lexicon.fold(text)) is not None

    def decides(self, text: str) -> bool:
        """Whether a short text says that it decides, and not that it supposes or quotes."""
        folded = self.lexicon.fold(text)
        return bool(self._decided.search(folded)) and not self._undecided.search(folded)

    def statements(self, texts: Iterable[str]) -> list[Statement]:
        """The terms that prose decides on, in order."""
        found: list[list[Statement]] = []
        for text in reversed(list(texts)):
            folded = self.lexicon.fold(text[-_TEXT_LENGTH:])
            sentences = self._last_sentences(folded, SENTENCES_AT_MOST - len(found))
            found += [self._statements(sentence) for sentence in sentences]
        return [statement for stated in reversed(found) for statement in stated]

    def _last_sentences(self, folded: str, at_most: int) -> list[str]:
        """Sentences that decide and hold a unit of time or a penalty without one, last first."""
        found: list[str] = []
        passages = _SENTENCE.findall(folded)
        for passage in reversed(passages[-_PASSAGES_AT_MOST:]):
            for sentence in reversed(_FULL_STOP.split(passage)):
                if len(found) >= at_most:
                    return found
                decides = any(one.search(sentence) for one in self._deciding)
                if decides and self._stated.search(sentence):
                    found.append(sentence[-_SENTENCE_LENGTH:])
        return found

    def _statements(self, sentence: str) -> list[Statement]:
        tokens = self.tokenizer.tokens(sentence)
        if len(tokens) > TOKENS_AT_MOST:
            return []
        spans = find_spans(sentence, tokens)
        if len(spans) > SPANS_AT_MOST:
            return []
        roles = RoleFinder(sentence, tokens, spans).roles()
        kinds = read_kinds(sentence, tokens)
        adjusted = any(token.has("adjustments") for token in tokens)
        decides = self._decides(sentence, tokens, (*roles.terms, *roles.totals))
        if roles.range or roles.bounded or adjusted:
            clause = _last_clause(sentence, tokens[spans[-1].first].start if spans else 0)
            if clause:
                return self._statements(clause)
            return [Statement(None, kinds, doubt=_NO_TERM)] if decides else []
        if not spans and kinds.named & _TERMLESS and not self._undecided.search(sentence):
            return [Statement(None, kinds)]
        if of_several_charges(tokens, roles):
            return [_joint(tokens, roles, kinds)] if decides else []
        if decides and _misconverts(sentence, tokens, roles.terms):
            return [Statement(None, kinds, doubt=_MISCONVERTED)]
        return list(self._terms(sentence, tokens, spans, roles, kinds))

    def _decides(self, sentence: str, tokens: Sequence[Token], stated: Sequence[Span]) -> bool:
        """Whether a sentence decides on the first of its terms."""
        first = min(stated, key=lambda span: span.first, default=None)
        if first is None:
            return False
        before = sentence[: tokens[first.first].start]
        named = self._decided.search(before) is not None or _names_custody(tokens, first)
        return named and not self._undecided.search(before)

    def _terms(
        self,
        sentence: str,
        tokens: Sequence[Token],
        spans: Sequence[Span],
        roles: Roles,
        kinds: Kinds,
    ) -> Iterator[Statement]:
        """Each term of a sentence that a word of deciding, of custody or of a total names."""
        for span in roles.totals or roles.terms:
            start = tokens[span.first].start
            ends = (tokens[one.last].end for one in spans if one.unit and one.last < span.first)
            earlier = max(ends, default=0)
            if span.value is None or self._undecided.search(sentence[:start]):
                continue
            total = span in roles.totals
            decided = self._decided.search(sentence[earlier:start]) is not None or total
            if decided or _names_custody(tokens, span):
                yield Statement(span.value, kinds, roles.one_probation, decided, total)


def _joint(tokens: Sequence[Token], roles: Roles, kinds: Kinds) -> Statement:
    """What the terms of several charges come to, where the sentence says how they run."""
    term = joined(tokens, roles, roles.one_probation)
    if term.state == "one":
        return Statement(term.months, kinds, term.probation)
    return Statement(None, kinds, doubt=(term.state, term.reason))


def _misconverts(sentence: str, tokens: Sequence[Token], terms: Sequence[Span]) -> bool:
    """Whether a term is said again right after it, in brackets or as "that is", and differs."""
    for left, right in pairwise(terms):
        between = tokens[left.last + 1 : right.first]
        again = [token for token in between if token.has("open") or token.has("restated")]
        gap = sentence[tokens[left.last].end : tokens[right.first].start]
        said = "".join(token.text for token in between)
        plain = len(gap) - gap.count(" ") - gap.count(",") - gap.count("，") == len(said)
        known = left.value is not None and right.value is not None
        if again and len(again) == len(between) and plain and known:
            return not same_statement(left.value, right.value)
    return False


def _last_clause(sentence: str, start: int) -> str:
    """What follows the last comma before `start`, nothing if no comma stands there."""
    comma = max(sentence.rfind(mark, 0, start) for mark in ",，")
    return sentence[comma + 1 :] if comma >= 0 else ""


def _names_custody(tokens: Sequence[Token], span: Span) -> bool:
    """Whether the word right before or after a term is one of custody: 有期徒刑11年."""
    beside = [*tokens[max(0, span.first - 1) : span.first], *tokens[span.last + 1 : span.last + 3]]
    follows = tokens[span.last + 1 : span.last + 2]
    if any(token.has("term_before") for token in follows):
        return True
    named = (token.has("custody") or token.has("term_after") for token in beside)
    return any(named) or any(token.penalty == "fixed_term" for token in beside)


def contradicts(statements: Sequence[Statement], months: float | None) -> bool:
    """Whether the last term that prose decides on is another one than `months`."""
    clear = [statement for statement in statements if not statement.doubt]
    return bool(clear) and not same_statement(clear[-1].months, months)


def same_statement(left: float | None, right: float | None) -> bool:
    """Whether two statements are the same term, or both none."""
    return left is right or (left is not None and right is not None and same_term(left, right))

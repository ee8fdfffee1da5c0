"""Which patterns may find that facts state a label's factor already, told fast.

In: the labels of a stream and a case's facts. Out: for each label the patterns worth searching.

Searching 60 patterns takes 2 ms a case. So first only the words are looked for one of which must
stand where a pattern matches; a pattern without any of its words is not searched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from justeval.labels import Label
from justeval.variants.wanted_words import wanted_words

_FOLDED = re.compile("[\u0130\u0131\u017f\u212a\u03a3]")
"""Letters outside ASCII that match an ASCII letter where case is ignored, and the one whose small
letter depends on its place."""
_WHOLE_WORDS = re.compile(r"\(\?i:\\b\(\?:([a-z]+(?:\|[a-z]+)*)\)\\b\)\Z")
"""A pattern that is a list of whole words: (?i:\\b(?:he|she)\\b)."""
_WORD = re.compile(r"\w+")
Patterns = Sequence[re.Pattern[str]]


class StatedSearch:
    """The patterns of some labels in one language. Each has a bit, in their order."""

    def __init__(self, labels: Sequence[Label], language: str) -> None:
        self._patterns: list[tuple[str, re.Pattern[str]]] = []
        self._always = 0
        by_text: dict[str, int] = {}
        by_word: dict[str, int] = {}
        for label in labels:
            for pattern in label.patterns.get(language, ()):
                bit = 1 << len(self._patterns)
                self._patterns.append((label.id, pattern))
                texts = wanted_words(pattern)
                whole = _WHOLE_WORDS.match(pattern.pattern)
                if texts is None and whole is None:
                    self._always |= bit
                for text in texts or ():
                    by_text[text] = by_text.get(text, 0) | bit
                for word in whole[1].split("|") if texts is None and whole else ():
                    by_word[word] = by_word.get(word, 0) | bit
        self._by_text = tuple(by_text.items())
        self._by_word = by_word

    def worth_searching(self, facts: str) -> Mapping[str, Patterns]:
        """By label, the patterns that may match, in their order; all others do not."""
        bits = self._always
        if _FOLDED.search(facts):
            bits = (1 << len(self._patterns)) - 1
        else:
            lowered = facts.lower()
            for text, mask in self._by_text:
                if text in lowered:
                    bits |= mask
            if self._by_word:
                for word in self._by_word.keys() & set(_WORD.findall(lowered)):
                    bits |= self._by_word[word]
        found: dict[str, list[re.Pattern[str]]] = {}
        while bits:
            first = bits & -bits
            label_id, pattern = self._patterns[first.bit_length() - 1]
            found.setdefault(label_id, []).append(pattern)
            bits ^= first
        return found

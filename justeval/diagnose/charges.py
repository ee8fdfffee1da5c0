"""Whether two charges can be about the same matter, by their words.

In: the distinct charges of a table as text, Chinese or English. Out: for pairs of them, whether
they share a word that means something (Chinese: two characters that stand together). The measure
is generous on purpose: injury and homicide, robbery and armed robbery are related, homicide and
fraud are not. What is called unrelated cannot be a matter of wording.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_LATIN = re.compile(r"[a-z]{3,}")
_EMPTY_WORDS = re.compile(
    r"\b(?:the|and|with|from|into|under|for|crimes?|criminal|offens\w*|charge[ds]?|counts?|guilty"
    r"|felony|misdemeanor|degree|first|second|third|attempted|attempt|conspiracy|intent\w*|usc"
    r"|federal|states?|united|commit\w*|against|person|other|unknown|none)\b"
)
_EMPTY_SIGNS = re.compile("其他|犯罪|[罪等及和与或、]")
_STEM = 5
"""English words are compared by their first letters: robbery and robbing, murder and murdered."""


def charge_words(charge: str) -> frozenset[str]:
    """The words of a charge that say what it is about; none where nothing can be said."""
    text = charge.casefold()
    words = {word[:_STEM] for word in _LATIN.findall(_EMPTY_WORDS.sub(" ", text))}
    for stretch in _HAN.findall(_EMPTY_SIGNS.sub(" ", text)):
        words.update(stretch[i : i + 2] for i in range(max(len(stretch) - 1, 1)))
    return frozenset(words)


class Relation:
    """Answers for many pairs of charges at once; each distinct pair is compared once."""

    def __init__(self, names: Sequence[str]) -> None:
        self._words = [charge_words(name) for name in names]
        self._han = [any(_HAN.match(word) for word in words) for words in self._words]
        self._empty = np.array([not words for words in self._words] + [True])

    def unrelated(self, left: Codes, right: Codes) -> Flags:
        """(P,) whether two charges share nothing.

        False where one of them says nothing (-1), or where they are in different languages.
        """
        result = np.zeros(left.size, dtype=np.bool_)
        differ = (left != right) & ~self._empty[left] & ~self._empty[right]
        at = np.flatnonzero(differ)
        if at.size == 0:
            return result
        size = len(self._words)
        low, high = np.minimum(left[at], right[at]), np.maximum(left[at], right[at])
        pairs, which = np.unique(low * size + high, return_inverse=True)
        apart = [self._apart(*divmod(pair, size)) for pair in pairs.tolist()]
        result[at] = np.array(apart, dtype=np.bool_)[which]
        return result

    def _apart(self, left: int, right: int) -> bool:
        same_script = self._han[left] == self._han[right]
        return same_script and self._words[left].isdisjoint(self._words[right])

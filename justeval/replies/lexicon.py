"""The words of several languages, made ready for looking up: one lexicon reads all of them at once.

In: Language records. Out: a Lexicon with tables and compiled patterns. Every pattern is a tree of
words without repetition over one another, so that its work grows with the text and no faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from unicodedata import is_normalized, normalize

from justeval.replies.folding import folding_table
from justeval.replies.language import Language

_LETTER = "[^\\W\\d_\u2e80-\u9fff\uac00-\ud7ff]"
"""A letter of a script that puts spaces between words."""
_NOT_INSIDE = f"(?<!{_LETTER})"
_NOT_BEFORE = f"(?!{_LETTER})"
_HYPHEN = re.compile("(?<=[a-z])-(?=[a-z])")
_APART = re.compile("(?<=[\u3400-\u9fff]) +(?=[\u3400-\u9fff])")
"""Spaces between characters of a script that has none."""
_MISSPELT_FROM = {True: 6, False: 4}
"""From how many characters on a key is known with one error, spaced or not."""


def tree_pattern(words: Iterable[str]) -> str:
    """A regular expression that matches the longest of `words`, as a tree of their beginnings."""
    listed = sorted(set(words))
    ends = "" in listed
    branches = []
    for first, group in groupby((word for word in listed if word), key=lambda word: word[0]):
        branches.append(re.escape(first) + tree_pattern(word[1:] for word in group))
    if not branches:
        return ""
    joined = branches[0] if len(branches) == 1 and not ends else f"(?:{'|'.join(branches)})"
    return joined + ("?" if ends else "")


def word_pattern(words: Iterable[str]) -> str:
    """`tree_pattern` that matches whole words in scripts with spaces; never matches if empty."""
    listed = [word for word in set(words) if word]
    if not listed:
        return "(?!)"
    lettered = [word for word in listed if re.match(_LETTER, word)]
    other = [word for word in listed if not re.match(_LETTER, word)]
    parts = []
    if lettered:
        parts.append(f"{_NOT_INSIDE}{tree_pattern(lettered)}{_NOT_BEFORE}")
    if other:
        parts.append(tree_pattern(other))
    return "(?:" + "|".join(parts) + ")"


class Lexicon:
    """Look-ups over the words of some languages; made once, never changed."""

    def __init__(self, languages: Sequence[Language]) -> None:
        self.languages = tuple(languages)
        same: dict[str, str] = {}
        for language in languages:
            same |= language.same_characters
        self._forms = folding_table(same)
        self.fold = lru_cache(maxsize=512)(self._fold)
        self.words: Mapping[str, frozenset[str]] = self._merged_lists()
        self.numeral_values = self._merged_numbers("numeral_values")
        self.numeral_multipliers = self._merged_numbers("numeral_multipliers")
        self.amount_multipliers = self._merged_numbers("amount_multipliers")
        self.half_units = {self.fold(w): u for one in languages for w, u in one.half_units.items()}
        self.units = self._name_of("units")
        self.penalties = self._name_of("penalties")
        self.currencies = self._name_of("currencies")
        self.decisions = self._name_of("decisions")
        self._decision_words = re.compile(word_pattern(self.decisions))
        self.unit_words = re.compile(word_pattern([*self.units, *self.half_units]))
        self._make_keys()
        self.role = lru_cache(maxsize=4096)(self._role)

    def _fold(self, text: str) -> str:
        """The text in the form in which words are listed."""
        if not (text.isascii() or is_normalized("NFC", text)):
            text = normalize("NFC", text)
        folded = text.translate(self._forms).lower()
        if "-" in folded:
            folded = _HYPHEN.sub(" ", folded)
        return folded if folded.isascii() or " " not in folded else _APART.sub("", folded)

    def is_any(self, text: str, *lists: str) -> bool:
        """Whether the whole text is a word of one of the lists, final punctuation aside."""
        plain = self.fold(text).strip(" \t\r\n.。!！;；,，'\"*`")
        return any(plain in self.words[name] for name in lists)

    def decision_words(self, folded: str) -> list[str]:
        """The words of decisions that stand in folded text, the longest at each place."""
        found: list[str] = self._decision_words.findall(folded)
        return found

    def _role(self, key: str) -> tuple[str | None, str | None, bool]:
        """What a key stands for: its role, its unit of time, and whether it is a key of ours."""
        plain = self._plain_key(key)
        if plain in self._keys:
            unit = self._unit_in(key)
            return self._keys[plain], unit, key in self._asked
        unit = self._unit_in(key)
        if unit is not None:
            rest = self._without_units(key)
            if not rest:
                return "term", unit, False
            if rest in self._keys:
                role = self._keys[rest]
                return ("term" if role == "penalty" else role), unit, False
        return self._misspelt(plain), unit, False

    def _misspelt(self, plain: str) -> str | None:
        """The role of the keys that differ by one error from `plain`, if they agree."""
        roles = {self._keys[known] for known in self._long_keys if _one_error(plain, known)}
        return roles.pop() if len(roles) == 1 else None

    def _make_keys(self) -> None:
        fillers = word_pattern(self.words["key_fillers"])
        self._fillers = re.compile(fillers)
        self._asked: set[str] = set()
        self._keys: dict[str, str] = {}
        self._long_keys: list[str] = []
        self.key_words: list[str] = []
        for language in self.languages:
            for role, words in language.tables["keys"].items():
                if words:
                    self._asked |= {words[0], words[0].replace(" ", "_")}
                for word in words:
                    plain = self._plain_key(word)
                    self._keys.setdefault(plain, role)
                    self.key_words.append(self.fold(word))
                    if len(plain) >= _MISSPELT_FROM[language.spaced]:
                        self._long_keys.append(plain)

    def _split_key(self, key: str) -> str:
        """A key as words: camelCase and under_scores taken apart, marks taken away."""
        apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key[:80])
        return re.sub(r"[\W_]+", " ", self.fold(apart)).strip()

    def _plain_key(self, key: str) -> str:
        return self._split_key(key).replace(" ", "")

    def _unit_in(self, key: str) -> str | None:
        found = {self.units.get(word) for word in self.unit_words.findall(self._split_key(key))}
        return found.pop() if len(found) == 1 else None

    def _without_units(self, key: str) -> str:
        rest = self.unit_words.sub(" ", self._split_key(key))
        return self._fillers.sub(" ", rest).replace(" ", "")

    def _merged_lists(self) -> dict[str, frozenset[str]]:
        merged: dict[str, set[str]] = {}
        for language in self.languages:
            for name, words in language.words.items():
                merged.setdefault(name, set()).update(self.fold(word) for word in words)
        return {name: frozenset(words) for name, words in merged.items()}

    def _merged_numbers(self, name: str) -> dict[str, float]:
        return {
            self.fold(word): float(number)
            for language in self.languages
            for word, number in getattr(language, name).items()
        }

    def _name_of(self, section: str) -> dict[str, str]:
        """word -> the name it is listed under; the first language that lists it decides."""
        names: dict[str, str] = {}
        for language in self.languages:
            for name, words in language.tables[section].items():
                for word in words:
                    names.setdefault(self.fold(word), name)
        return names


@lru_cache(maxsize=16)
def lexicon_of(languages: tuple[Language, ...]) -> Lexicon:
    """The lexicon of these languages, made once."""
    return Lexicon(languages)


def _one_error(left: str, right: str) -> bool:
    """Whether one letter is missing, added, other, or two neighbors are exchanged."""
    if abs(len(left) - len(right)) > 1 or left == right:
        return False
    start = 0
    shortest = min(len(left), len(right))
    while start < shortest and left[start] == right[start]:
        start += 1
    if len(left) == len(right):
        exchanged = left[start : start + 2] == right[start : start + 2][::-1]
        return left[start + 1 :] == right[start + 1 :] or (
            exchanged and left[start + 2 :] == right[start + 2 :]
        )
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    return longer[start + 1 :] == shorter[start:]

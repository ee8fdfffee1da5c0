"""Words one of which must stand in a text wherever a regular expression matches.

In: a pattern. Out: a set of literal texts in small letters, or None where there is no useful one. A
text that has none of them in small letters need not be searched; looking for words is much faster.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

try:
    from re import _parser  # type: ignore[attr-defined]
except ImportError:  # then every pattern is searched
    _parser = None

_MOST = 400
"""Texts that a piece of a pattern may stand for."""
_EVERYWHERE = re.compile(
    r"\bthe\b|\bdefendants?\b|\b(?:is|was|an?|of|to|in|and)\b|被告人?|[的了在是，。；：、]|\s+"
)
"""What stands in every text and tells nothing."""
_SHORTEST, _LONG_ENOUGH = 3, 5
"""Letters; a Chinese character tells as much as three."""
Texts = frozenset[str]
_NOTHING: Texts = frozenset(("",))


def wanted_words(pattern: re.Pattern[str]) -> Texts | None:
    """The most telling set: its shortest text is the longest, without words that are everywhere."""
    if _parser is None:
        return None
    found = [texts for texts in _needed(_parser.parse(pattern.pattern, pattern.flags)) if texts]
    plain = [texts for texts in found if all(map(_one_case, texts))]
    best = max(plain, key=_telling, default=None)
    if best is None or _telling(best)[0] < _SHORTEST:
        return None
    return frozenset(text.lower() for text in best)


def _one_case(text: str) -> bool:
    """Whether small letters are all that ignoring case means: no letters like ß or é."""
    return all(sign.isascii() or sign.lower() == sign.upper() for sign in text)


def _telling(texts: Texts) -> tuple[int, int]:
    """How much a set tells: long enough texts, and few of them."""
    rest = (_EVERYWHERE.sub("", text.lower()) for text in texts)
    shortest = min(sum(1 if sign.isascii() else 3 for sign in text) for text in rest)
    return min(shortest, _LONG_ENOUGH), -len(texts)


def _needed(items: Sequence[Any]) -> list[Texts]:
    """Sets of texts one of which stands in every match of a sequence of pieces."""
    found: list[Texts] = []
    run = _NOTHING
    for item in items:
        exact = _exact(item)
        found += _inside(item)
        if exact is not None and len(run) * len(exact) <= _MOST:
            found.append(exact)
            run = frozenset(before + text for before in run for text in exact)
            continue
        found.append(run)
        run = _NOTHING
    return [texts for texts in [*found, run] if "" not in texts]


def _inside(item: tuple[Any, Any]) -> list[Texts]:
    """The sets that the parts of a piece need."""
    kind, value = str(item[0]), item[1]
    if kind == "SUBPATTERN":
        return _needed(value[3])
    if kind == "BRANCH":
        each = [max(_needed(branch), key=_telling, default=None) for branch in value[1]]
        joint = [texts for texts in each if texts is not None]
        return [frozenset().union(*joint)] if len(joint) == len(each) else []
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _needed(value[2]) if value[0] else []
    if kind == "ATOMIC_GROUP":
        return _needed(value)
    return []


def _exact(item: tuple[Any, Any]) -> Texts | None:
    """The few texts that a piece stands for; None where they are many."""
    kind, value = str(item[0]), item[1]
    if kind == "LITERAL":
        return frozenset((chr(value),))
    if kind in ("AT", "ASSERT", "ASSERT_NOT"):
        return _NOTHING
    if kind == "IN":
        if len(value) <= 4 and all(str(one[0]) == "LITERAL" for one in value):
            return frozenset(chr(one[1]) for one in value)
        return None
    if kind == "SUBPATTERN":
        return _exact_sequence(value[3])
    if kind == "BRANCH":
        each = [_exact_sequence(branch) for branch in value[1]]
        known = [texts for texts in each if texts is not None]
        return frozenset().union(*known) if len(known) == len(each) else None
    if kind in ("MAX_REPEAT", "MIN_REPEAT") and (value[0], value[1]) in ((0, 1), (1, 1)):
        once = _exact_sequence(value[2])
        return None if once is None else once | (_NOTHING if value[0] == 0 else frozenset())
    return None


def _exact_sequence(items: Sequence[Any]) -> Texts | None:
    texts = _NOTHING
    for item in items:
        exact = _exact(item)
        if exact is None or len(texts) * len(exact) > _MOST:
            return None
        texts = frozenset(before + text for before in texts for text in exact)
    return texts

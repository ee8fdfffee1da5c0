"""Strict JSON: what a reply is when nothing has to be mended.

In: text. Out: its value with numbers as written and keys as often as written, or nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from justeval.replies.values import Bare, Pairs, Value

DEEPEST = 12
"""Objects and lists within one another; what lies deeper is no answer to a prompt of ours."""


@dataclass(slots=True)
class Strict:
    """A text that is JSON as it stands; `plain` is False where it holds NaN or Infinity."""

    value: Value
    plain: bool = True


def read_strict(text: str) -> Strict | None:
    """The text as JSON, numbers and keys as often as written; None where it is no JSON."""
    strict = Strict(None)

    def constant(name: str) -> Bare:
        strict.plain = False
        return Bare(name)

    try:
        strict.value = json.loads(
            text,
            object_pairs_hook=lambda items: Pairs(items, closed=True),
            parse_int=Bare,
            parse_float=Bare,
            parse_constant=constant,
        )
    except (ValueError, RecursionError):
        return None
    return None if _too_deep(strict.value, DEEPEST) else strict


def _too_deep(value: Value, left: int) -> bool:
    """Whether objects and lists lie deeper within one another than `left`."""
    if not isinstance(value, Pairs | list):
        return False
    inner = value if isinstance(value, list) else [held for _, held in value.items]
    return left == 0 or any(_too_deep(held, left - 1) for held in inner)

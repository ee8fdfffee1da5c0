"""The shapes that an answer is read into before its words are understood.

A value is text, a Bare word (a number or anything else without quotation marks), true, false,
null, a list, or Pairs: keys with values in the order written, a key as often as it was written.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Bare:
    """A word that stood without quotation marks, as written: 36, 9年, 36 + 10."""

    text: str


@dataclass(slots=True)
class Pairs:
    """Keys and values of one object, or of lines that read like one.

    `closed`: its closing brace was written; `over`: without it, a code fence or a paragraph of
    text shows that it is over. `cut`: the text ends where a value or a key may go on, so that
    what stands last is not to be trusted. `comments`: remarks between the pairs.
    """

    items: list[tuple[str, Value]] = field(default_factory=list)
    closed: bool = False
    over: bool = False
    cut: bool = False
    comments: list[str] = field(default_factory=list)


Value = str | Bare | bool | None | list["Value"] | Pairs


def text_of(value: Value) -> str:
    """A single value as text; nothing for null, a list joined, nothing for pairs."""
    if value is None or isinstance(value, Pairs):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Bare):
        return value.text
    if isinstance(value, list):
        return ", ".join(filter(None, (text_of(item) for item in value)))
    return value


def is_blank(value: Value) -> bool:
    """Whether a value is null, empty or an empty list."""
    return value is None or (isinstance(value, str | list) and not text_of(value).strip())

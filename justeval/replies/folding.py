"""Text brought to one form before words are looked for: width, dashes, spaces, case, characters.

In: text of a reply. Out: the same text with full-width forms, invisible characters, kinds of
dash and quotation mark, and other forms of the same character folded.
"""

from __future__ import annotations

from collections.abc import Mapping

_INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u202a\u202b\u202c\u202d\u202e\x00"
_SPACES = "\u00a0\u3000\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63"
_MARKS = {
    "〜": "~",
    "∼": "~",
    "～": "~",
    "’": "'",
    "‘": "'",
    "＇": "'",
    "…": "..",
    "×": "*",
    "✕": "*",
}
_FRACTIONS = {"½": " 1/2", "¼": " 1/4", "¾": " 3/4"}


def _width() -> dict[int, str]:
    """Full-width forms of ASCII and where they belong; positions in the text are kept."""
    return {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}


WIDTH: Mapping[int, str | None] = {
    **_width(),
    **{ord(mark): " " for mark in _SPACES},
    **{ord(mark): None for mark in _INVISIBLE},
}
"""What is folded in every text before it is read: it changes no word."""

FORMS: Mapping[int, str | None] = {
    **WIDTH,
    **{ord(mark): "-" for mark in _DASHES},
    **{ord(mark): plain for mark, plain in _MARKS.items()},
    **{ord(mark): plain for mark, plain in _FRACTIONS.items()},
}
"""What is folded where words and numbers are looked for."""


def folding_table(same_characters: Mapping[str, str]) -> dict[int, str | None]:
    """FORMS with the characters of a language that have two forms."""
    return {**FORMS, **{ord(other): form for other, form in same_characters.items()}}


def clean(text: str, longest: int = 300) -> str | None:
    """A value for a table: one line, no lone surrogates, at most `longest` characters."""
    line = " ".join(text[: 2 * longest].split())[:longest]
    return writable(line) or None


def writable(text: str) -> str:
    """Text without lone surrogates, which no file can hold: each is a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")

"""Text -> the objects in it: a reader of JSON as models write it.

In: text in which an object may stand among other words. Out: Pairs, with what was mended and
whether the text breaks off. It mends punctuation and quotation marks; it makes up no value:
what stands where a value should be is kept as written, all of it. Its work is bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from justeval.replies.values import Bare, Pairs, Value

STEPS_AT_MOST = 500
"""Keys, values and marks read in one reply; a reply that holds more is not read."""
OBJECTS_AT_MOST = 30
DEEPEST = 8
"""Objects within objects."""

_STRING_LENGTH = 6000
_BARE_LENGTH = 500
_CLOSERS = {'"': '"', "'": "'", "“": '”“"', "”": "”", "‘": "’", "「": "」", "『": "』", "`": "`"}
_SKIPPED = re.compile(
    r"(?:[\s,;、]+|(?P<comment>//[^\n]{0,300}|/\*[^*]{0,300}\*/|<!--[^>]{0,300}-->|#[^\n]{0,300}))"
)
_QUOTED_KEY = re.compile(
    r"[\"“”]([^\n]{0,80}?)[\"”“]\s*(?:[:=]>?|->|(?<=\s)(?=[0-9\"“]))"
    r"|['‘`「『]([^\n]{0,80}?)['’`」』]\s*(?:[:=]>?|->|(?<=\s)(?=[0-9'‘]))"
)
_VALUE_END = (
    r"(?=\s*(?:[,;}\]]|\Z|```)|[ \t]*(?:[\r\n]|//|/\*|#)"
    r"|\s*[\"'“][^\"'“”\n]{1,60}[\"'”]\s*:)"
)
_BARE_KEY = re.compile(r"([^\s:=,;{}\[\]\"'“”][^\n:=,;{}\[\]\"“”]{0,59}?)\s*(?:[:=]>?|->)")
_BARE_STOP = re.compile(r"[,;}\]\n]|//|/\*|```|[ \t](?:#|(?=[\"'“][^\"'“”\n]{1,60}[\"'”]\s*:))|\Z")
_NEXT_KEY = re.compile(
    r"\s*(?:[\"'“][^\"'“”\n]{0,60}|[^\s:=,;{}\[\]\"'“”0-9][^\n:=,;{}\[\]\"“”]{0,40}[:=]|[}\]{]|\Z|//|#)"
)
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*\Z")
_UNKNOWN = re.compile(r"[^,;}\n]*")
_LITERALS: dict[str, bool | None] = {
    "true": True,
    "false": False,
    "null": None,
    "none": None,
    "undefined": None,
    "nil": None,
}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "", "f": ""}


@dataclass(frozen=True, slots=True)
class Found:
    """One object of a text and where it stands."""

    start: int
    end: int
    pairs: Pairs


def find_objects(text: str) -> tuple[list[Found], bool]:
    """The objects in a text, in order, and whether reading was given up for its size."""
    reader = _Reader(text)
    found: list[Found] = []
    start = text.find("{")
    while start >= 0 and not reader.exhausted:
        reader.position = start
        pairs = reader.object(0)
        end = max(reader.position, start + 1)
        holds = bool(pairs.items) or pairs.cut
        if holds:
            found.append(Found(start, end, pairs))
        start = text.find("{", end if holds else start + 1)
        if len(found) > OBJECTS_AT_MOST:
            return found[:1], True
    return found, reader.exhausted


class _Reader:
    """Reads on from `position`; every step counts, and after STEPS_AT_MOST it stops."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self._steps = 0

    @property
    def exhausted(self) -> bool:
        return self._steps > STEPS_AT_MOST

    def object(self, depth: int) -> Pairs:
        """The object whose opening brace stands at `position`."""
        pairs = Pairs()
        self.position += 1
        while not self.exhausted:
            self._steps += 1
            dangling = self._skip(pairs)
            mark = self.text[self.position : self.position + 1]
            if not mark:
                pairs.cut = pairs.cut or dangling
                return pairs
            if mark == "}" or (mark == "]" and not self.text[self.position + 1 :].strip("]} \n`")):
                self.position += 1
                pairs.closed = True
                return pairs
            if self._is_over(pairs, mark):
                pairs.over = True
                return pairs
            self._pair(pairs, mark, depth)
        pairs.cut = True
        return pairs

    def _is_over(self, pairs: Pairs, mark: str) -> bool:
        """Whether a fence, or a new paragraph after quoted keys, ends an object left open."""
        if self.text.startswith("```", self.position):
            return True
        if not pairs.items or mark in _CLOSERS or mark in "{[":
            return False
        before = self.text[max(0, self.position - 8) : self.position]
        return _PARAGRAPH.search(before) is not None

    def _skip(self, pairs: Pairs) -> bool:
        """Passes over spaces, commas and comments; whether the last mark was a comma."""
        dangling = False
        while match := _SKIPPED.match(self.text, self.position):
            self._steps += 1
            self.position = match.end()
            if match["comment"]:
                pairs.comments.append(match["comment"].strip("/*#<!-> \t"))
            elif set(match.group()) & {",", ";", "、"}:
                dangling = True
        return dangling

    def _pair(self, pairs: Pairs, mark: str, depth: int) -> None:
        if mark in "{[" and depth < DEEPEST:
            value, cut = self._value_or_cut(depth)
            self._add(pairs, "", value, cut)
            return
        key = self._key(mark)
        if key is None:
            pairs.cut = self._pass_unknown() or pairs.cut
            return
        self._pass_spaces(pairs)
        if self.position >= len(self.text):
            pairs.cut = True
            return
        value, cut = self._value_or_cut(depth)
        self._add(pairs, key, value, cut)

    def _pass_spaces(self, pairs: Pairs) -> None:
        """Passes over spaces and comments before a value."""
        while match := _SKIPPED.match(self.text, self.position):
            if set(match.group()) & {",", ";", "、"} and not match["comment"]:
                return
            self._steps += 1
            self.position = match.end()
            if match["comment"]:
                pairs.comments.append(match["comment"].strip("/*#<!-> \t"))

    @staticmethod
    def _add(pairs: Pairs, key: str, value: Value, cut: bool) -> None:
        """Adds a whole pair; what lies within and was not closed leaves the whole open."""
        pairs.cut = pairs.cut or cut or (isinstance(value, Pairs) and not value.closed)
        if not cut:
            pairs.items.append((key, value))

    def _key(self, mark: str) -> str | None:
        """A key with the sign after it, None where none stands at `position`."""
        quoted = mark in _CLOSERS
        match = (_QUOTED_KEY if quoted else _BARE_KEY).match(self.text, self.position)
        if match is None:
            return None
        self.position = match.end()
        return (match[match.lastindex or 1] or "").strip()

    def _pass_unknown(self) -> bool:
        """Passes over what is no key; whether it reaches to the end of the text."""
        match = _UNKNOWN.match(self.text, self.position + 1)
        self.position = match.end() if match else len(self.text)
        return self.position >= len(self.text)

    def _value_or_cut(self, depth: int) -> tuple[Value, bool]:
        """The value at `position`, and whether the text ends within it."""
        self._steps += 1
        mark = self.text[self.position]
        if mark == "{" and depth < DEEPEST:
            return self.object(depth + 1), False
        if mark == "[" and depth < DEEPEST:
            return self._list(depth + 1)
        if mark in _CLOSERS:
            return self._string()
        return self._bare()

    def _list(self, depth: int) -> tuple[Value, bool]:
        items: list[Value] = []
        passed = Pairs()
        self.position += 1
        while not self.exhausted:
            self._steps += 1
            self._skip(passed)
            mark = self.text[self.position : self.position + 1]
            if mark == "]":
                self.position += 1
                return items, False
            if not mark or mark == "}" or self.text.startswith("```", self.position):
                return items, True
            value, cut = self._value_or_cut(depth)
            if cut:
                return items, True
            if isinstance(value, Pairs) and not value.closed:
                return [*items, value], True
            items.append(value)
        return items, True

    def _string(self) -> tuple[str | None, bool]:
        """A text in quotation marks; the closing mark is the first that something can follow."""
        start = self.position + 1
        pattern = _string_end(_CLOSERS[self.text[self.position]])
        for match in pattern.finditer(self.text, start, start + _STRING_LENGTH):
            self._steps += 1
            written = self.text[start : match.start()]
            if (len(written) - len(written.rstrip("\\"))) % 2:
                continue
            self.position = match.end()
            return _unescaped(written), False
        return self._unended(start)

    def _unended(self, start: int) -> tuple[str | None, bool]:
        """A string without a closing mark that anything can follow ends with its line.

        What stands after its mark on that line belongs to the value: "36" months.
        """
        line_end = self.text.find("\n", start)
        if line_end >= 0 and self.text[line_end:].strip():
            self.position = line_end
            return self.text[start:line_end].strip().rstrip(",;").strip(), False
        mark = self.text[start - 1]
        stop = _UNKNOWN.match(self.text, start)
        end = stop.end() if stop else len(self.text)
        if end >= len(self.text) or mark not in self.text[start:end]:
            self.position = len(self.text)
            return None, True
        self.position = end
        return self.text[start:end].replace(mark, " ").strip(), False

    def _bare(self) -> tuple[Value, bool]:
        """A value without quotation marks, as written up to a comma that a key follows."""
        start = self.position
        position = start
        while match := _BARE_STOP.search(self.text, position, start + _BARE_LENGTH):
            self._steps += 1
            if match.group() in (",", ";") and not _NEXT_KEY.match(self.text, match.end()):
                position = match.end()
                continue
            break
        stop = match.start() if match else len(self.text)
        self.position = max(stop, start + (stop == start and stop < len(self.text)))
        written = self.text[start:stop].strip()
        if stop >= len(self.text) and not self.text[start:].endswith((" ", "\t", "\n", "\r")):
            return None, True
        if len(written) < 10 and written.lower() in _LITERALS:
            return _LITERALS[written.lower()], False
        return (Bare(written) if written else None), False


@cache
def _string_end(closers: str) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(closers)}]{_VALUE_END}")


def _unescaped(written: str) -> str:
    if "\\" not in written:
        return written

    def plain(match: re.Match[str]) -> str:
        mark = match[1]
        if mark[0] == "u" and len(mark) == 5:
            return chr(int(mark[1:], 16))
        return _ESCAPES.get(mark, mark)

    return _ESCAPE.sub(plain, written)

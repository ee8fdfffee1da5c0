"""The objects of a JSON file, one by one: of lines, or of an array that is never held whole.

In: a text stream. Out: items, each with its cells as text or with what is wrong. Objects inside
objects are columns with a dot; a number stays as it is written, true and false are words, null is
no text, a list is JSON text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TextIO

Cells = dict[str, str | None]
_CHUNK = 1 << 20
_LARGEST_ITEM = 1 << 26
"""Characters of one item of an array; more means that it never ends."""
_SPACE = re.compile(r"\s*")
_HALF = re.compile("[\ud800-\udfff]")


class _Number(str):
    """A number as it is written."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One object, or why there is none. `others` are its columns that were not asked for."""

    number: int
    cells: Cells
    problem: str = ""
    others: tuple[str, ...] = ()


Wanted = Collection[str] | None
"""The columns whose cells are made into text; None for all."""


def line_items(stream: TextIO, wanted: Wanted = None) -> Iterator[Item]:
    """The objects of a file with one on each line."""
    for number, line in enumerate(stream, start=1):
        text = line.strip().lstrip("\ufeff")
        if not text:
            continue
        try:
            data, end = _DECODER.raw_decode(text)
            if end < len(text):
                raise ValueError("more text follows the object")
        except (ValueError, RecursionError) as error:
            yield Item(number, {}, f"no valid JSON ({error})")
            continue
        yield _object(number, data, wanted)


def array_items(stream: TextIO, wanted: Wanted = None) -> Iterator[Item]:
    """The items of an array, of which only a window of text is held."""
    window = _Window(stream)
    window.take("[")
    number = 0
    if window.take("]"):
        return
    while True:
        number += 1
        data, problem = window.value()
        if problem:
            yield Item(number, {}, problem)
            return
        yield _object(number, data, wanted)
        if window.take(","):
            continue
        if not window.take("]"):
            yield Item(number, {}, "after it neither , nor ] follows; the file is cut or damaged")
        elif window.rest():
            yield Item(number, {}, "more text follows the end of the array")
        return


class _Window:
    """A piece of a stream that grows until one JSON value fits into it."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.text = stream.read(_CHUNK).lstrip("\ufeff")
        self.at = 0

    def _more(self, size: int = _CHUNK) -> bool:
        more = self.stream.read(size)
        self.text = self.text[self.at :] + more
        self.at = 0
        return bool(more)

    def _skip_space(self) -> None:
        while True:
            found = _SPACE.match(self.text, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.text) or not self._more():
                return

    def take(self, mark: str) -> bool:
        """Whether the mark comes next; if so, it is taken."""
        self._skip_space()
        taken = self.text.startswith(mark, self.at)
        self.at += taken
        return taken

    def value(self) -> tuple[object, str]:
        """The next value, or what is wrong."""
        self._skip_space()
        size = _CHUNK
        while True:
            try:
                data, end = _DECODER.raw_decode(self.text, self.at)
            except (ValueError, RecursionError) as error:
                told = f"no valid JSON ({error}); the file is cut or damaged there"
                if isinstance(error, _TwiceError) or len(self.text) > _LARGEST_ITEM:
                    return None, told
                if not self._more(size):
                    return None, told
                size *= 2
                continue
            self.at = end
            return data, ""

    def rest(self) -> bool:
        """Whether anything but space is left."""
        self._skip_space()
        return self.at < len(self.text)


class _TwiceError(ValueError):
    """A name that stands twice in one object."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    named = dict(pairs)
    if len(named) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _TwiceError(f"{twice!r} stands twice in an object")
    return named


_DECODER = json.JSONDecoder(
    object_pairs_hook=_once, parse_int=_Number, parse_float=_Number, parse_constant=_Number
)


def _object(number: int, data: object, wanted: Wanted) -> Item:
    if not isinstance(data, dict):
        return Item(number, {}, "must be a JSON object, one case each")
    cells: Cells = {}
    others: list[str] = []
    try:
        clash = _flatten(data, "", cells, wanted, others)
    except RecursionError:
        return Item(number, {}, "objects in objects without end; it is damaged")
    if clash:
        return Item(number, {}, f"{clash!r} stands both with a dot and as an object in an object")
    for name, cell in cells.items():
        if cell and ("\x00" in cell or (not cell.isascii() and _HALF.search(cell))):
            what = "a zero byte" if "\x00" in cell else "half a character (a lone surrogate)"
            return Item(number, {}, f"column {name}: holds {what}; it is damaged or not text")
    return Item(number, cells, others=tuple(others))


def _flatten(
    data: Mapping[str, object], before: str, into: Cells, wanted: Wanted, others: list[str]
) -> str:
    """Puts the cells of an object into a row; the name that would stand twice, if any."""
    for key, value in data.items():
        name = f"{before}{key}"
        if isinstance(value, dict) and value and not _is_spans(name):
            clash = _flatten(value, f"{name}.", into, wanted, others)
            if clash:
                return clash
            continue
        if wanted is not None and name not in wanted:
            others.append(name)
            continue
        if name in into:
            return name
        into[name] = _text(value)
    return ""


def _is_spans(name: str) -> bool:
    """Whether a column is that of the marked spans, an object by label."""
    return name.lower() == "spans"


def _text(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: object) -> object:
    """A list or object as JSON text can be made of it: numbers become numbers again."""
    if isinstance(value, _Number):
        return json.loads(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value

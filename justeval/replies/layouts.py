"""Answers that are no JSON: lines of key and value, tables, tags.

In: folded text without an object. Out: Pairs for each record found. Only keys that the lexicon
knows are looked for; a value ends with its line or where the next key begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from justeval.replies.lexicon import Lexicon, tree_pattern
from justeval.replies.values import Bare, Pairs

_PAIRS_AT_MOST = 60
_ROWS_AT_MOST = 60
_CELLS_AT_MOST = 30
_BEFORE = " \t\r\n,;，；、|*•(（\"'【[{>。.:：-_`“"
"""What may stand right before a key; after anything else it is part of a longer word."""
_AFTER = (
    r"[\"'*_`】\]]{0,3}(?P<unit>\s?[(（][^()（）\n]{1,14}[)）])?[\"'*_`】\]]{0,3}"
    r"\s{0,3}(?:[:=]|->)[>*_]{0,3}"
)
_LINE_KEY = re.compile(
    r"^[ \t#>*•\-\d.)、]{0,12}[\"'*_`【\[]{0,3}(?P<key>[^\W\d][^\n:=|{}\"*]{0,30}?)"
    r"[\"'*_`】\]]{0,3}[ \t]{0,3}(?:[:=]|->)[*_]{0,3}",
    re.MULTILINE,
)
_TAG = re.compile(r"<([^\W\d][\w -]{0,40})>\s{0,20}([^<>]{0,300}?)\s{0,20}</\1\s{0,3}>")
_RULE = re.compile(r"[\s|:+=-]*")
_MARKS = " \t\r*_`\"'【】"


@dataclass(frozen=True, slots=True)
class _Key:
    start: int
    end: int
    name: str


class LayoutReader:
    """Finds keys and values in text by the keys of one lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        words = {form for word in lexicon.key_words for form in (word, word.replace(" ", "_"))}
        self._known = re.compile(f"(?P<key>{tree_pattern(words)}){_AFTER}")

    def read(self, folded: str) -> list[Pairs]:
        """The records in the text: rows of a table, else one of all lines and tags."""
        tables = self._table(folded)
        if tables:
            return tables
        tags = self._tags(folded)
        pairs = tags if tags.items else self._lines(folded)
        return [pairs] if pairs.items else []

    def _tags(self, folded: str) -> Pairs:
        pairs = Pairs(over=True)
        for match in islice(_TAG.finditer(folded), _PAIRS_AT_MOST):
            if self.lexicon.role(match[1])[0] is not None:
                pairs.items.append((match[1], Bare(match[2].strip(_MARKS))))
        return pairs

    def _lines(self, folded: str) -> Pairs:
        keys = self._keys(folded)
        pairs = Pairs()
        for key, following in zip(keys, [*keys[1:], None], strict=False):
            stop = following.start if following else len(folded)
            value, end = _value(folded, key.end, stop)
            pairs.items.append((key.name, Bare(value) if value else None))
            pairs.cut = bool(value) and end >= len(folded) and folded.endswith(value)
        return pairs

    def _keys(self, folded: str) -> list[_Key]:
        found: dict[int, _Key] = {}
        for match in self._known.finditer(folded):
            if match.start() and folded[match.start() - 1] not in _BEFORE:
                continue
            name = match["key"] + (match["unit"] or "")
            found[match.start("key")] = _Key(match.start(), match.end(), name)
            if len(found) > _PAIRS_AT_MOST:
                break
        for match in _LINE_KEY.finditer(folded):
            known = self.lexicon.role(match["key"])[0] is not None
            if known and match.start("key") not in found and len(found) <= _PAIRS_AT_MOST:
                found[match.start("key")] = _Key(match.start(), match.end(), match["key"])
        return [found[start] for start in sorted(found)]

    def _table(self, folded: str) -> list[Pairs]:
        rows = [row for row in _rows(folded) if row]
        if len(rows) < 2:
            return []
        header = [self.lexicon.role(cell)[0] for cell in rows[0]]
        if sum(role is not None for role in header) >= 2:
            records = [
                Pairs([(key, Bare(cell)) for key, cell in zip(*pair, strict=True)], over=True)
                for pair in ((rows[0], row) for row in rows[1:])
                if len(pair[0]) == len(pair[1])
            ]
            return _with_cut(records, folded)
        items = [(row[0], Bare(row[1])) for row in rows if len(row) == 2 and self._is_key(row[0])]
        return _with_cut([Pairs(list(items), over=True)], folded) if items else []

    def _is_key(self, cell: str) -> bool:
        return self.lexicon.role(cell)[0] is not None


def _with_cut(records: list[Pairs], folded: str) -> list[Pairs]:
    """Marks the last row as cut where its line breaks off before its closing bar."""
    last = folded[folded.rfind("\n") + 1 :]
    if records and "|" in last and not last.rstrip().endswith("|"):
        records[-1].over, records[-1].cut = False, True
    return records


def _rows(folded: str) -> Iterator[list[str]]:
    """The cells of lines that are rows of a table."""
    if "|" not in folded:
        return
    lines = [line for line in folded.split("\n") if "|" in line]
    for line in lines[:_ROWS_AT_MOST]:
        if not _RULE.fullmatch(line):
            cells = line.strip().strip("|").split("|")
            yield [cell.strip(_MARKS) for cell in cells] if len(cells) <= _CELLS_AT_MOST else []


def _value(folded: str, start: int, stop: int) -> tuple[str, int]:
    """The value after a key: the rest of its line, or the next line where the rest is empty."""
    lines = folded[start:stop].split("\n")
    end = start
    for index, line in enumerate(lines[:2]):
        end += len(line) + bool(index)
        stripped = line.strip(_MARKS + ",;，；|、{}[]")
        if stripped and not stripped.startswith("```"):
            return stripped, end
    return "", end


@lru_cache(maxsize=16)
def layout_reader_of(lexicon: Lexicon) -> LayoutReader:
    """The reader of a lexicon, made once."""
    return LayoutReader(lexicon)

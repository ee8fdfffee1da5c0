"""The delimiter and the header of a delimited file.

In: the beginning of its text. Out: which of `,` `;` tab `|` separates cells, and the header. The
first line may say it (`sep=;`, as spreadsheets write it). Else it is the delimiter that the header
holds; if several do, the one by which the rows have as many cells as the header.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from itertools import islice

DELIMITERS = (",", ";", "\t", "|")
_ROWS = 40
_SEP = re.compile(r"sep=(.)\r?\n", re.I)


@dataclass(frozen=True, slots=True)
class Dialect:
    """A delimiter, the header's cells, the characters before the first row of data, and that
    row's number (the header is row 1, or 2 after a `sep=` line)."""

    delimiter: str
    header: tuple[str, ...]
    skipped: int
    first: int


def detect_dialect(text: str, delimiter: str = "") -> Dialect:
    """The dialect of a text; `delimiter` is one that is known already. No header if it is empty.

    Raises csv.Error where the header cannot be read.
    """
    sep = _SEP.match(text)
    start = sep.end() if sep else 0
    if sep and not delimiter:
        delimiter = sep[1]
    body = text[start:]
    chosen = delimiter or _best(body)
    stream = io.StringIO(body, newline="")
    reader = csv.reader(stream, delimiter=chosen, strict=True)
    header: list[str] = []
    first = 2 + bool(sep)
    for cells in reader:
        if cells:
            header = cells
            break
        first += 1
    lines = body.splitlines(keepends=True) if not header else _lines(body, reader.line_num)
    skipped = start + sum(map(len, lines))
    return Dialect(chosen, tuple(header), skipped, first)


def _lines(text: str, count: int) -> list[str]:
    """The first lines of a text as the csv reader counts them: \\r\\n, \\n or \\r ends one."""
    stream = io.StringIO(text, newline="")
    return list(islice(stream, count))


def _best(text: str) -> str:
    """The delimiter that fits best; a comma where none is there."""
    scores = [(*_score(text, delimiter), -i) for i, delimiter in enumerate(DELIMITERS)]
    best = max(scores)
    return DELIMITERS[-best[2]] if best[1] > 1 else ","


def _score(text: str, delimiter: str) -> tuple[float, int]:
    """The share of rows that have as many cells as the header, and how many it has."""
    rows: list[int] = []
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        rows = [len(cells) for cells in islice(reader, _ROWS) if cells]
    except csv.Error:
        pass
    if not rows or rows[0] < 2:
        return 0.0, 1
    body = rows[1:-1] or rows[1:] or rows[:1]  # the last may be cut by the end of the sample
    return round(sum(n == rows[0] for n in body) / len(body), 1), rows[0]

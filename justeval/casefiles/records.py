"""What passes between the steps: what a file is, batches of its cells, and what is wrong with it.

In: nothing. Out: records. All cells are text or null; places name rows as the file counts them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from justeval.errors import CaseFileError, Problem

_NUMBER = re.compile(r" (?:row|line|item) (\d+)(?:, column .*| \(line \d+\)| or later)?\Z", re.S)
PROBLEMS_SHOWN = 200
"""Problems that are listed one by one; of more, the number is told."""


def one_line(text: str, most: int = 1_000) -> str:
    """A text without line breaks and of bounded length, for a message."""
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def name_shown(name: str) -> str:
    """A column's name for a message: a damaged file may have a whole text in its place."""
    return one_line(name, 60) or "(blank)"


class Problems:
    """All that is wrong with a file, in a list of bounded length."""

    def __init__(self, shown: int = PROBLEMS_SHOWN) -> None:
        self.shown = shown
        self.found: list[Problem] = []
        self.more: Counter[str] = Counter()

    def add(self, place: str, message: str, kind: str = "problems") -> None:
        """Notes one problem; `kind` names those that are only counted."""
        if len(self.found) < self.shown:
            self.found.append(Problem(one_line(place), one_line(message)))
        else:
            self.more[kind] += 1

    @property
    def count(self) -> int:
        """How many there are, listed or not."""
        return len(self.found) + self.more.total()

    def raise_if_any(self, path: Path) -> None:
        """Raises CaseFileError with all that was found."""
        if not self.count:
            return
        rest = [
            Problem(str(path), f"{number:,} more {kind}, not listed")
            for kind, number in self.more.items()
        ]
        raise CaseFileError([*sorted(self.found, key=_row_of), *rest])


def _row_of(problem: Problem) -> int:
    """The row that a problem is in; 0 where it is about the file."""
    number = _NUMBER.search(problem.place)
    return int(number[1]) if number else 0


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What a file is: its format, how it is written, and the names of its columns.

    `first` is the number of the first row of data; `unit` is what the file counts (row, line,
    item). `notes` are things that a user should know, such as a guessed encoding.
    """

    path: Path
    format: str
    columns: tuple[str, ...]
    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    unit: str = "row"
    first: int = 2
    notes: tuple[str, ...] = ()

    def described(self) -> str:
        """One line: `cases.csv: CSV, UTF-8, delimiter ';', 3 columns`."""
        names = {"\t": "tab", " ": "space"}
        parts = [self.format, self.encoding]
        if self.delimiter:
            shown = names.get(self.delimiter, repr(self.delimiter))
            parts.append(f"delimiter {shown}")
        if self.sheet:
            parts.append(f"sheet {self.sheet!r}")
        count = len(self.columns)
        parts.append(f"{count:,} column{'' if count == 1 else 's'}")
        return f"{self.path}: {', '.join(part for part in parts if part)}"


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows: `cells` has one text column for each column asked for, in that order.

    `numbers` are the rows' numbers as the file counts them. `ascii` promises that no cell holds
    anything else.
    """

    cells: pa.Table
    numbers: Sequence[int]
    ascii: bool = False

    def column(self, at: int) -> list[str | None]:
        """One column as Python text."""
        return self.cells.column(at).to_pylist()


class NotPlainError(Exception):
    """The fast reader met something that the careful one must look at."""


class OtherEncodingError(Exception):
    """The bytes are not what their beginning made believe."""


Batches = Callable[[Sequence[str], Problems, bool], Iterator[Batch]]
"""Columns wanted, where problems go, whether to be fast -> batches. Rows that are wrong are noted
and left out. Raises NotPlainError if fast is not possible."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is open for reading, as often as wanted."""

    info: SourceInfo
    batches: Batches
    sample: tuple[dict[str, str | None], ...] = field(default=())

    def place(self, number: int, column: str = "") -> str:
        """`cases.csv row 7, column facts`."""
        told = f"{self.info.path} {self.info.unit} {number}"
        return f"{told}, column {name_shown(column)}" if column else told


def check_names(place: str, names: Sequence[str]) -> None:
    """Raises CaseFileError with every name that stands twice among a file's columns."""
    counts = Counter(names)
    problems = [
        Problem(f"{place}, column {name_shown(name)}", "stands twice; rename one")
        for name, count in counts.items()
        if count > 1
    ]
    if problems:
        raise CaseFileError(problems)


def text_table(columns: Sequence[str], rows: Sequence[Sequence[str | None]]) -> pa.Table:
    """Rows of text as a table; raises UnicodeEncodeError for half a character."""
    lists = list(zip(*rows, strict=True)) or [()] * len(columns)
    arrays = [pa.array(cells, pa.string()) for cells in lists]
    return pa.Table.from_arrays(arrays, names=list(columns))

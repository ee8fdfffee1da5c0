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


def sample_rows(columns: int) -> int:
    """How many of the first rows are looked at for a mapping: fewer of a wide file."""
    return max(3, min(100, 200_000 // max(columns, 1)))


def one_line(text: str, most: int = 1_000) -> str:
    """A text without line breaks and of bounded length, for a message."""
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def counted(number: int, one: str, several: str = "") -> str:
    """A number with its noun, in the singular or the plural: `1 cell`, `2,000 cells`."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


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
        raise CaseFileError([*sorted(self.found, key=row_of), *rest])


def row_of(problem: Problem) -> int:
    """The row that a problem is in; 0 where it is about the file."""
    number = _NUMBER.search(problem.place)
    return int(number[1]) if number else 0


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What a file is: its format, how it is written, and the names of its columns.

    `sheets` are the other sheets of a workbook, `first` is the number of the first row of data,
    `unit` is what the file counts (row, line, item). `unnamed` are names that we gave to columns
    without one. `notes` are things that a user should know, such as a guessed encoding.
    """

    path: Path
    format: str
    columns: tuple[str, ...]
    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    unit: str = "row"
    first: int = 2
    unnamed: tuple[str, ...] = ()
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
        parts.append(counted(len(self.columns), "column"))
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


class OtherBeginningError(Exception):
    """The file is not what its beginning made believe: other bytes, or more columns."""


Batches = Callable[[Sequence[str], Problems, bool], Iterator[Batch]]
"""Columns wanted, where problems go, whether to be fast -> batches. Rows that are wrong are noted
and left out. Raises NotPlainError if fast is not possible."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is open for reading, as often as wanted.

    `sample` are its first sound rows, `faults` what is wrong with its names of columns.
    """

    info: SourceInfo
    batches: Batches
    sample: tuple[dict[str, str | None], ...] = field(default=())
    faults: tuple[Problem, ...] = ()

    def place(self, number: int, column: str = "") -> str:
        """`cases.csv row 7, column facts`."""
        told = f"{self.info.path} {self.info.unit} {number}"
        return f"{told}, column {name_shown(column)}" if column else told


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a file's columns, made unique: `unnamed` are those that we gave, `faults` tell
    the names that stand twice."""

    columns: tuple[str, ...]
    unnamed: tuple[str, ...]
    faults: tuple[Problem, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What to tell of columns without a name."""
        if not self.unnamed:
            return ()
        shown = ", ".join(self.unnamed[:6]) + (", …" if len(self.unnamed) > 6 else "")
        return (f"without a name: {shown}; left out unless asked for by --keep or --map",)


def unique_names(place: str, names: Sequence[str]) -> Names:
    """Names of columns as they stand; a blank one is called by its number, `column 3`.

    A name that stands twice is a fault; it gets another, so that the rows can still be checked.
    """
    faults: list[Problem] = []
    columns: list[str] = []
    unnamed: list[str] = []
    counts: Counter[str] = Counter()
    taken = set(names)
    for number, name in enumerate(names, start=1):
        counts[name] += 1
        given = name
        if not name.strip():
            given = _free(f"column {number}", taken)
            unnamed.append(given)
        elif counts[name] > 1:
            given = _free(f"{name} ({counts[name]})", taken)
            if counts[name] == 2:
                place_of = f"{place}, column {name_shown(name)}"
                faults.append(Problem(place_of, "stands twice; rename one"))
        taken.add(given)
        columns.append(given)
    return Names(tuple(columns), tuple(unnamed), tuple(faults))


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    return name


def text_table(columns: Sequence[str], rows: Sequence[Sequence[str | None]]) -> pa.Table:
    """Rows of text as a table; raises UnicodeEncodeError for half a character."""
    lists = list(zip(*rows, strict=True)) or [()] * len(columns)
    arrays = [pa.array(cells, pa.string()) for cells in lists]
    return pa.Table.from_arrays(arrays, names=list(columns))

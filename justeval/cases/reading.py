"""Rows -> cases, or every problem with its row and column."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from justeval.cases.records import Case, Span
from justeval.cases.rows import Row, read_rows
from justeval.errors import Problem
from justeval.schema import CASES, PENALTIES

COLUMNS = tuple(CASES.names)
SPANS_EXAMPLE = '{"defendant_sex": [[120, 123]]}'
_CJK = re.compile(r"[\u3400-\u9fff]+")
_HALF = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Checked:
    """What a file of cases holds: the sound cases, and all problems of the others."""

    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]


def check_cases(path: Path) -> Checked:
    """Reads a file of cases and checks every row.

    Raises CaseFileError where the file as a whole cannot be read.
    """
    return check_rows(read_rows(path), path)


def check_rows(rows: Iterable[Row], path: Path) -> Checked:
    """Checks rows that stand in the `cases` shape; `path` names the file in problems."""
    cases: list[Case] = []
    problems: list[Problem] = []
    seen: dict[str, str] = {}
    missing_reported = False
    for row in rows:
        if row.problem:
            problems.append(Problem(row.place, row.problem))
            continue
        missing = [name for name in ("case_id", "facts") if name not in row.cells]
        if missing:
            if not missing_reported or path.suffix.lower() == ".jsonl":
                problems += [_missing_column(row, name) for name in missing]
            missing_reported = True
            continue
        case, found = _case(row)
        if case is not None and case.case_id in seen:
            message = f"{case.case_id!r} stands already in {seen[case.case_id]}; ids are unique"
            found.append(Problem(f"{row.place}, column case_id", message))
        problems += found
        if case is not None and not found:
            seen[case.case_id] = row.place.removeprefix(f"{path} ")
            cases.append(case)
    if not cases and not problems:
        problems.append(Problem(str(path), "no cases in it; one row is one case"))
    return Checked(tuple(cases), tuple(problems))


def _missing_column(row: Row, name: str) -> Problem:
    near = ", ".join(list(row.cells)[:8]) or "none"
    return Problem(f"{row.place}, column {name}", f"missing; the columns are {near}")


def detect_language(text: str) -> str:
    """`zh` where at least a tenth of the characters is Chinese, else `en`."""
    chinese = sum(map(len, _CJK.findall(text)))
    return "zh" if text and chinese >= 0.1 * len(text) else "en"


def _case(row: Row) -> tuple[Case | None, list[Problem]]:
    cells = _Cells(row)
    case_id = cells.text("case_id", required=True)
    facts = cells.text("facts", required=True)
    case = Case(
        case_id=case_id or "",
        facts=facts or "",
        language=cells.text("language") or detect_language(facts or ""),
        charge=cells.text("charge"),
        jurisdiction=cells.text("jurisdiction"),
        filed_year=cells.year("filed_year"),
        true_months=cells.months("true_months"),
        true_penalty=cells.choice("true_penalty", PENALTIES),
        extra={k: v for k, v in row.cells.items() if k not in COLUMNS and k != "spans"},
        spans=cells.spans("spans", len(facts or "")),
    )
    return (case if case_id and facts else None), cells.problems


class _Cells:
    """The cells of one row, read one by one; what is wrong is noted with its column."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.problems: list[Problem] = []

    def wrong(self, column: str, message: str) -> None:
        self.problems.append(Problem(f"{self.row.place}, column {column}", message))

    def text(self, column: str, required: bool = False) -> str | None:
        cell = self.row.cells.get(column)
        if isinstance(cell, bool) or not isinstance(cell, str | int | float | None):
            self.wrong(column, f"must be text, not {type(cell).__name__}")
            return None
        text = "" if cell is None else str(cell)
        if not text.strip():
            if required:
                self.wrong(column, "empty; every case needs one")
            return None
        if "\x00" in text or _HALF.search(text):
            what = "a zero byte" if "\x00" in text else "half a character (a lone surrogate)"
            self.wrong(column, f"holds {what}; the file is damaged or not text")
            return None
        return text

    def number(self, column: str) -> float | None:
        cell = self.row.cells.get(column)
        if cell is None or (isinstance(cell, str) and not cell.strip()):
            return None
        # Python alone would read 1_2 as 12.
        unread = isinstance(cell, bool) or (isinstance(cell, str) and "_" in cell)
        try:
            number = math.nan if unread else float(cell)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            self.wrong(column, f"{str(cell)[:40]!r} is no number; leave it empty where unknown")
            return None
        return number

    def months(self, column: str) -> float | None:
        months = self.number(column)
        if months is not None and months < 0:
            self.wrong(column, f"{months:g} is below 0; months, or empty where there is no term")
            return None
        return months

    def year(self, column: str) -> int | None:
        year = self.number(column)
        if year is None:
            return None
        if year != int(year) or not 1000 <= year <= 2999:
            self.wrong(column, f"{year:g} is no year of four digits")
            return None
        return int(year)

    def choice(self, column: str, allowed: tuple[str, ...]) -> str | None:
        text = self.text(column)
        if text is not None and text not in allowed:
            self.wrong(column, f"{text!r} is none of {', '.join(allowed)}")
            return None
        return text

    def spans(self, column: str, length: int) -> dict[str, tuple[Span, ...]]:
        cell = self.row.cells.get(column)
        if cell is None or cell == "":
            return {}
        try:
            data = json.loads(cell) if isinstance(cell, str) else cell
        except ValueError:
            data = None
        if not isinstance(data, Mapping):
            self.wrong(column, f"must be JSON such as {SPANS_EXAMPLE}")
            return {}
        found = {}
        for label, marks in data.items():
            spans = _spans(marks)
            ends = [0, *(span.end for span in spans or ())]
            if spans is None:
                self.wrong(column, f"{label}: must be a list of spans, as in {SPANS_EXAMPLE}")
            elif any(not ends[i] <= s.start < s.end <= length for i, s in enumerate(spans)):
                self.wrong(column, f"{label}: spans must not overlap, and lie in the facts")
            elif spans:
                found[str(label)] = spans
        return found


def _spans(marks: object) -> tuple[Span, ...] | None:
    """The spans of one label in order, none where it has none; None where they are malformed."""
    if marks is None:
        return ()
    if not isinstance(marks, list):
        return None
    spans = [_span(mark) for mark in marks]
    kept = [span for span in spans if span is not None]
    return tuple(sorted(kept)) if len(kept) == len(spans) else None


def _span(mark: object) -> Span | None:
    if not isinstance(mark, list | tuple) or len(mark) not in (2, 3):
        return None
    start, end, *beside = mark
    if any(not isinstance(x, int) or isinstance(x, bool) for x in (start, end)):
        return None
    if beside and not isinstance(beside[0], str):
        return None
    return Span(start, end, *beside)

"""A term as a file states it -> months and the kind of penalty.

In: the cells that state it and the rule that reads them. Out: months or None, a kind or None, or
what is wrong. Life and death are kinds and never months; a code means what the rule says; a number
without a unit is months only where the rule says months. Nothing is guessed: a number that can be
no term must be named as a code.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from justeval.casefiles.mapping import UNIT_NAMES, UNKNOWN, Rule
from justeval.schema import PENALTIES

MONTHS_IN = {"years": 12.0, "months": 1.0, "weeks": 12 / 52, "days": 1 / 30}
"""As replies are read: a year has 12 months or 52 weeks, a month 30 days."""
LONGEST_TERM = 1_200.0
"""Months: longer than any term of the published files; a larger number is a code."""
_CODES = frozenset((999.0, *map(float, range(9990, 10_000)), 99999.0))
"""Numbers by which files say unknown, life and the like; asked about even where they could be a
term."""
_WORDS = {
    "years": ("years", "year", "year(s)", "yrs", "yr", "y", "年"),
    "months": ("months", "month", "month(s)", "mos", "mo", "m", "个月", "個月", "月"),
    "weeks": ("weeks", "week", "week(s)", "wks", "wk", "w", "周", "星期"),
    "days": ("days", "day", "day(s)", "d", "日", "天"),
    "life": ("life", "natural life", "life imprisonment", "无期徒刑", "无期", "終身", "终身监禁"),
    "death": ("death", "death penalty", "死刑"),
}
_MEANING_OF_WORD = {word: name for name, words in _WORDS.items() for word in words}
_PIECE = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z()]+|[年个個月周星期日天]+)[\s,和零]*(?:and\s+)?")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z")


@dataclass(frozen=True, slots=True)
class Term:
    """Months, a kind of penalty, or what is wrong with the cells."""

    months: float | None = None
    kind: str | None = None
    problem: str = ""
    of_unit: bool = False
    """Whether it is the unit's cell that is wrong."""


def read_term(cell: str | None, unit: str | None, rule: Rule) -> Term:
    """A term from its cell and, where the rule names a column for it, the unit's cell."""
    text = (cell or "").strip()
    unit_text = (unit or "").strip()
    meaning = _code(text, rule) or _unit_meaning(unit_text, rule)
    if meaning == UNKNOWN:
        return Term()
    if meaning in PENALTIES:
        return Term(kind=meaning)
    if not text:
        return Term()
    if meaning and meaning not in UNIT_NAMES:  # a code that means months
        return Term(float(meaning))
    if rule.unit_column and not meaning:
        allowed = ", ".join(UNIT_NAMES)
        told = f"the unit {unit_text[:40]!r} is none of" if unit_text else "no unit; it is one of"
        way_out = "; say what it means in `units:`" if unit_text else ""
        return Term(problem=f"{told} {allowed}{way_out}", of_unit=True)
    number = _number(text)
    if number is None:
        return _words(text)
    months = number * MONTHS_IN[meaning or rule.unit or "months"]
    if months < 0 or months > LONGEST_TERM:
        told = "below 0" if months < 0 else f"more than {LONGEST_TERM:,.0f} months"
        return Term(
            problem=f"{text!r} is {told}; if it is a code, say what it means: --code {text}=life"
        )
    if number in _CODES:
        told = f"--code {text}=unknown, or --code {text}={_tidy(months):g} if it is a term"
        return Term(problem=f"{text!r} may be a code; say what it means: {told}")
    return Term(_tidy(months))


def _code(text: str, rule: Rule) -> str:
    """What a cell means as a code: by its text, or by its number (9996.0 as 9996)."""
    if text in rule.codes:
        return rule.codes[text]
    number = _number(text)
    if number is not None and number.is_integer():
        return rule.codes.get(str(int(number)), "")
    return ""


def _unit_meaning(text: str, rule: Rule) -> str:
    """What the cell of the unit means: a unit, a penalty, months, or nothing known."""
    if not rule.unit_column or not text:
        return ""
    for word, meaning in rule.units.items():
        if word.casefold() == text.casefold():
            return meaning
    return _MEANING_OF_WORD.get(text.casefold(), "")


def _number(text: str) -> float | None:
    if not _NUMBER.match(text):
        return None
    number = float(text)
    return number if math.isfinite(number) else None


def _words(text: str) -> Term:
    """A term in words and digits: `3 years 6 months`, 2年6个月, `life`."""
    folded = text.casefold()
    kind = _MEANING_OF_WORD.get(folded)
    if kind in PENALTIES:
        return Term(kind=kind)
    months, at, units = 0.0, 0, list[str]()
    while at < len(folded):
        piece = _PIECE.match(folded, at)
        unit = _MEANING_OF_WORD.get(piece[2], "") if piece else ""
        if piece is None or unit not in UNIT_NAMES or unit in units:
            return Term(
                problem=f"{text[:40]!r} is no number and no term such as '3 years 6 months'"
            )
        months += float(piece[1]) * MONTHS_IN[unit]
        units.append(unit)
        at = piece.end()
    return Term(_tidy(months))


def _tidy(months: float) -> float:
    """Months without the last digits of a division: 10 days are 0.333333."""
    return round(months, 6)

"""The words of a language, from a data file: all that the reader knows about Chinese or English.

In: `justeval/languages/*.yaml`, or the text of such a file. Out: Language records. A further
language is a further file; no code names a word of any language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from justeval.errors import InputError, Problem
from justeval.resources import PACKAGE
from justeval.schema import PENALTIES

ROLES = (
    "charge",
    "guilty",
    "penalty",
    "term",
    "total",
    "probation",
    "suspended",
    "unit",
    "decision",
    "probability",
    "risk_score",
    "bond_amount",
    "bond_currency",
    "explanation",
    "thinking",
    "refusal",
    "fine",
    "other",
)
"""What a key of a reply can stand for."""

UNITS = {"year": 12.0, "month": 1.0, "week": 12 / 52, "day": 1 / 30}
"""Months in one unit of time; a year has 12 months or 52 weeks, a month 30 days."""

WORD_LISTS = (
    "key_fillers",
    "affirmative",
    "negative",
    "blank",
    "custody",
    "not_custody",
    "suspended",
    "nothing",
    "negations",
    "duration_joiners",
    "age",
    "not_terms",
    "between",
    "bounds",
    "doubts",
    "restated",
    "totals",
    "totals_after",
    "concurrent",
    "consecutive",
    "numbered",
    "counts",
    "each",
    "adjustments",
    "date_months",
    "date_days",
    "probation_before",
    "probation_after",
    "other_before",
    "other_after",
    "term_before",
    "term_after",
    "after_fillers",
    "short_suspended",
    "percent_after",
    "percent_before",
    "scale",
    "drafts",
    "final",
    "decided",
    "undecided",
    "acquitted",
    "convicted",
    "refusals",
)
"""Sections that are plain lists of words; each may be left out."""

NUMERAL_LISTS = ("joiners", "one", "half", "half_joiners", "points")
_TABLES: dict[str, tuple[str, ...] | None] = {
    "keys": ROLES,
    "penalties": PENALTIES,
    "units": tuple(UNITS),
    "currencies": None,
    "decisions": None,
}
"""Sections that map a name to a list of words, with the names allowed (None: any)."""
_NUMBERS = ("amount_multipliers",)
_LEGAL_TERMS = "legal_terms"


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """The words of one language.

    `tables` holds name -> words by section, `words` the plain lists, `numerals` the values and
    multipliers of number words; `spaced` tells whether words stand apart. `legal_terms` gives a
    kind of penalty the shortest and the longest term for one charge, in months, under the law that
    uses this language's words for it; other terms are kept and flagged.
    """

    name: str
    spaced: bool
    same_characters: Mapping[str, str]
    tables: Mapping[str, Mapping[str, tuple[str, ...]]]
    words: Mapping[str, tuple[str, ...]]
    numeral_values: Mapping[str, float]
    numeral_multipliers: Mapping[str, float]
    amount_multipliers: Mapping[str, float]
    half_units: Mapping[str, str]
    legal_terms: Mapping[str, tuple[float, float]]


@cache
def shipped_languages() -> tuple[Language, ...]:
    """The languages whose files ship with justeval, by file name."""
    return tuple(load_language(path) for path in sorted((PACKAGE / "languages").glob("*.yaml")))


def load_language(path: Path) -> Language:
    """The language of a file. Raises InputError that names file, section and word."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from error
    return parse_language(text, str(path))


def parse_language(text: str, place: str = "language") -> Language:
    """The language in the text of a YAML file; `place` names it in errors.

    Raises InputError with everything that is wrong in it.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        content = yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        raise InputError(f"{place}: not YAML ({error})") from error
    if not isinstance(content, dict) or not isinstance(content.get("language"), str):
        raise InputError(f"{place}: must be a table with an entry `language`")
    problems = list(_problems(content, place))
    if problems:
        raise InputError(problems)
    return _language(content)


def _language(content: Mapping[str, Any]) -> Language:
    numerals = content.get("numerals") or {}
    words = {name: tuple(content.get(name) or ()) for name in WORD_LISTS}
    words |= {f"numeral_{name}": tuple(numerals.get(name) or ()) for name in NUMERAL_LISTS}
    return Language(
        name=content["language"],
        spaced=bool(content.get("spaced", True)),
        same_characters=content.get("same_characters") or {},
        tables={
            section: {name: tuple(listed) for name, listed in (content.get(section) or {}).items()}
            for section in _TABLES
        },
        words=words,
        numeral_values=numerals.get("values") or {},
        numeral_multipliers=numerals.get("multipliers") or {},
        amount_multipliers=content.get("amount_multipliers") or {},
        half_units=content.get("half_units") or {},
        legal_terms={
            name: (float(terms[0]), float(terms[1]))
            for name, terms in (content.get(_LEGAL_TERMS) or {}).items()
        },
    )


def _problems(content: Mapping[str, Any], place: str) -> Iterator[Problem]:
    known = {"language", "spaced", "same_characters", "numerals", "half_units", _LEGAL_TERMS}
    known |= {*WORD_LISTS, *_TABLES, *_NUMBERS}
    for section, held in content.items():
        where = f"{place}, {section}"
        if section not in known:
            yield Problem(where, f"is no section; sections are {', '.join(sorted(known))}")
        elif section in WORD_LISTS:
            yield from _word_problems(held, where)
        elif section in _TABLES:
            yield from _table_problems(held, _TABLES[section], where)
        elif section == "numerals":
            yield from _numeral_problems(held, where)
        elif section in _NUMBERS:
            yield from _number_problems(held, where)
        elif section == _LEGAL_TERMS:
            yield from _legal_term_problems(held, where)


def _word_problems(held: object, where: str) -> Iterator[Problem]:
    if not isinstance(held, list | None):
        yield Problem(where, "must be a list of words")
        return
    for word in held or ():
        if not isinstance(word, str) or not word:
            yield Problem(where, f"{word!r} is no word; put it in quotation marks")


def _table_problems(held: object, names: tuple[str, ...] | None, where: str) -> Iterator[Problem]:
    if not isinstance(held, dict):
        yield Problem(where, "must map names to lists of words")
        return
    for name, listed in held.items():
        if not isinstance(name, str) or (names is not None and name not in names):
            allowed = ", ".join(names) if names else "words"
            yield Problem(where, f"{name!r} is not among its names: {allowed}")
        yield from _word_problems(listed, f"{where}, {name}")


def _numeral_problems(held: object, where: str) -> Iterator[Problem]:
    if not isinstance(held, dict):
        yield Problem(where, "must be a table")
        return
    for name, content in held.items():
        if name in ("values", "multipliers"):
            yield from _number_problems(content, f"{where}, {name}")
        elif name in NUMERAL_LISTS:
            yield from _word_problems(content, f"{where}, {name}")
        else:
            yield Problem(where, f"{name!r} is none of values, multipliers, {NUMERAL_LISTS}")


def _number_problems(held: object, where: str) -> Iterator[Problem]:
    if not isinstance(held, dict):
        yield Problem(where, "must map words to numbers")
        return
    for word, number in held.items():
        if not isinstance(word, str) or isinstance(number, bool):
            yield Problem(where, f"{word!r}: {number!r} is no word with a number")
        elif not isinstance(number, int | float):
            yield Problem(where, f"{word!r}: {number!r} is no number")


def _legal_term_problems(held: object, where: str) -> Iterator[Problem]:
    if not isinstance(held, dict):
        yield Problem(where, "must map kinds of penalty to a shortest and a longest term")
        return
    for name, terms in held.items():
        if name not in PENALTIES:
            yield Problem(where, f"{name!r} is not among its names: {', '.join(PENALTIES)}")
        listed = terms if isinstance(terms, list) else []
        numbers = [one for one in listed if type(one) in (int, float)]
        if len(numbers) != 2 or len(listed) != 2 or not 0 <= numbers[0] <= numbers[1]:
            yield Problem(f"{where}, {name}", "must be two numbers of months, the smaller first")

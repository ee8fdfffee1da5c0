"""The pairs of an answer, by what their keys stand for.

In: Pairs. Out: an AnswerRecord: for each role the values written under it, the records of single
charges, and the prose that stands in fields. Objects within objects are opened; lists of objects
are parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from justeval.replies.language import UNITS
from justeval.replies.lexicon import Lexicon
from justeval.replies.objects import find_objects
from justeval.replies.values import Bare, Pairs, Value, is_blank, text_of

_DEEPEST_TEXT = 2
"""JSON in a string of JSON in a string; deeper is not opened."""
PAIRS_AT_MOST = 100
"""Pairs of one object; an object that holds more is no answer to a prompt of ours."""
_SET_ASIDE = ("thinking", "fine", "other")


@dataclass(frozen=True, slots=True)
class Entry:
    """One value under a role: its key as written, the unit of time that the key names.

    `home` numbers the object it stands in; `ours` says that the key is the one asked for.
    """

    key: str
    value: Value
    unit: str | None
    home: int
    ours: bool = True


@dataclass(slots=True)
class AnswerRecord:
    """An answer by roles. `mended` says that it needed more than reading strict JSON."""

    entries: dict[str, list[Entry]] = field(default_factory=dict)
    parts: list[AnswerRecord] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    mended: bool = False
    too_large: bool = False
    homes: int = 0

    def of(self, role: str) -> list[Entry]:
        """The entries of a role, in the order written."""
        return self.entries.get(role, [])

    def filled(self, role: str) -> list[Entry]:
        """The entries of a role that are not blank."""
        return [entry for entry in self.of(role) if not is_blank(entry.value)]

    def has(self, *roles: str) -> bool:
        """Whether a key of one of the roles was written, here or in a part."""
        here = any(self.entries.get(role) for role in roles)
        return here or any(part.has(*roles) for part in self.parts)


ANSWER_ROLES = (
    "guilty",
    "penalty",
    "term",
    "total",
    "probation",
    "decision",
    "probability",
    "risk_score",
    "bond_amount",
)
"""A record without a key of one of these is no answer."""


def make_record(pairs: Pairs, lexicon: Lexicon) -> AnswerRecord:
    """The record of one object."""
    record = AnswerRecord()
    _Filler(lexicon, record).fill(pairs, 0)
    return record


def is_answer(record: AnswerRecord) -> bool:
    """Whether a record holds any key that answers a question."""
    return record.has(*ANSWER_ROLES)


class _Filler:
    def __init__(self, lexicon: Lexicon, record: AnswerRecord) -> None:
        self.lexicon = lexicon
        self.record = record

    def fill(self, pairs: Pairs, depth: int) -> None:
        """Adds the pairs of one object; `depth` counts texts opened as objects."""
        self.record.homes += 1
        if len(pairs.items) > PAIRS_AT_MOST:
            self.record.too_large = True
            return
        home = self.record.homes
        self.record.comments += pairs.comments
        keys = [key for key, _ in pairs.items]
        self.record.mended |= bool(pairs.comments) or len(set(keys)) < len(keys)
        parts = self._charges_as_keys(pairs)
        if parts:
            self._parts(parts, Entry("", None, None, home), None, depth)
        for key, value in pairs.items:
            role, unit, ours = self.lexicon.role(key) if key else (None, None, False)
            if any(value is part for part in parts):
                continue
            if role not in _SET_ASIDE:
                self._add(Entry(key, value, unit, home, ours), role, depth)
            elif role != "thinking":
                self.record.entries.setdefault(str(role), []).append(Entry(key, value, unit, home))

    def _charges_as_keys(self, pairs: Pairs) -> list[Pairs]:
        """Objects that hold a term under several unknown keys: {"theft": {"months": 20}, ...}."""
        held = [
            value
            for key, value in pairs.items
            if isinstance(value, Pairs)
            and self.lexicon.role(key)[0] is None
            and any(self.lexicon.role(name)[0] == "term" for name, _ in value.items)
        ]
        return held if len(held) > 1 else []

    def _add(self, entry: Entry, role: str | None, depth: int) -> None:
        value = entry.value
        if isinstance(value, str) and depth < _DEEPEST_TEXT and "{" in value:
            opened = _opened(value)
            if opened is not None:
                self.record.mended = True
                self.fill(opened, depth + 1)
                return
        if isinstance(value, Pairs):
            self._nested(entry, value, role, depth)
        elif isinstance(value, list) and any(isinstance(item, Pairs) for item in value):
            self._parts([item for item in value if isinstance(item, Pairs)], entry, role, depth)
        elif role is not None:
            self.record.entries.setdefault(role, []).append(entry)
            self.record.mended |= not entry.ours and role in (*ANSWER_ROLES, "charge")

    def _nested(self, entry: Entry, value: Pairs, role: str | None, depth: int) -> None:
        self.record.mended = True
        if role in ("term", "total", "probation") and _is_duration(value, self.lexicon):
            self.record.entries.setdefault(str(role), []).append(entry)
        elif role == "charge":
            self._parts([value], entry, role, depth)
        else:
            self.fill(value, depth)

    def _parts(self, items: list[Pairs], entry: Entry, role: str | None, depth: int) -> None:
        self.record.mended = True
        if len(items) == 1 and role != "charge":
            self.fill(items[0], depth)
            return
        for item in items:
            part = AnswerRecord()
            _Filler(self.lexicon, part).fill(item, depth)
            self.record.parts.append(part)
        charges = [text for part in self.record.parts for text in charge_texts(part)]
        if role == "charge" and charges:
            joined = "、".join(charges)
            self.record.entries.setdefault("charge", []).append(Entry(entry.key, joined, None, 0))


def charge_texts(record: AnswerRecord) -> Iterator[str]:
    """The charges named in a record."""
    for entry in record.filled("charge"):
        yield text_of(entry.value)


def _opened(text: str) -> Pairs | None:
    """The object in a text that is an object, or nothing."""
    stripped = text.strip().strip("`").removeprefix("json").strip()
    if not stripped.startswith("{"):
        return None
    found, exhausted = find_objects(stripped)
    if exhausted or len(found) != 1 or not found[0].pairs.closed:
        return None
    return found[0].pairs


def _is_duration(pairs: Pairs, lexicon: Lexicon) -> bool:
    """Whether an object under a term's key is the term: {"years": 3, "months": 6}."""
    roles = [lexicon.role(key)[0] for key, _ in pairs.items]
    return not any(role in ("penalty", "guilty", "charge", "total") for role in roles)


def duration_units(pairs: Pairs, lexicon: Lexicon) -> dict[str, Value] | None:
    """The values by unit of an object such as {"years": 3, "months": 6}; None if it is no such."""
    by_unit: dict[str, Value] = {}
    for key, value in pairs.items:
        role, unit, _ = lexicon.role(key)
        if role != "term" or unit not in UNITS or unit in by_unit:
            return None
        by_unit[unit] = value
    return by_unit or None


def numbers_of(entry: Entry) -> Value:
    """The value of an entry, a list of one taken out of its list."""
    value = entry.value
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str | Bare):
        return value[0]
    return value

"""What a reply comes to, so that identical replies are seen, and which replies stand alone.

In: Versions and the table they come from. Out: Answers, one entry a version that answers; for
each whether another version of its document comes near it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from justeval.diagnose.charges import Relation
from justeval.diagnose.versions import Versions, dictionary
from justeval.estimate.encoding import Coded, Flags, float_column
from justeval.estimate.grouping import dense_codes
from justeval.estimate.records import Codes, Floats

NEAR = 0.4
"""Terms closer than this on log(months + 1), about half as long again, are near: 120 and 180."""

LOOKED_AT = 5_000
"""Replies looked at to see whether a model's texts are each worded anew."""

MOSTLY_NEW = 0.8
"""From this share of texts that occur once, a text that occurs in several documents is odd."""

FEWEST_DOCUMENTS = 5
"""A text in fewer documents than this cannot be a finding and is not followed."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The versions that answer, A of them, in documents where at least two do.

    version : (A,) index into Versions. reply : (A,) code of what the reply comes to. start, size :
    (A,) where the answers of the same document begin, and how many they are. alone : (A,) no
    other answer of the document is near. apart : (A,) the charge is unrelated to those of all other
    answers of the document. level, charge : (A,), NaN and -1 where unknown. other :
    (A,) another answer of the same document. of_version : (V,) code of every version's reply,
    also where it is the only answer; -1 where there is none.
    """

    version: Codes
    reply: Codes
    start: Codes
    size: Codes
    alone: Flags
    apart: Flags
    level: Floats
    charge: Codes
    other: Codes
    of_version: Codes
    names: tuple[str, ...]

    def siblings_level(self, at: Codes) -> Floats:
        """For some answers the mean level of the others of their documents, NaN where none has
        one."""
        which, each = self.spread_out(at)
        counts = (each != at[which]) & ~np.isnan(self.level[each])
        sums = np.bincount(which[counts], weights=self.level[each[counts]], minlength=at.size)
        others = np.bincount(which[counts], minlength=at.size)
        result = np.full(at.size, np.nan)
        np.divide(sums, others, out=result, where=others > 0)
        return result

    def spread_out(self, at: Codes) -> tuple[Codes, Codes]:
        """For some answers all answers of their documents: which of `at`, and which answer."""
        times = self.size[at]
        which = np.repeat(np.arange(at.size), times)
        offset = np.arange(which.size) - np.repeat(np.cumsum(times) - times, times)
        return which, self.start[at][which] + offset

    def pairs(self) -> Iterator[tuple[Codes, Codes]]:
        """Pairs of answers to the same document, each once, as two arrays a step."""
        yield from _pairs(self.start)


def stated_answers(versions: Versions, predictions: pa.Table) -> Answers:
    """Answers by what they state: charge, penalty, decision, months and probability."""
    rows, at = versions.encoded, versions.readable
    charge = _charges_of_replies(versions, dictionary(predictions, "charge"))
    decision = dictionary(predictions, "decision")
    parts = (
        _Part.of_text(charge.codes, charge.names),
        _Part.of_text(rows.penalty.codes[at], rows.penalty.names),
        _Part.of_text(decision.codes[at], decision.names),
        _Part.of_numbers(versions.judged.months[at], "{:g} months"),
        _Part.of_numbers(float_column(predictions, "probability")[at], "probability {:g}"),
    )
    key = np.zeros(at.size, dtype=np.int64)
    for part in parts:
        key = key * len(part.names) + part.codes
    known = (at >= 0) & ~np.isnan(versions.level)
    reply = dense_codes(np.where(known, key + 1, 0))
    kinds = np.full(int(reply.max(initial=-1)) + 1, -1, dtype=np.int64)
    kinds[reply] = np.where(known, key, -1)
    names = tuple(_named(int(kind), parts) for kind in kinds)
    said = np.where(known, charge.codes, -1)
    return _answers(versions, np.where(known, reply, -1), said, names, Relation(charge.names))


def _charges_of_replies(versions: Versions, charge: Coded) -> Coded:
    """(V,) codes of the charges that the versions' replies name, -1 where unknown.

    Where the charge never differs between the versions of a document, all over a model, it is
    taken for the charge of the case, such as published tables hold it, and says nothing of a reply.
    """
    codes = np.where(versions.readable >= 0, charge.codes[versions.readable], -1)
    differs = (versions.unit[1:] == versions.unit[:-1]) & (codes[1:] != codes[:-1])
    differs &= (codes[1:] >= 0) & (codes[:-1] >= 0)
    model = versions.group // versions.labels
    named = np.zeros(len(versions.encoded.model.names), dtype=np.bool_)
    named[model[1:][differs]] = True
    return Coded(np.where(named[model], codes, -1), charge.names)


def worded_answers(versions: Versions, predictions: pa.Table) -> Answers | None:
    """Answers by their raw text, where a model words nearly each reply anew; else None."""
    if "reply" not in predictions.column_names or versions.count == 0:
        return None
    column = predictions.column("reply")
    at = versions.readable
    sample = at[at >= 0][:: max(1, at.size // LOOKED_AT)]
    texts = column.take(pa.array(sample, pa.int64())).drop_null()
    if len(texts) == 0 or pc.count_distinct(texts).as_py() < MOSTLY_NEW * len(texts):
        return None
    text: Coded = dictionary(predictions, "reply")
    code = np.where(at >= 0, text.codes[at], -1)
    shown = tuple(name[:60] for name in text.names)
    none = np.full(code.size, -1, dtype=np.int64)
    return _answers(versions, code, none, shown, None)


def _answers(
    versions: Versions,
    reply: Codes,
    charge: Codes,
    names: tuple[str, ...],
    relation: Relation | None,
) -> Answers:
    """The answers of documents with at least two; without a relation near means the same text."""
    of_version = reply
    answering = np.bincount(versions.unit[reply >= 0], minlength=versions.unit.max(initial=-1) + 1)
    at = np.flatnonzero((reply >= 0) & (answering > 1)[versions.unit])
    unit, reply, charge = versions.unit[at], reply[at], charge[at]
    start = np.searchsorted(unit, unit)
    size = answering[unit]
    level = versions.level[at]
    alone = np.ones(at.size, dtype=np.bool_)
    apart = charge >= 0
    for left, right in _pairs(start):
        near = reply[left] == reply[right]
        if relation is not None:
            related = ~relation.unrelated(charge[left], charge[right])
            near |= np.abs(level[left] - level[right]) < NEAR
            near &= related
            apart[left[related]] = False
            apart[right[related]] = False
        alone[left[near]] = False
        alone[right[near]] = False
    place = np.arange(at.size)
    other = np.where(place == start, np.minimum(start + 1, at.size - 1), start)
    return Answers(at, reply, start, size, alone, apart, level, charge, other, of_version, names)


def _pairs(start: Codes) -> Iterator[tuple[Codes, Codes]]:
    for step in range(1, start.size):
        left = np.flatnonzero(start[step:] == start[:-step])
        if left.size == 0:
            return
        yield left, left + step


@dataclass(frozen=True, slots=True)
class _Part:
    """One thing that a reply states: (V,) codes into its names; 0 is nothing."""

    codes: Codes
    names: tuple[str, ...]

    @classmethod
    def of_text(cls, codes: Codes, names: tuple[str, ...]) -> _Part:
        return cls(codes + 1, ("", *names))

    @classmethod
    def of_numbers(cls, numbers: Floats, shown: str) -> _Part:
        """Numbers to three digits; a number of thousandths is a code already."""
        thousandths = np.nan_to_num(np.round(1000.0 * numbers) + 1.0, nan=0.0)
        codes = dense_codes(np.append(0, np.maximum(thousandths, 0.0).astype(np.int64)))[1:]
        found = np.zeros(int(codes.max(initial=0)) + 1)
        found[codes] = numbers
        return cls(codes, ("", *(shown.format(number) for number in found[1:])))


def _named(kind: int, parts: tuple[_Part, ...]) -> str:
    """What a reply states, in words for a finding."""
    said: list[str] = []
    for part in reversed(parts if kind >= 0 else ()):
        kind, code = divmod(kind, len(part.names))
        said.append(part.names[code])
    return ", ".join(text for text in reversed(said) if text)

"""Harsher, more lenient, the same: the table that needs no unit and no logarithm.

In: how severe each answer is, by document and value. Out: a SignTable for each value against the
reference value, with the exact sign test. Kinds of penalty are ordered, so that life and death can
enter, which no number of months can express.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from justeval.estimate.grouping import dense_codes
from justeval.estimate.records import Codes, Floats

ORDER_OF_KINDS = (
    "acquittal",
    "exempt",
    "fine",
    "surveillance",
    "probation",
    "time_served",
    "detention",
    "fixed_term",
    "life",
    "death_suspended",
    "death",
)
"""Kinds of penalty from the most lenient to the harshest; within a kind, months decide."""

LONGEST = 10_000.0
"""More months than any term: what lies between one kind and the next on the scale of severity."""

SAME = 1e-9


@dataclass(frozen=True, slots=True)
class SignTable:
    """One value against the reference value, in documents with both.

    harsher, lenient, same : documents in which the value's answer is harsher, more lenient, or
    neither. p : exact two-sided sign test of harsher against lenient; None where all are the same.
    """

    value: str
    reference: str
    documents: int
    harsher: int
    lenient: int
    same: int
    p: float | None


def sign_tables(
    *, document: Codes, value: Codes, severity: Floats, names: Sequence[str], reference: int
) -> tuple[SignTable, ...]:
    """One table a value other than the reference value, in the order of `names`.

    document, value, severity : (N,) one entry an answer; NaN severity is unknown and left out. A
    document with repetitions counts once: it is harsher where, over all pairs of a repetition of
    the value and one of the reference value, more are harsher than are more lenient.
    """
    known = ~np.isnan(severity)
    document, value, severity = dense_codes(document[known]), value[known], severity[known]
    return tuple(
        _table(document, value, severity, names, (code, reference))
        for code in range(len(names))
        if code != reference and (value == code).any()
    )


def severity_of(*, kind: Sequence[str | None], months: Floats) -> Floats:
    """(N,) places on one ordered scale: the kind first, then months within a kind.

    Unknown (NaN) where the kind is unknown, and for a fixed term without months. The numbers are
    ranks: their differences mean nothing.
    """
    place = {name: float(rank) for rank, name in enumerate(ORDER_OF_KINDS)}
    ranks = np.array([place.get(name, np.nan) if name else np.nan for name in kind])
    no_term = np.array([name != "fixed_term" for name in kind])
    within = np.where(np.isnan(months) & no_term, 0.0, months)
    return np.asarray(ranks * LONGEST + within, dtype=np.float64)


def exact_sign_p(plus: int, minus: int) -> float | None:
    """Two-sided exact sign test: 2 P(X <= min(plus, minus)), X ~ Binomial(plus + minus, 1/2), at
    most 1. McNemar's exact test is the same of the discordant pairs. None without any."""
    moved = plus + minus
    if moved == 0:
        return None
    return min(1.0, 2.0 * float(special.bdtr(min(plus, minus), moved, 0.5)))


def _table(
    document: Codes, value: Codes, severity: Floats, names: Sequence[str], pair: tuple[int, int]
) -> SignTable:
    code, reference = pair
    here, there = np.flatnonzero(value == code), np.flatnonzero(value == reference)
    left, right = _pairs(document[here], document[there])
    difference = severity[here][left] - severity[there][right]
    sign = np.where(np.abs(difference) <= SAME, 0.0, np.sign(difference))
    size = int(document.max()) + 1 if document.size else 0
    balance = np.bincount(document[here][left], weights=sign, minlength=size)
    both = np.bincount(document[here][left], minlength=size) > 0
    harsher, lenient = int(np.count_nonzero(balance > 0)), int(np.count_nonzero(balance < 0))
    documents = int(np.count_nonzero(both))
    return SignTable(
        value=names[code],
        reference=names[reference],
        documents=documents,
        harsher=harsher,
        lenient=lenient,
        same=documents - harsher - lenient,
        p=exact_sign_p(harsher, lenient),
    )


def _pairs(first: Codes, second: Codes) -> tuple[Codes, Codes]:
    """Positions of all pairs of entries of two arrays of codes that are equal."""
    order = np.argsort(second, kind="stable")
    ordered = second[order]
    start = np.searchsorted(ordered, first, side="left")
    count = np.searchsorted(ordered, first, side="right") - start
    left = np.repeat(np.arange(first.size), count)
    offset = np.arange(left.size) - np.repeat(np.cumsum(count) - count, count)
    return left, order[np.repeat(start, count) + offset]

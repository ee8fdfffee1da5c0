"""What the regressions do not see: harsher or more lenient, leaving the sample, repetitions.

In: the rows of all labels. Out: for one label of one model its sign tables, whether leaving the
sample depends on the value, and how much values disagree beyond repetitions of the same text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from justeval.aggregate.bounds import ValueBounds, bounds_of
from justeval.aggregate.records import Beyond
from justeval.estimate import Sample
from justeval.estimate.encoding import Encoded, Flags, cell_order
from justeval.estimate.records import Codes, Floats
from justeval.estimate.rule import NOT_A_NUMBER, OUT_OF_RANGE, Bounds, Judged, as_numbers, judge
from justeval.inference import Attrition, Disagreement, disagreement, leaving, sign_tables
from justeval.inference.sign_table import LONGEST, ORDER_OF_KINDS
from justeval.schema import READABLE

MOST_SHUFFLES = 999
"""Shuffles within documents: they test a label by itself, so that 1 in 1,000 is fine enough."""

NOT_AN_ANSWER = ("provider_error", NOT_A_NUMBER, OUT_OF_RANGE)
"""Reasons that say nothing of what the model answers to a value."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Rows of labels, (N,) each, sorted by group (model x label), document, value, repetition.

    severity : place on the ordered scale of kinds and months, NaN where unknown. left : whether
    the row is out of the main sample. starts : (groups + 1,). repeated : whether any text was asked
    more than once.
    """

    document: Codes
    value: Codes
    severity: Floats
    left: Flags
    asked: Flags
    starts: Codes
    repeated: bool


def answers_of(
    rows: Encoded, longest_months: float, numeric: Mapping[str, Bounds | None], groups: int
) -> Answers:
    """Sort the rows of labels once for all models."""
    judged = judge(rows, longest_months, as_numbers(rows.value.names), numeric)
    at = cell_order(rows)
    group = rows.model.codes[at] * len(rows.label.names) + rows.label.codes[at]
    no_answer = [judged.reasons.index(name) for name in NOT_AN_ANSWER if name in judged.reasons]
    return Answers(
        document=rows.document.codes[at],
        value=rows.value.codes[at],
        severity=_severity(rows, judged)[at],
        left=(judged.reason != 0)[at],
        asked=~np.isin(judged.reason[at], no_answer),
        starts=np.searchsorted(group, np.arange(groups + 1)),
        repeated=bool(rows.repetition.size and int(rows.repetition.max()) > 0),
    )


@dataclass(frozen=True, slots=True)
class Stayed:
    """The outcome (C,) of a label's cells that stayed in the sample, and the range it can have."""

    outcome: Floats
    within: tuple[float, float]


def beyond(
    answers: Answers,
    sample: Sample,
    group: int,
    reference: int,
    stayed: Stayed,
    rng: np.random.Generator,
) -> Beyond:
    """What the answers to one label of one model show beside its regression."""
    where = slice(int(answers.starts[group]), int(answers.starts[group + 1]))
    document, value = answers.document[where], answers.value[where]
    names, codes = _present(value, sample, reference)
    tables = sign_tables(
        document=document,
        value=codes,
        severity=answers.severity[where],
        names=names,
        reference=0,
    )
    asked, left = answers.asked[where], answers.left[where]
    gone: Attrition | None = None
    bounds: tuple[ValueBounds, ...] = ()
    if left[asked].any():
        one = _cells(document[asked], codes[asked], left[asked])
        if reference >= 0:
            bounds = _bounds(one, value, codes, names, sample, group, stayed)
        gone = leaving(
            document=one[0],
            value=one[1],
            left=one[2],
            names=names,
            rng=rng,
            shuffles=MOST_SHUFFLES,
        )
    floor = None
    if answers.repeated:
        floor = _beyond_repetitions(document, codes, answers.severity[where], rng)
    return Beyond(tables if reference >= 0 else (), gone, bounds, floor)


def _bounds(
    one: tuple[Codes, Codes, Flags],
    value: Codes,
    codes: Codes,
    names: Sequence[str],
    sample: Sample,
    group: int,
    stayed: Stayed,
) -> tuple[ValueBounds, ...]:
    """Bounds from the cells asked, with the outcome of those that stayed."""
    cells = sample.cells_of(group)
    local = np.full(len(sample.values), -1, dtype=np.int64)
    local[value] = codes
    outcome = np.full((len(sample.documents), len(names)), np.nan)
    place = local[cells.value]
    outcome[cells.document[place >= 0], place[place >= 0]] = stayed.outcome[place >= 0]
    document, code, left = one
    y = np.where(left, np.nan, outcome[document, code])
    return bounds_of(
        document=document,
        value=code,
        left=np.isnan(y),
        outcome=y,
        names=names,
        within=stayed.within,
    )


def _present(value: Codes, sample: Sample, reference: int) -> tuple[tuple[str, ...], Codes]:
    """Names of the values of a label, the reference value first, and (N,) codes into them."""
    there = [int(code) for code in np.flatnonzero(np.bincount(value))] if value.size else []
    ordered = sorted(there, key=lambda code: (code != reference, code))
    place = np.zeros(max(there, default=0) + 1, dtype=np.int64)
    place[ordered] = np.arange(len(ordered))
    return tuple(sample.values[code] for code in ordered), place[value]


def _cells(document: Codes, value: Codes, left: Flags) -> tuple[Codes, Codes, Flags]:
    """One entry a document and value: it left where all its repetitions did."""
    new = np.ones(document.size, dtype=np.bool_)
    new[1:] = (document[1:] != document[:-1]) | (value[1:] != value[:-1])
    first = np.flatnonzero(new)
    return document[first], value[first], np.logical_and.reduceat(left, first)


def _beyond_repetitions(
    document: Codes, value: Codes, severity: Floats, rng: np.random.Generator
) -> Disagreement:
    known = ~np.isnan(severity)
    answer = np.unique(severity[known], return_inverse=True)[1]
    return disagreement(
        document=document[known],
        value=value[known],
        answer=np.asarray(answer, dtype=np.int64),
        rng=rng,
        shuffles=MOST_SHUFFLES,
    )


def _severity(rows: Encoded, judged: Judged) -> Floats:
    """(N,) the scale of `inference.sign_table`, by codes: a table has millions of rows.

    A term without a kind is a fixed term, as in the main sample.
    """
    place = {name: float(rank) for rank, name in enumerate(ORDER_OF_KINDS)}
    fixed = place["fixed_term"]
    of_kind = np.array([*(place.get(name, np.nan) for name in rows.penalty.names), fixed])
    rank = np.where(rows.guilty == 0, place["acquittal"], of_kind[rows.penalty.codes])
    within = np.where(np.isnan(judged.months) & (rank != fixed), 0.0, judged.months)
    readable = np.array([*(name in READABLE for name in rows.status.names), False])
    return np.where(readable[rows.status.codes], rank * LONGEST + within, np.nan)

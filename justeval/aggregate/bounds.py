"""What replies that left the sample could hide: bounds beside a label's estimate.

In: for each document and value asked, whether its answer left, and the outcome where it stayed.
Out: for each value the range that its mean difference from the reference value cannot leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justeval.aggregate.fits import finite
from justeval.aggregate.outcomes import Outcome
from justeval.estimate.encoding import Flags
from justeval.estimate.grouping import dense_codes
from justeval.estimate.records import Codes, Floats
from justeval.inference import Bounds, lee_bounds, worst_case_bounds


@dataclass(frozen=True, slots=True)
class ValueBounds:
    """A value against the reference value, over the documents asked about both.

    worst_low, worst_high : every answer that left takes what hurts most between the smallest and
    the largest possible outcome. lee_low, lee_high : of the answers that stay whatever the value
    (Lee 2009), which holds where a value moves answers only in or only out; None where documents
    went both ways. In the outcome's unit, log points for a sentence.
    """

    value: str
    reference: str
    documents: int
    left_value_only: int
    left_reference_only: int
    worst_low: float | None
    worst_high: float | None
    lee_low: float | None
    lee_high: float | None


def range_of(outcome: Outcome, bound: float) -> tuple[float, float]:
    """The smallest and the largest outcome possible in a main sample with this bound."""
    return 0.0, float(np.log1p(bound)) if outcome.scale == "log" else bound


def bounds_of(
    *,
    document: Codes,
    value: Codes,
    left: Flags,
    outcome: Floats,
    names: Sequence[str],
    within: tuple[float, float],
) -> tuple[ValueBounds, ...]:
    """Bounds of every value against the first. document, value, left, outcome : (C,) one entry a
    document and value asked; outcome NaN where it left. within : the range of outcomes."""
    rows = dense_codes(document)
    size = (int(rows.max(initial=-1)) + 1, len(names))
    y, asked, gone = np.full(size, np.nan), np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    y[rows, value], asked[rows, value], gone[rows, value] = outcome, True, left
    found = []
    for code in range(1, len(names)):
        both = asked[:, 0] & asked[:, code]
        pair = y[both][:, [code, 0]]
        only = [
            int(np.count_nonzero(gone[both, a] & ~gone[both, b])) for a, b in ((code, 0), (0, code))
        ]
        worst = worst_case_bounds(
            at_value=pair[:, 0], at_reference=pair[:, 1], smallest=within[0], largest=within[1]
        )
        lee = Bounds(None, None)
        if min(only) == 0:
            lee = lee_bounds(at_value=pair[:, 0], at_reference=pair[:, 1])
        ends = (finite(end) for end in (worst.low, worst.high, lee.low, lee.high))
        found.append(ValueBounds(names[code], names[0], len(pair), *only, *ends))
    return tuple(found)

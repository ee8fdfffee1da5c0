"""Adjusting p values for their number: Holm's procedure, and false discovery rates.

In: the p values of a family. Out: adjusted p values, or q values: the smallest false discovery rate
at which a label would still be called significant.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from justeval.estimate.records import Floats


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down adjusted p values; None stays None and is no test."""
    known = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, at) in enumerate(known):
        largest = max(largest, min(1.0, p * (len(known) - rank)))
        adjusted[at] = largest
    return adjusted


def benjamini_hochberg(p_values: Floats) -> Floats:
    """(L,) q values of (L,) p values: q_(j) = min over i >= j of L p_(i) / i, at most 1.

    Controls the false discovery rate for independent tests and for tests with positive dependence
    (Benjamini & Hochberg 1995), such as labels that share their reference replies. NaN (a label
    that was not tested) stays NaN and does not count.
    """
    return _stepped_up(p_values, harmonic=False)


def benjamini_yekutieli(p_values: Floats) -> Floats:
    """(L,) q values under any dependence: those of Benjamini-Hochberg times sum_{i<=L} 1/i, at
    most 1 (Benjamini & Yekutieli 2001)."""
    return _stepped_up(p_values, harmonic=True)


def _stepped_up(p_values: Floats, harmonic: bool) -> Floats:
    known = ~np.isnan(p_values)
    q = np.full(p_values.size, np.nan)
    tests = int(np.count_nonzero(known))
    if tests == 0:
        return q
    penalty = float(np.sum(1.0 / np.arange(1, tests + 1))) if harmonic else 1.0
    tested = p_values[known]
    order = np.argsort(tested, kind="stable")
    ranked = tested[order] * tests * penalty / np.arange(1, tests + 1)
    smallest = np.minimum.accumulate(ranked[::-1])[::-1]
    found = np.empty(tests)
    found[order] = np.minimum(smallest, 1.0)
    q[known] = found
    return q

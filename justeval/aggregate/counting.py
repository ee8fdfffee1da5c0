"""How many labels are significant, and whether chance would give as many (equation 3).

In: the fits of a family of labels, and how many of them are significant in every sign draw. Out:
Counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from justeval.aggregate.estimates import LEVELS, PUBLISHED_LEVEL, AnalysisOptions, Fit
from justeval.aggregate.families import Drawn
from justeval.aggregate.records import Counts, LevelCount
from justeval.inference import binomial_tail


def count_fits(fits: Sequence[Fit], options: AnalysisOptions, drawn: Drawn | None = None) -> Counts:
    """Count the labels (as published: the values) that are significant, and test the count.

    A label with no variation was tested and is not significant; one without usable replies was
    not tested. drawn : how many of these labels are significant in every sign draw, for the
    calibrated test.
    """
    tested = [fit for fit in fits if fit.tested]
    labels = [fit.p_verdict for fit in tested]
    by_alpha = {f"{level:.2f}": _at_level(tested, level, options, drawn) for level in LEVELS}
    here = _at_level(tested, options.alpha, options, drawn)
    values = len(_value_ps(tested)) if options.as_published else None
    level = PUBLISHED_LEVEL if options.as_published else options.alpha
    return Counts(
        labels_tested=len(labels),
        labels_significant=_below(labels, level),
        alpha=options.alpha,
        binomial_p=here.binomial_p,
        by_alpha=by_alpha,
        values_tested=values,
        values_significant=here.values_significant,
        calibrated_p=here.calibrated_p,
        calibrated_mid_p=here.calibrated_mid_p,
        expected=here.expected,
        draws=None if drawn is None else drawn.draws,
    )


def _at_level(
    tested: Sequence[Fit], level: float, options: AnalysisOptions, drawn: Drawn | None
) -> LevelCount:
    labels = _below([fit.p_verdict for fit in tested], level)
    if options.as_published:
        ps = _value_ps(tested)
        values = _below(ps, level)
        return LevelCount(labels, binomial_tail(values, len(ps), level), values)
    plain = LevelCount(labels, binomial_tail(labels, len(tested), level))
    if drawn is None or not tested:
        return plain
    counts = drawn.counts[level]
    above, at = (
        float(np.count_nonzero(of)) / counts.size for of in (counts > labels, counts == labels)
    )
    return replace(
        plain,
        calibrated_p=above + at,
        calibrated_mid_p=above + 0.5 * at,
        expected=float(counts.mean()),
    )


def _value_ps(fits: Sequence[Fit]) -> list[float | None]:
    """p of every value with an estimate: None where it never moves, and yet it was tested."""
    return [value.p for fit in fits for value in fit.values if value.coef is not None]


def _below(ps: Sequence[float | None], level: float) -> int:
    return sum(1 for p in ps if p is not None and p < level)

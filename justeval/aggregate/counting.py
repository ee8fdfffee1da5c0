"""How many labels are significant, and whether chance would give as many (equation 3).

In: the fits of a family of labels. Out: Counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from scipy import special

from justeval.aggregate.records import (
    LEVELS,
    PUBLISHED_LEVEL,
    AnalysisOptions,
    Counts,
    Fit,
    LevelCount,
)


def binomial_tail(significant: int, trials: int, level: float) -> float | None:
    """P(X >= k) for X ~ Binomial(N, level), the binomial test of equation 3.

    p = sum_{l=k}^{N} C(N, l) level^l (1 - level)^(N-l), taken from the incomplete beta function.
    None where there is no trial.
    """
    if trials < 1:
        return None
    return 1.0 if significant < 1 else float(special.bdtrc(significant - 1, trials, level))


def count_fits(fits: Sequence[Fit], options: AnalysisOptions) -> Counts:
    """Count the labels (as published: the values) that are significant, and test the count.

    A label with no variation was tested and is not significant; one without usable replies was
    not tested.
    """
    tested = [fit for fit in fits if fit.tested]
    labels = [fit.p_verdict for fit in tested]
    by_alpha = {f"{level:.2f}": _at_level(tested, level, options) for level in LEVELS}
    here = _at_level(tested, options.alpha, options)
    if not options.as_published:
        return Counts(
            len(labels), here.labels_significant, options.alpha, here.binomial_p, by_alpha
        )
    return Counts(
        labels_tested=len(labels),
        labels_significant=_below(labels, PUBLISHED_LEVEL),
        alpha=options.alpha,
        binomial_p=here.binomial_p,
        by_alpha=by_alpha,
        values_tested=len(_value_ps(tested)),
        values_significant=here.values_significant,
    )


def _at_level(tested: Sequence[Fit], level: float, options: AnalysisOptions) -> LevelCount:
    labels = _below([fit.p_verdict for fit in tested], level)
    if not options.as_published:
        return LevelCount(labels, binomial_tail(labels, len(tested), level))
    ps = _value_ps(tested)
    values = _below(ps, level)
    return LevelCount(labels, binomial_tail(values, len(ps), level), values)


def _value_ps(fits: Sequence[Fit]) -> list[float | None]:
    """p of every value with an estimate: None where it never moves, and yet it was tested."""
    return [value.p for fit in fits for value in fit.values if value.coef is not None]


def _below(ps: Sequence[float | None], level: float) -> int:
    return sum(1 for p in ps if p is not None and p < level)

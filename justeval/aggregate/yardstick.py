"""The placebo labels as yardstick: how far any irrelevant sentence moves this model.

In: the fits of a model's labels and of its placebo labels for one outcome. Out: the placebos'
floor (their spread and how often they are rejected), and the fits with each value's effect held
against that spread, and shrunken for ranking.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from justeval.aggregate.estimates import AnalysisOptions, Fit, ValueEstimate
from justeval.aggregate.fits import CONTRAST, finite
from justeval.aggregate.records import Counts, Floor
from justeval.estimate import LOG_VALUE
from justeval.estimate.records import Floats
from justeval.inference import against_placebos, rejection_rate, shrink, spread

WARNING = 0.01
"""A count test over placebos below this says that the tests themselves, or the model, are off."""


def floor_of(placebos: Sequence[Fit], counts: Counts, options: AnalysisOptions) -> Floor:
    """The spread tau of the placebos' effects and their rejection rate with its exact interval."""
    coef, se = _effects(placebos)
    ps = [fit.p_verdict for fit in placebos if fit.tested]
    rate = rejection_rate(np.array([1.0 if p is None else p for p in ps]), options.alpha)
    p = counts.calibrated_p
    return Floor(
        tau=spread(coef, se) if coef.size else None,
        effects=int(coef.size),
        tests=rate.tests,
        rejected=rate.rejected,
        rate=rate.rate,
        ci_low=rate.ci_low,
        ci_high=rate.ci_high,
        warning=p is not None and p < WARNING,
    )


def compared(fits: Sequence[Fit], placebos: Sequence[Fit]) -> tuple[Fit, ...]:
    """The fits of a model's labels with every value held against the placebos' spread,
    t = b / sqrt(se^2 + tau^2), and with its effect shrunken for ranking over all of them."""
    at = [(i, j) for i, fit in enumerate(fits) for j, v in enumerate(fit.values) if _known(v)]
    if not at:
        return tuple(fits)
    values = [fits[i].values[j] for i, j in at]
    coef, se = _effects([Fit(values=tuple(values))])
    shrunken = shrink(coef, se)
    t = p = np.full(coef.size, np.nan)
    placebo_coef, placebo_se = _effects(placebos)
    if placebo_coef.size:
        df = np.array([value.clusters - 1.0 for value in values])
        yardstick = against_placebos(
            coef=coef, se=se, df=df, placebo_coef=placebo_coef, placebo_se=placebo_se
        )
        t, p = yardstick.t, yardstick.p
    new = [list(fit.values) for fit in fits]
    for place, (i, j) in enumerate(at):
        new[i][j] = replace(
            new[i][j],
            t_placebo=finite(t[place]),
            p_placebo=finite(p[place]),
            shrunken=finite(shrunken.effect[place]),
            shrunken_sd=finite(shrunken.sd[place]),
            shrunken_rank=shrunken.rank[place] or None,
        )
    return tuple(replace(fit, values=tuple(v)) for fit, v in zip(fits, new, strict=True))


def _known(value: ValueEstimate) -> bool:
    return value.coef is not None and value.se is not None and value.clusters > 1


def _effects(fits: Sequence[Fit]) -> tuple[Floats, Floats]:
    """Effects and errors of all values that have both."""
    known = [
        (_scale(value) * value.coef, _scale(value) * value.se)
        for fit in fits
        for value in fit.values
        if value.coef is not None and value.se is not None
    ]
    pairs = np.array(known, dtype=np.float64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _scale(value: ValueEstimate) -> float:
    """An elasticity is put on the scale of the others as the effect of 45 against 25."""
    return math.log(CONTRAST[1] / CONTRAST[0]) if value.value == LOG_VALUE else 1.0

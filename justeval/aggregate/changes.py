"""Effects in the outcome's unit, in per cent and in months, and the Poisson form of a fit.

In: the cells of a label, its fit, its outcome. Out: the fit with both changes beside each
coefficient; for the outcome "poisson" with the log ratios of means in place of coefficients.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy import special

from justeval.aggregate.estimates import Fit, ValueEstimate
from justeval.aggregate.fits import CONTRAST, Estimated, Reading, finite
from justeval.aggregate.outcomes import Outcome
from justeval.estimate import LOG_VALUE
from justeval.estimate.grids import Grid
from justeval.estimate.inference import CONFIDENCE
from justeval.estimate.poisson import PoissonFit, fit_poisson


def in_units(estimated: Estimated, mean: float, outcome: Outcome) -> Estimated:
    """The estimate in the outcome's own form. mean : `mean_at_reference`."""
    fit, member = estimated.fit, estimated.member
    if outcome.scale == "ratio":
        poisson = None if member is None else fit_poisson(member.design)
        fit = replace(fit, values=()) if poisson is None else _by_poisson(fit, poisson)
    values = tuple(_with_changes(value, mean, outcome) for value in fit.values)
    return replace(estimated, fit=replace(fit, values=values))


def _with_changes(value: ValueEstimate, mean: float, outcome: Outcome) -> ValueEstimate:
    """For an elasticity the change is that of 45 against 25."""
    coef = value.coef
    if coef is not None and value.value == LOG_VALUE:
        coef *= math.log(CONTRAST[1] / CONTRAST[0])
    percent, change = outcome.change(coef, mean)
    return replace(
        value,
        mean_reference=finite(mean),
        change_percent=percent,
        change_months=change if outcome.sentence else None,
    )


def mean_at_reference(grid: Grid, reading: Reading) -> float:
    """Mean months (or the outcome itself) at the reference value, of a numeric label at all
    values; NaN where there is no answer."""
    rows = slice(None) if reading.numbers is not None else grid.value == reading.reference
    answers = grid.months[rows][grid.present[rows]]
    return float(answers.mean()) if answers.size else math.nan


def _by_poisson(fit: Fit, found: PoissonFit) -> Fit:
    """Coefficients, errors and tests of the Poisson fit. The family's tests stay those of months
    in levels: with no effect the scores of both are the same, X'(y - mean of the document). The
    jackknife is one of least squares and is left out."""
    half = np.full(found.coef.size, np.nan)
    if found.clusters > 1:
        half = found.se * float(special.stdtrit(found.clusters - 1, 0.5 + CONFIDENCE / 2))
    place = {name: k for k, name in enumerate(found.names)}
    values = tuple(
        replace(
            value,
            coef=finite(found.coef[k]),
            se=finite(found.se[k]) or None,
            t=finite(found.t[k]),
            p=finite(found.p_values[k]),
            ci_low=finite(found.coef[k] - half[k]),
            ci_high=finite(found.coef[k] + half[k]),
            n=found.n,
            documents=found.documents,
            clusters=found.clusters,
            singletons_dropped=found.singletons_dropped,
            se_jackknife=None,
            p_jackknife=None,
            coef_without=None,
            document_without=None,
        )
        for value in fit.values
        if (k := place[value.value]) >= 0
    )
    return replace(
        fit, p=found.p, p_small=found.p_small, f=finite(found.f), rank=found.rank, values=values
    )

"""A Poisson fit as plain numbers: ratios of mean sentences with their intervals.

In: a PoissonFit. Out: a RatioInference.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from justeval.estimate.inference import CONFIDENCE
from justeval.estimate.poisson import PoissonFit
from justeval.inference.records import RatioEstimate, RatioInference


def ratio_inference(fit: PoissonFit) -> RatioInference:
    """Ratios exp(b) and 95 % intervals exp(b -/+ t(G-1) se); what is unknown is None."""
    quantile = math.nan
    if fit.clusters > 1:
        quantile = float(special.stdtrit(fit.clusters - 1, 0.5 + CONFIDENCE / 2))
    half = np.where(fit.se > 0, quantile * fit.se, np.nan)
    values = tuple(
        RatioEstimate(
            value=name,
            reference=fit.reference or None,
            ratio=finite(math.exp(fit.coef[k])),
            ci_low=finite(math.exp(fit.coef[k] - half[k])),
            ci_high=finite(math.exp(fit.coef[k] + half[k])),
            p=finite(float(fit.p_values[k])),
            separated=name in fit.separated,
        )
        for k, name in enumerate(fit.names)
    )
    return RatioInference(
        values=values,
        p=fit.p,
        p_small=fit.p_small,
        documents=fit.documents,
        all_zero_documents=fit.all_zero_documents,
        singletons_dropped=fit.singletons_dropped,
    )


def finite(number: float) -> float | None:
    """The number, None where it is NaN or infinite."""
    return number if math.isfinite(number) else None

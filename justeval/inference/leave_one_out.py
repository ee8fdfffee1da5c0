"""Each document left out in turn: the jackknife error CRV3, and the document that matters most.

In: a label's scores under no effect, and its estimate. Out: for each value CRV3 with its p, and the
coefficient without the one cluster that carries it most.

    b_(g) = b - (X'X - A_g)^-1 s_g,   CRV3 = (G-1)/G sum_g (b_(g) - b)(b_(g) - b)',   t(G-1)

is what `estimate.jackknife` computes cluster by cluster from a design (MacKinnon, Nielsen & Webb
2023). An analysis does it for thousands of labels: here s_g = X_g' u_g - A_g b comes from scores
that are there already, and the inverses are taken once for each distinct A_g. Where every document
holds every value there is one, and CRV3 is CRV1 times (N-K-1)/(N-1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from justeval.estimate import Regression
from justeval.estimate.jackknife import SINGULAR
from justeval.estimate.records import Codes, Floats
from justeval.inference.scores import NullScores


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One label with each of its clusters left out in turn, (K,) each.

    se, p_values : CRV3 and t(G-1); NaN where a value does not vary. cluster : the code of the
    cluster that pulls the coefficient farthest away from zero, -1 where none does. without : the
    coefficient without it.
    """

    se: Floats
    p_values: Floats
    without: Floats
    cluster: Codes


def leave_one_out(scores: NullScores, regression: Regression) -> LeftOut:
    """CRV3 of every value, and the cluster that carries it most.

    Clusters without which some value cannot be estimated are left out of CRV3.
    """
    estimated = np.flatnonzero(np.isfinite(regression.coef))
    coef = regression.coef[estimated]
    moved = influence_of(scores, coef)
    whole = np.asarray(np.isfinite(moved).all(axis=1))
    clusters = int(np.count_nonzero(whole))
    size = regression.coef.size
    se, without = np.full(size, np.nan), np.full(size, np.nan)
    cluster = np.full(size, -1, dtype=np.int64)
    if clusters > 1:
        squares = np.einsum("gj,gj->j", moved[whole], moved[whole])
        varies = regression.se[estimated] > 0
        se[estimated] = np.where(varies, np.sqrt((clusters - 1) / clusters * squares), np.nan)
    t = np.divide(regression.coef, se, out=np.full(size, np.nan), where=se > 0)
    pull = np.where(whole[:, None], moved * np.sign(coef), -np.inf)
    first, place = np.argmax(pull, axis=0), np.arange(estimated.size)
    pulls = pull[first, place] > 0
    without[estimated] = np.where(pulls, coef - moved[first, place], np.nan)
    cluster[estimated] = np.where(pulls, scores.clusters[first], -1)
    p_values = 2.0 * special.stdtr(scores.size - 1, -np.abs(t))
    return LeftOut(se, np.asarray(p_values), without, cluster)


def influence_of(scores: NullScores, coef: Floats) -> Floats:
    """(G, J) b - b_(g): what each cluster adds to each of the J coefficients that are estimated. A
    row is NaN where some value cannot be estimated without the cluster."""
    fitted = scores.patterns @ coef
    inverses = _without(np.asarray(np.linalg.inv(scores.bread)), scores.patterns)
    if len(inverses) == 1:
        return np.asarray((scores.scores - fitted[0]) @ inverses[0])
    own = scores.scores - fitted[scores.pattern]
    return np.asarray(np.einsum("gj,gjk->gk", own, inverses[scores.pattern]))


def _without(gram: Floats, patterns: Floats) -> Floats:
    """(P, J, J) (X'X - A_p)^-1, NaN where a cluster of the pattern alone holds a value up."""
    scale = np.sqrt(np.diagonal(gram))
    unit = np.outer(scale, scale)
    left = (gram - patterns) / unit
    found = np.full(left.shape, np.nan)
    whole = np.linalg.eigvalsh(left)[:, 0] > SINGULAR
    found[whole] = np.linalg.inv(left[whole]) / unit
    return found

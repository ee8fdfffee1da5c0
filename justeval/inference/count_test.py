"""How many labels are significant, and how many would be if nothing had an effect.

In: which labels are significant in the data and in every sign draw. Out: a CountTest: the count,
the binomial p (equation 3), and the calibrated p, which knows that all labels ask about the same
documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from justeval.inference.scale import Flags


@dataclass(frozen=True, slots=True)
class CountTest:
    """The count of significant labels at one level and its tests.

    tests : labels tested, N. significant : k of them with p < alpha. binomial_p : P(X >= k) for
    X ~ Binomial(N, alpha), as if labels were independent. calibrated_p : share of draws (the data
    among them) with a count of k or more. calibrated_mid_p : the same with the draws at exactly k
    counted half. expected : mean count over the draws. exhaustive : whether all sign patterns
    were listed.
    """

    alpha: float
    tests: int
    significant: int
    binomial_p: float | None
    calibrated_p: float | None
    calibrated_mid_p: float | None
    expected: float | None
    draws: int
    exhaustive: bool


def binomial_tail(significant: int, trials: int, alpha: float) -> float | None:
    """P(X >= k) for X ~ Binomial(N, alpha), from the incomplete beta function; None at N = 0."""
    if trials < 1:
        return None
    return 1.0 if significant < 1 else float(special.bdtrc(significant - 1, trials, alpha))


def count_test(*, flags: Flags, still: int, alpha: float, exhaustive: bool) -> CountTest:
    """The count test from (D, L) significant labels in every draw, row 0 the data.

    still : labels that were tested and have no variation; they can never be significant. The
    calibrated test is valid because under the null the documents' signs are exchangeable, for
    all labels together: whatever dependence the labels have, every draw keeps it.
    """
    counts = np.count_nonzero(flags, axis=1)
    k, tests = int(counts[0]) if counts.size else 0, flags.shape[1] + still
    if flags.shape[1] == 0:
        known = 1.0 if tests else None
        return CountTest(alpha, tests, 0, known, known, known, 0.0 if tests else None, 0, True)
    above, at = (float(np.count_nonzero(of)) / counts.size for of in (counts > k, counts == k))
    return CountTest(
        alpha=alpha,
        tests=tests,
        significant=k,
        binomial_p=binomial_tail(k, tests, alpha),
        calibrated_p=above + at,
        calibrated_mid_p=above + 0.5 * at,
        expected=float(counts.mean()),
        draws=counts.size - 1,
        exhaustive=exhaustive,
    )

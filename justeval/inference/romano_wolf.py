"""Which labels, when many were tried: step-down p values that use how the labels hang together.

In: log p of every label in every sign draw. Out: for each label the probability, under no effect
in it and in all labels less significant, of a p value as small anywhere among them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from justeval.estimate.records import Floats

SAME_LOG_P = 1e-7
"""Values of log p closer than this are equal: rounding and interpolation must not decide."""


@dataclass(frozen=True, slots=True)
class StepDown:
    """Romano-Wolf p values, (L,) in the order of the labels, and that of the family as a whole.

    `family_p` tests that no label has an effect, from the smallest p alone; None for no label.
    """

    adjusted: Floats
    family_p: float | None


def step_down(log_p: Floats) -> StepDown:
    """Step-down min-p (Romano & Wolf 2005, algorithm 4.1) from (D, L) log p, row 0 the data.

    With labels sorted by p, p_(1) <= p_(2) <= ..., the adjusted p of the j-th is the share of draws
    (the data among them) in which min over i >= j of p*_(i) is at most p_(j), and never less
    than that of the label before. It keeps the family-wise error rate for every set of true
    nulls; a single-step rule over all labels would be needlessly severe after a first rejection.
    """
    if log_p.shape[1] == 0:
        return StepDown(np.zeros(0), None)
    order = np.argsort(log_p[0], kind="stable")
    smallest = np.full(log_p.shape[0], np.inf)
    adjusted = np.empty(order.size)
    for place in order[::-1]:
        np.minimum(smallest, log_p[:, place], out=smallest)
        adjusted[place] = np.mean(smallest <= log_p[0, place] + SAME_LOG_P)
    adjusted[order] = np.maximum.accumulate(adjusted[order])
    return StepDown(adjusted, float(adjusted[order[0]]))

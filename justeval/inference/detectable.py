"""The smallest effect that a case set can find, before anything is asked.

In: documents, labels tested together, and how much the answers to two values differ from document
to document. Out: the effect that is found with a power of 80 %.

The difference of two values within a document has some mean (the effect) and a standard deviation
`spread` over documents; its mean over G documents is tested by t with G-1 degrees of freedom. Then
the smallest effect found is (t_{1-alpha/2} + t_{power}) spread / sqrt(G) (Bloom 1995), in
log(months + 1). The spread is not known before the run; 0.3 is the default. In the published
replies of the oracle (1,036 documents, two values) it is 0.60, and 0.32 where the replies that
cannot be answers to their cases are left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from justeval.errors import UsageError
from justeval.inference.few import changed_needed
from justeval.inference.power import POWER, smallest_detectable

SPREAD = 0.3
"""Standard deviation over documents of the difference between two values, in log(months + 1)."""


@dataclass(frozen=True, slots=True)
class Detectable:
    """The smallest effect (log points and percent of months) that `documents` can find.

    `effect` is None where there are too few documents for any. `changed_needed` are the documents
    whose answer must differ at all for the smallest possible p to be small enough.
    """

    documents: int
    labels: int
    alpha: float
    power: float
    spread: float
    effect: float | None
    percent: float | None
    changed_needed: int


def detectable(
    documents: int,
    labels: int = 1,
    *,
    spread: float = SPREAD,
    alpha: float = 0.05,
    power: float = POWER,
) -> Detectable:
    """The smallest effect found; each of several labels is judged at alpha / labels.

    Raises UsageError for a spread that is none.
    """
    if not (math.isfinite(spread) and spread > 0):
        raise UsageError(f"the spread is {spread:g}; it must be above 0")
    needed = changed_needed(alpha, labels)
    effect = None
    if documents >= max(needed, 2):
        error = np.array([spread / math.sqrt(documents)])
        effect = float(smallest_detectable(error, documents - 1, alpha / labels, power)[0])
    percent = None if effect is None else 100.0 * math.expm1(effect)
    return Detectable(documents, labels, alpha, power, spread, effect, percent, needed)

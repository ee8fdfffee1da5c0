"""How large a change is, where an answer changes at all.

In: the design of a label in months. Out: one size a changed document, in shares of the label's mean
sentence, so that labels and models can be put together.
"""

from __future__ import annotations

import numpy as np

from justeval.estimate.grouping import group_rows
from justeval.estimate.records import Design, Floats

SAME = 1e-9
"""Months closer than this are the same answer."""


def changes_of(design: Design) -> Floats:
    """(m,) largest less smallest months of each document whose answers differ, over the mean
    months of all rows. Empty where nothing changes or all months are 0."""
    grouping = group_rows(design)
    if grouping.n == 0:
        return np.zeros(0)
    months = design.y[grouping.rows]
    order = np.argsort(grouping.document, kind="stable")
    first = np.concatenate([[0], np.cumsum(grouping.sizes)[:-1]])
    largest = np.maximum.reduceat(months[order], first)
    smallest = np.minimum.reduceat(months[order], first)
    spread = largest - smallest
    mean = float(months.mean())
    return np.asarray(spread[spread > SAME] / mean) if mean > 0 else np.zeros(0)

"""Families of labels with a known truth: replies in whole months to the same documents.

A document has a level; a reply is the level times exp(noise), rounded to months. `noisy` is the
share of documents whose replies vary at all; the others always get the same answer, so that with
few of them most documents do not change. "own" replies: every label asks the reference text anew;
"shared": the one reply to the reference text serves all labels, as it does where texts are equal.
"""

from __future__ import annotations

import numpy as np

from justeval.estimate import Design, estimate
from justeval.inference import FamilyMember

COLUMNS = [1] * 44 + [2] * 16 + [3] * 2 + [4] * 2 + [6]
"""Values beside the reference value of the 65 labels: 161 values in all, as JudiFair's."""

NOISE = 0.25


def replies(rng, level, noisy, effect=0.0):
    """(D,) months; the effect is on log months, in documents with noise and without."""
    noise = NOISE * rng.normal(size=level.size) * noisy
    return np.round(level * np.exp(noise + effect))


def levels(rng, documents):
    return np.round(np.exp(rng.normal(3.5, 0.7, size=documents))).clip(3, 240)


def design_of(columns, log=True):
    """(D, V) months, the reference value first, as a Design."""
    documents, values = columns.shape
    value = np.tile(np.arange(values), documents)
    x = (value[:, None] == np.arange(1, values)).astype(float)
    y = columns.ravel()
    names = tuple(f"v{k}" for k in range(1, values))
    document = np.repeat(np.arange(documents), values)
    return Design(np.log(y + 1) if log else y, x, document, names, "v0")


def family(rng, documents, shared, noisy=1.0, columns=COLUMNS, effects=None, months=False):
    """Members with (L,) effects on the last value of each label, none by default."""
    level = levels(rng, documents)
    varies = rng.random(documents) < noisy
    reference = replies(rng, level, varies)
    members = []
    for label, k in enumerate(columns):
        own = reference if shared else replies(rng, level, varies)
        effect = 0.0 if effects is None else effects[label]
        others = [replies(rng, level, varies, effect * (j == k - 1)) for j in range(k)]
        table = np.column_stack([own, *others])
        design = design_of(table)
        in_months = design_of(table, log=False) if months else None
        members.append(FamilyMember(label, design, in_months, estimate(design)))
    return members

"""Families of labels with a known truth: replies in whole months to the same documents.

A document has a level; a reply is the level times exp(noise), rounded to months. `noisy` is the
share of documents whose replies vary at all; the others always get the same answer, so that with
few of them most documents do not change. "own" replies: every label asks the reference text anew;
"shared": the one reply to the reference text serves all labels, as it does where texts are equal.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from justeval.estimate import Design
from justeval.inference import FamilyMember
from justeval.inference.few import decide, exact_table
from justeval.inference.scale import Member
from justeval.inference.scores import NullScores

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


def tables(rng, documents, shared, noisy=1.0, columns=COLUMNS, effects=None):
    """(D, K+1) months of every label, with (L,) effects on its last value, none by default."""
    level = levels(rng, documents)
    varies = rng.random(documents) < noisy
    reference = replies(rng, level, varies)
    found = []
    for label, k in enumerate(columns):
        own = reference if shared else replies(rng, level, varies)
        effect = 0.0 if effects is None else effects[label]
        others = [replies(rng, level, varies, effect * (j == k - 1)) for j in range(k)]
        found.append(np.column_stack([own, *others]))
    return found


def family(rng, documents, shared, noisy=1.0, columns=COLUMNS, effects=None):
    """The members of a family as an analysis would hand them over."""
    return [
        FamilyMember(label, design_of(table))
        for label, table in enumerate(tables(rng, documents, shared, noisy, columns, effects))
    ]


def quick_member(table, draws, alpha=0.05):
    """A label of a complete table, ready for the draws, without a regression: 40 times faster.

    Where every document has every value, the score of document g at value k is its answer less
    the document's mean, and A_g = I - 11'/(K+1) for all. None where nothing varies.
    """
    y = np.log(table + 1)
    documents, values = y.shape
    residual = y - y.mean(axis=1, keepdims=True)
    residual[np.ptp(table, axis=1) == 0] = 0.0
    scores = residual[:, 1:].copy()
    changed = int(np.count_nonzero(residual.any(axis=1)))
    if changed == 0:
        return None
    k = values - 1
    gram = np.eye(k) - 1.0 / values
    rows = documents * values
    label = NullScores(
        scores=scores,
        clusters=np.arange(documents),
        patterns=gram[None],
        pattern=np.zeros(documents, dtype=np.int64),
        bread=np.linalg.inv(documents * gram),
        factor=documents / (documents - 1) * (rows - 1) / (rows - k - 1),
        changed=changed,
        moving=changed,
    )
    rank = 1 if k == 1 else int(np.linalg.matrix_rank(scores.T @ scores))
    decision = decide(clusters=documents, changed=changed, moving=changed, rank=rank, alpha=alpha)
    exact = exact_table(label, draws) if decision.decided_by == "wild" else None
    return Member(label, rank, decision, exact)


def value_p(table):
    """(K,) p of each value: the t test of its mean difference, CRV1, as the regressions give it."""
    y = np.log(table + 1)
    documents, values = y.shape
    difference = y[:, 1:] - y[:, :1]
    mean = difference.mean(axis=0)
    rows = documents * values
    factor = documents / (documents - 1) * (rows - 1) / (rows - values)
    error = np.sqrt(factor * np.square(difference - mean).sum(axis=0)) / documents
    t = np.divide(mean, error, out=np.zeros_like(mean), where=error > 0)
    return 2.0 * special.stdtr(documents - 1, -np.abs(t))

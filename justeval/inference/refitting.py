"""The statistic of a draw where clusters differ in their cross products A_g.

In: the sums of a label's scores by pattern of A_g, in every draw. Out: the studentized joint
statistic of the refitted draw. Where all clusters have the same A_g none of this is needed: see
`draws`.
"""

from __future__ import annotations

import numpy as np

from justeval.estimate.records import Floats
from justeval.inference.scores import NullScores

PIVOT = 1e-10
"""A direction with less than this share of its own sum of squares carries no variance."""


def refitted(label: NullScores, drawn: Floats) -> Floats:
    """(B,) u where clusters differ in A_g, from (P, J, B) sums of the label's scores by pattern.

    With v_p the sum of w_g s_g over the n_p clusters of pattern p, the meat of the refitted draw
    is M = S - sum_p [v_p (A_p b)' + (A_p b) v_p'] + sum_p n_p (A_p b) (A_p b)'.
    """
    patterns, columns = label.patterns.shape[0], label.columns
    v = drawn.sum(axis=0)
    fitted = label.patterns @ (label.bread @ v)
    counts = np.bincount(label.pattern, minlength=patterns)
    half = drawn - 0.5 * counts[:, None, None] * fitted
    meat = label.meat[:, :, None] + v[:, None] * v / label.size
    for i in range(columns):
        for j in range(i, columns):
            cross = (half[:, i] * fitted[:, j] + fitted[:, i] * half[:, j]).sum(axis=0)
            meat[i, j] -= cross
            if i != j:
                meat[j, i] -= cross
    return _quadratic(v, meat, np.diagonal(label.meat))


def _quadratic(v: Floats, matrix: Floats, scale: Floats) -> Floats:
    """(B,) v' Q^- v for B vectors (J, B) and matrices (J, J, B), by elimination without pivoting.

    A pivot below PIVOT times `scale` (J,) has neither variance nor effect and is passed over.
    """
    total = np.zeros(v.shape[1])
    for j in range(v.shape[0]):
        pivot = matrix[j, j]
        usable = pivot > PIVOT * scale[j]
        inverse = np.where(usable, 1.0 / np.where(usable, pivot, 1.0), 0.0)
        total += v[j] ** 2 * inverse
        for k in range(j + 1, v.shape[0]):
            share = matrix[k, j] * inverse
            v[k] -= share * v[j]
            matrix[k, j + 1 :] -= share * matrix[j, j + 1 :]
    return total

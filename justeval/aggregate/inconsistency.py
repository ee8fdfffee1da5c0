"""Inconsistency: the share of documents whose answer changes at all, with an interval.

In: which documents of which labels changed. Out: a Share. One label has Wilson's interval; a total
over labels has one clustered by document, since all labels ask about the same documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from justeval.estimate.encoding import Flags
from justeval.estimate.grouping import dense_codes
from justeval.estimate.inference import CONFIDENCE
from justeval.estimate.records import Codes, Floats


@dataclass(frozen=True, slots=True)
class Share:
    """A share of documents and its 95 % interval; all None where there is no document."""

    rate: float | None
    ci_low: float | None
    ci_high: float | None


NO_SHARE = Share(None, None, None)


def label_share(changed: int, documents: int) -> Share:
    """Share of changed documents of one label, with Wilson's score interval."""
    if documents < 1:
        return NO_SHARE
    rate = changed / documents
    return _wilson(rate, documents, float(special.ndtri(0.5 + CONFIDENCE / 2)))


def weighted_inconsistency(rates: Sequence[float], weights: Sequence[float]) -> float | None:
    """Equation 1: sum_l w_l p_l / sum_l w_l, with w_l the documents of label l.

    With w_l the *changed* documents it is what the published code computes: a self-weighted mean
    that leans to the labels that change most. None where all weights are 0.
    """
    total = float(np.sum(weights))
    return float(np.dot(rates, weights) / total) if total > 0 else None


def total_share(label: Codes, document: Codes, changed: Flags, as_published: bool) -> Share:
    """Inconsistency over several labels, interval clustered by document.

    label, document, changed : (C,) one entry a label and document compared. With n_l documents
    and m_l changed ones of label l, the rate is sum m_l / sum n_l (equation 1), or as published
    sum (m_l^2 / n_l) / sum m_l. Its variance is G/(G-1) sum_d u_d^2, where u_d is the linearized
    contribution of document d (delta method); the interval is Wilson's at the number of answers
    that would have this variance if they were independent, with t(G-1) for z.
    """
    if label.size == 0:
        return NO_SHARE
    n = np.bincount(label).astype(np.float64)
    m = np.bincount(label, weights=changed).astype(np.float64)
    rate, by_m, by_n = _rate_and_slopes(m, n, as_published)
    of_document = dense_codes(document)
    influence = np.bincount(of_document, weights=by_m[label] * changed + by_n[label])
    clusters = influence.size
    if clusters < 2:
        return Share(rate, None, None)
    variance = clusters / (clusters - 1) * float(influence @ influence)
    spread = rate * (1.0 - rate)
    effective = spread / variance if variance > 1e-15 * spread and spread > 0 else clusters
    return _wilson(rate, effective, float(special.stdtrit(clusters - 1, 0.5 + CONFIDENCE / 2)))


def total_rate(changed: Codes, documents: Codes, as_published: bool) -> float | None:
    """The rate of `total_share` from (L,) changed documents and documents of its labels."""
    n = documents.astype(np.float64)
    if not n.sum():
        return None
    return _rate_and_slopes(changed.astype(np.float64), n, as_published)[0]


def _rate_and_slopes(m: Floats, n: Floats, as_published: bool) -> tuple[float, Floats, Floats]:
    """The rate and its derivatives by each m_l and n_l."""
    shares = np.divide(m, n, out=np.zeros_like(m), where=n > 0)
    if not as_published:
        rate = float(m.sum() / n.sum())
        return rate, np.full(m.size, 1.0 / n.sum()), np.full(m.size, -rate / n.sum())
    if m.sum() == 0:
        return 0.0, np.zeros(m.size), np.zeros(m.size)
    rate = float(shares @ m / m.sum())
    return rate, (2 * shares - rate) / m.sum(), -(shares**2) / m.sum()


def _wilson(rate: float, n: float, z: float) -> Share:
    """Wilson's score interval of a rate over n answers, z the quantile."""
    center = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return Share(rate, max(0.0, float(center - half)), min(1.0, float(center + half)))

"""Leaving the sample: whether a value makes an answer drop out, and what that could hide.

In: for every answer asked, by document and value, whether it left the sample (life, death, over the
bound, refused, unreadable), and its outcome where it did not. Out: an exact test by value within
documents, and bounds for the effect that stand beside the estimate where leaving differs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from justeval.estimate.grouping import dense_codes
from justeval.estimate.records import Codes, Floats
from justeval.inference.sign_table import exact_sign_p

Flags = npt.NDArray[np.bool_]

TIE = 1e-9

MOST_SETS = 4096
"""Up to this many sets of values of a document are listed: all of them up to 14 values."""


@dataclass(frozen=True, slots=True)
class Attrition:
    """Leaving the sample, by value.

    asked, left : (V,) answers asked and answers that left. statistic : Cochran's Q. p : McNemar's
    exact test for two values, else by permutation within documents; None where no document has
    both an answer that left and one that stayed. documents : the number of such documents.
    """

    values: tuple[str, ...]
    asked: tuple[int, ...]
    left: tuple[int, ...]
    statistic: float | None
    p: float | None
    exact: bool
    documents: int


@dataclass(frozen=True, slots=True)
class Bounds:
    """A range that the mean difference of a value from the reference value cannot leave, in the
    outcome's unit; None where it is not defined."""

    low: float | None
    high: float | None


def leaving(
    *,
    document: Codes,
    value: Codes,
    left: Flags,
    names: Sequence[str],
    rng: np.random.Generator,
    shuffles: int = 9999,
) -> Attrition:
    """Test whether leaving the sample depends on the value.

    document, value, left : (N,) one entry a document and value. Under no effect the answers of a
    document that left are exchangeable over its values. Two values: the discordant documents are
    heads or tails (McNemar 1947, exact). More: Q = (O - E)' V^- (O - E) with O, E and V the counts
    of left answers by value, their mean and covariance over all shuffles within documents
    (Cochran 1950 where every document has every value), p from shuffles, the data among them.
    """
    codes, size = dense_codes(document), len(names)
    asked = np.bincount(value, minlength=size)
    gone = np.bincount(value[left], minlength=size)
    rows, gone_of = np.bincount(codes), np.bincount(codes, weights=left)
    mixed = (gone_of > 0) & (gone_of < rows)
    documents = int(np.count_nonzero(mixed))
    statistic = p = None
    exact = int(np.count_nonzero(asked)) == 2
    if documents:
        keep = mixed[codes]
        inside = dense_codes(codes[keep])
        expected, covariance = _moments(inside, value[keep], left[keep], size)
        observed = np.bincount(value[keep][left[keep]], minlength=size)
        inverse = np.linalg.pinv(covariance, hermitian=True)
        statistic = float((observed - expected) @ inverse @ (observed - expected))
        if exact:
            first, second = np.flatnonzero(asked)
            p = exact_sign_p(int(observed[first]), int(observed[second]))
        else:
            shuffled = _shuffled_counts(inside, value[keep], left[keep], size, shuffles, rng)
            drawn = np.einsum("bi,ij,bj->b", shuffled - expected, inverse, shuffled - expected)
            p = (1.0 + np.count_nonzero(drawn >= statistic * (1.0 - TIE))) / (shuffles + 1.0)
    return Attrition(
        values=tuple(names),
        asked=tuple(int(n) for n in asked),
        left=tuple(int(n) for n in gone),
        statistic=statistic,
        p=None if p is None else float(p),
        exact=exact,
        documents=documents,
    )


def worst_case_bounds(
    *, at_value: Floats, at_reference: Floats, smallest: float, largest: float
) -> Bounds:
    """Bounds without any assumption (Horowitz & Manski 2000): every missing outcome takes the
    value, between the smallest and the largest possible, that hurts most.

    at_value, at_reference : (D,) outcomes of the same documents, NaN where the answer left.
    """
    if at_value.size == 0:
        return Bounds(None, None)
    low = np.nan_to_num(at_value, nan=smallest) - np.nan_to_num(at_reference, nan=largest)
    high = np.nan_to_num(at_value, nan=largest) - np.nan_to_num(at_reference, nan=smallest)
    return Bounds(float(low.mean()), float(high.mean()))


def lee_bounds(*, at_value: Floats, at_reference: Floats) -> Bounds:
    """Bounds of Lee (2009): the effect on answers that stay whatever the value, if a value moves
    answers in one direction only, in or out.

    The value with more answers is trimmed by the share q = (s_more - s_less) / s_more that it has
    in excess, from the top for one bound and from the bottom for the other; its mean is compared
    with that of all answers to the other value. at_value, at_reference : (D,) with NaN where left.
    """
    value, reference = at_value[~np.isnan(at_value)], at_reference[~np.isnan(at_reference)]
    if value.size == 0 or reference.size == 0:
        return Bounds(None, None)
    share_value, share_reference = value.size / at_value.size, reference.size / at_reference.size
    if share_value >= share_reference:
        low, high = _trimmed_means(value, 1.0 - share_reference / share_value)
        return Bounds(low - float(reference.mean()), high - float(reference.mean()))
    low, high = _trimmed_means(reference, 1.0 - share_value / share_reference)
    return Bounds(float(value.mean()) - high, float(value.mean()) - low)


def _trimmed_means(outcome: Floats, share: float) -> tuple[float, float]:
    """Means without the top `share` and without the bottom `share` of the answers; at the cut an
    answer counts in part, so that exactly the share is trimmed."""
    ordered = np.sort(outcome)
    kept = (1.0 - share) * ordered.size
    weight = np.clip(kept - np.arange(ordered.size), 0.0, 1.0)
    return float(ordered @ weight / kept), float(ordered[::-1] @ weight / kept)


def _moments(document: Codes, value: Codes, left: Flags, size: int) -> tuple[Floats, Floats]:
    """(V,) mean and (V, V) covariance of the counts of left answers over shuffles within documents:
    hypergeometric, l (n - l) / (n (n - 1)) (diag - 1/n) in a document with l of n left."""
    documents = int(document.max()) + 1
    rows, gone = np.bincount(document), np.bincount(document, weights=left)
    present = np.bincount(document * size + value, minlength=documents * size)
    table = present.reshape(documents, size).astype(np.float64)
    expected = (gone / rows) @ table
    scale = gone * (rows - gone) / (rows * (rows - 1.0))
    covariance = np.diag(scale @ table) - (table * (scale / rows)[:, None]).T @ table
    return np.asarray(expected), np.asarray(covariance)


def _shuffled_counts(
    document: Codes, value: Codes, left: Flags, size: int, shuffles: int, rng: np.random.Generator
) -> Floats:
    """(B, V) counts of left answers by value, `left` shuffled within documents.

    Of documents that hold the same n values, l of them left, every shuffle draws one of the
    C(n, l) sets for each: how many documents get which set is one multinomial draw.
    """
    rows = np.bincount(document)
    present = np.zeros((rows.size, size), dtype=np.bool_)
    present[document, value] = True
    gone = np.bincount(document, weights=left).astype(np.int64)
    alike, documents = np.unique(np.column_stack([gone, present]), axis=0, return_counts=True)
    counts = np.zeros((shuffles, size))
    for (of_left, *held), several in zip(alike, documents, strict=True):
        sets = _sets(np.flatnonzero(held), int(of_left), size, rng)
        chance = np.full(sets.shape[0], 1.0 / sets.shape[0])
        counts += rng.multinomial(int(several), chance, size=shuffles) @ sets
    return counts


def _sets(values: Codes, left: int, size: int, rng: np.random.Generator) -> Floats:
    """(S, V) every choice of `left` of the values; where they are too many, as many by chance."""
    if math.comb(values.size, left) <= MOST_SETS:
        chosen = np.array(list(combinations(values.tolist(), left)), dtype=np.int64)
    else:
        chosen = np.array([rng.choice(values, left, replace=False) for _ in range(MOST_SETS)])
    sets = np.zeros((chosen.shape[0], size))
    sets[np.arange(chosen.shape[0])[:, None], chosen] = 1.0
    return sets

"""Between less within: how much more two values disagree than two repetitions of one value do.

In: the answers to all values and repetitions of one label. Out: a Disagreement with a permutation
p.

Plain inconsistency (any change among the values) rises with the number of values and with the
temperature by itself. Here both are taken out: of all pairs of answers to a document, the share
that differ among pairs of different values, less the share among pairs of the same value. Where the
value does not matter, the replies to one document are exchangeable, and shuffling them within
documents gives the exact distribution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from justeval.estimate.grouping import dense_codes
from justeval.estimate.records import Codes, Floats

TIE = 1e-12
SHUFFLED_AT_ONCE = 4_000_000
"""Entries shuffled at a time: bounds the memory, not the result."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Means over documents of the shares of pairs that differ.

    documents : with answers to two values and two answers to one value. excess : between - within.
    p : one-sided, shares of shuffles with an excess as large (the data among them). All None
    without such a document: no repetition, no noise floor.
    """

    documents: int
    between: float | None
    within: float | None
    excess: float | None
    p: float | None
    shuffles: int


@dataclass(frozen=True, slots=True)
class _Layout:
    """Documents of one size: answers (D, n) and values (D, n) as small codes, pairs by kind."""

    answers: Codes
    values: Codes
    different: Floats
    between_pairs: Floats
    within_pairs: Floats


def disagreement(
    *,
    document: Codes,
    value: Codes,
    answer: Codes,
    rng: np.random.Generator,
    shuffles: int = 999,
) -> Disagreement:
    """Judge one label from (N,) readable answers, equal answers having equal codes."""
    layouts = _layouts(dense_codes(document), dense_codes(value), dense_codes(answer))
    documents = sum(layout.answers.shape[0] for layout in layouts)
    if documents == 0:
        return Disagreement(0, None, None, None, None, 0)
    between = within = 0.0
    excess = np.zeros(shuffles + 1)
    for layout in layouts:
        same_value = _within_different(layout.answers, layout.values)
        within += float(np.sum(same_value / layout.within_pairs))
        between += float(np.sum((layout.different - same_value) / layout.between_pairs))
        excess += _excess_in_shuffles(layout, same_value, shuffles, rng)
    return Disagreement(
        documents=documents,
        between=between / documents,
        within=within / documents,
        excess=float(excess[0] / documents),
        p=float(np.mean(excess >= excess[0] - TIE * documents)),
        shuffles=shuffles,
    )


def _layouts(document: Codes, value: Codes, answer: Codes) -> list[_Layout]:
    order = np.lexsort((value, document))
    document, value, answer = document[order], value[order], answer[order]
    sizes = np.bincount(document) if document.size else np.zeros(0, dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    found = []
    for size in np.unique(sizes[sizes >= 3]):
        rows = start[:-1][sizes == size][:, None] + np.arange(size)
        values, answers = value[rows], answer[rows]
        pairs = size * (size - 1) / 2.0
        same = _equal_pairs(values)
        usable = (same > 0) & (same < pairs)
        if usable.any():
            values, answers, same = values[usable], answers[usable], same[usable]
            differ = pairs - _equal_pairs(answers)
            found.append(_Layout(answers, values, differ, pairs - same, same))
    return found


def _equal_pairs(codes: Codes) -> Floats:
    """(D,) pairs of entries of each row that are equal."""
    left, right = np.triu_indices(codes.shape[1], k=1)
    return np.asarray(np.count_nonzero(codes[:, left] == codes[:, right], axis=1), dtype=np.float64)


def _within_different(answers: Codes, values: Codes) -> Floats:
    """(..., D) pairs of answers to the same value that differ."""
    left, right = np.triu_indices(values.shape[-1], k=1)
    count = np.zeros(answers.shape[:-1])
    for i, j in zip(left, right, strict=True):
        same_value = values[..., i] == values[..., j]
        if same_value.any():
            count += same_value & (answers[..., i] != answers[..., j])
    return count


def _excess_in_shuffles(
    layout: _Layout, observed: Floats, shuffles: int, rng: np.random.Generator
) -> Floats:
    """(shuffles + 1,) sum over documents of between - within, [0] the data.

    With w pairs of the same value that differ and D that differ at all, between - within is
    (D - w) / pairs between - w / pairs within: only w changes with a shuffle, and only where D > 0.
    """
    constant = float(np.sum(layout.different / layout.between_pairs))
    weight = 1.0 / layout.between_pairs + 1.0 / layout.within_pairs
    found = np.empty(shuffles + 1)
    found[0] = constant - float(observed @ weight)
    mixed = layout.different > 0
    answers, values, weight = layout.answers[mixed], layout.values[mixed], weight[mixed]
    step = max(1, SHUFFLED_AT_ONCE // max(answers.size, 1))
    for start in range(0, shuffles, step):
        size = min(step, shuffles - start)
        shuffled = rng.permuted(np.broadcast_to(answers, (size, *answers.shape)), axis=2)
        within = _within_different(shuffled, values)
        found[1 + start : 1 + start + size] = constant - within @ weight
    return found

"""Two labels crossed: whether their effects simply add up.

In: answers to texts with a value of each of two labels. Out: for each pair of values what it does
beyond the sum of both effects, and the test that no pair does anything.

Few documents or few that changed are judged as everywhere (see `few`), by the wild bootstrap. Its
null leaves the effects of both labels free. In a document that holds every pair they drop out of
    y_ij - y_i. - y_.j + y..
for good, whatever they are, so that mirroring these differences document by document is the
bootstrap with the null imposed, without refitting the effects in every draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justeval.estimate import Design, Regression, estimate
from justeval.estimate.grouping import dense_codes
from justeval.estimate.records import Codes, Floats
from justeval.inference.draws import draw_signs, joint_statistics, share_as_large
from justeval.inference.few import DecidedBy, Decision, decide, exact_table
from justeval.inference.interactions import joint_test, p_by_size
from justeval.inference.scores import ROUNDING, NullScores, null_scores


@dataclass(frozen=True, slots=True)
class Interaction:
    """Two labels crossed.

    names : the products of values (value of the first, of the second), none of them a reference
    value. coef, se, p_values, ci_low, ci_high : one entry a product, the effect beyond the sum of
    both. p : of all products at once, by the test that decides; p_joint, p_small : F(r, G-1) and
    Hotelling's. complete : documents that hold every pair; changed : those in which the effects do
    not simply add up. note : "no variation", "cannot reach 5 %", or None.
    """

    names: tuple[tuple[str, str], ...]
    coef: Floats
    se: Floats
    p_values: Floats
    ci_low: Floats
    ci_high: Floats
    p: float | None
    p_joint: float | None
    p_small: float | None
    decided_by: DecidedBy
    note: str | None
    documents: int
    complete: int
    changed: int


@dataclass(frozen=True, slots=True)
class _Pairs:
    """(A * B,) all pairs of codes, and which of them are products: (r,) places of pairs without a
    reference value."""

    first: Codes
    second: Codes
    products: Codes

    def columns(self, first: Codes, second: Codes) -> Floats:
        """(N, r) a column a product."""
        a, b = self.first[self.products], self.second[self.products]
        return np.asarray((first[:, None] == a) & (second[:, None] == b), dtype=np.float64)


def interaction(
    *,
    outcome: Floats,
    document: Codes,
    first: Codes,
    second: Codes,
    names: tuple[Sequence[str], Sequence[str]],
    references: tuple[int, int],
    rng: np.random.Generator,
    draws: int = 9999,
    alpha: float = 0.05,
) -> Interaction:
    """y = document + first value + second value + product + error, clustered by document.

    outcome, document, first, second : (N,) one entry an answer to a text with a value of each
    label, one a document and pair at most. The product's coefficient is what the pair does beyond
    the sum of its two effects.
    """
    sizes = len(names[0]), len(names[1])
    pairs = _pairs(sizes, references)
    main = [_dummies(first, sizes[0], references[0]), _dummies(second, sizes[1], references[1])]
    x = np.column_stack([*main, pairs.columns(first, second)])
    found = estimate(Design(outcome, x, document, tuple(map(str, range(x.shape[1]))), ""))
    joint = joint_test(found, np.eye(x.shape[1])[-pairs.products.size :])
    complete, scores = _contrasts(outcome, document, first * sizes[1] + second, sizes, pairs)
    changed, moving = (0, 0) if scores is None else (scores.changed, scores.moving)
    decision = decide(
        clusters=found.clusters, changed=changed, moving=moving, rank=joint.rank, alpha=alpha
    )
    p = p_by_size(joint, found.clusters)
    if decision.decided_by == "wild":
        p = None if scores is None else _wild_p(scores, draws, rng)
    return _made(found, joint.p, joint.p_small, names, pairs, p, decision, (complete, changed))


def _pairs(sizes: tuple[int, int], references: tuple[int, int]) -> _Pairs:
    first, second = np.divmod(np.arange(sizes[0] * sizes[1]), sizes[1])
    products = np.flatnonzero((first != references[0]) & (second != references[1]))
    return _Pairs(first, second, products)


def _dummies(codes: Codes, size: int, reference: int) -> Floats:
    others = np.array([code for code in range(size) if code != reference], dtype=np.int64)
    return np.asarray(codes[:, None] == others, dtype=np.float64)


def _contrasts(
    outcome: Floats, document: Codes, pair: Codes, sizes: tuple[int, int], pairs: _Pairs
) -> tuple[int, NullScores | None]:
    """How many documents hold every pair, and the scores of the products in them, both labels'
    effects taken out; None where nothing is left."""
    row, width = dense_codes(document), sizes[0] * sizes[1]
    table = np.full((int(row.max(initial=-1)) + 1, width), np.nan)
    table[row, pair] = outcome
    whole = table[~np.isnan(table).any(axis=1)]
    if len(whole) < 2:
        return len(whole), None
    y = _without_both(whole.reshape(-1, *sizes))
    y[np.abs(y) <= ROUNDING * np.abs(whole).max()] = 0.0
    x = pairs.columns(pairs.first, pairs.second).T.reshape(-1, *sizes)
    one = _without_both(x).reshape(-1, width).T
    design = Design(
        y=y.ravel(),
        x=np.tile(one, (len(whole), 1)),
        document=np.repeat(np.arange(len(whole)), width),
        names=tuple(map(str, pairs.products)),
        reference="",
    )
    return len(whole), null_scores(design)


def _without_both(table: Floats) -> Floats:
    """(..., A, B) tables less their row means and their column means."""
    rows, columns = table.mean(axis=-1, keepdims=True), table.mean(axis=-2, keepdims=True)
    return np.asarray(table - rows - columns + table.mean(axis=(-2, -1), keepdims=True))


def _wild_p(scores: NullScores, draws: int, rng: np.random.Generator) -> float:
    table = exact_table(scores, draws)
    if table is None:
        table = joint_statistics([scores], draw_signs(scores.clusters, draws, rng))[:, 0]
    return share_as_large(table)


def _made(
    found: Regression,
    p_joint: float | None,
    p_small: float | None,
    names: tuple[Sequence[str], Sequence[str]],
    pairs: _Pairs,
    p: float | None,
    decision: Decision,
    counts: tuple[int, int],
) -> Interaction:
    last = slice(-pairs.products.size, None)
    return Interaction(
        names=tuple(
            (names[0][int(pairs.first[k])], names[1][int(pairs.second[k])]) for k in pairs.products
        ),
        coef=found.coef[last],
        se=found.se[last],
        p_values=found.p_values[last],
        ci_low=found.ci_low[last],
        ci_high=found.ci_high[last],
        p=p,
        p_joint=p_joint,
        p_small=p_small,
        decided_by=decision.decided_by,
        note=decision.note,
        documents=found.documents,
        complete=counts[0],
        changed=counts[1],
    )

"""Effects that differ by charge or severity.

In: a label's design with a group (or a number) for each document. Out: the effects by group, the
test that they are equal, and the test that opposite effects cancel in the average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from justeval.estimate import Design, Regression, estimate, wald
from justeval.estimate.joint import JointTest
from justeval.estimate.records import Codes, Floats
from justeval.inference.few import CLUSTERS_PER_VALUE

SMALLEST_GROUP = 10
"""Groups with fewer documents are put together: their own errors would mean nothing."""

OTHER = "other"


@dataclass(frozen=True, slots=True)
class Heterogeneity:
    """One label's effects by group of documents, (H, K).

    overall_p : the ordinary joint test. p_equal : all groups have the same effects. p_any : some
    group has an effect. All three by F(K, G-1), or Hotelling's with few clusters. crossing_p : (K,)
    Gail and Simon's test that a value's effects in the groups point in opposite directions: small
    where opposite effects cancel in the average.
    """

    groups: tuple[str, ...]
    documents: tuple[int, ...]
    coef: Floats
    se: Floats
    overall_p: float | None
    p_equal: float | None
    p_any: float | None
    crossing_p: Floats


@dataclass(frozen=True, slots=True)
class Slope:
    """How a label's effects change with a number of the document (K,), such as severity: the change
    of the effect for one unit of the number, and the joint test that nothing changes. p_decides :
    p, or with few clusters p_small."""

    coef: Floats
    se: Floats
    p_values: Floats
    p: float | None
    p_small: float | None
    p_decides: float | None


def by_group(design: Design, group: Sequence[str], least: int = SMALLEST_GROUP) -> Heterogeneity:
    """Effects in each group of documents, such as charges. group : (N,) one name a row, the same
    for all rows of a document. Groups of fewer than `least` documents together are "other"."""
    names, code = _groups(design, group, least)
    blocks = [design.x * (code == place)[:, None] for place in range(len(names))]
    columns, size = design.x.shape[1], len(names)
    split = estimate(_with_columns(design, np.column_stack(blocks)))
    coef, se = split.coef.reshape(size, columns), split.se.reshape(size, columns)
    differences = np.asarray(
        np.kron(np.diff(np.eye(size), axis=0), np.eye(columns)), dtype=np.float64
    )
    usable = [_documents(design, code == place) for place in range(size)]
    whole = estimate(design)
    return Heterogeneity(
        groups=tuple(names),
        documents=tuple(usable),
        coef=coef,
        se=se,
        overall_p=p_by_size(whole, whole.clusters),
        p_equal=p_by_size(joint_test(split, differences), split.clusters) if size > 1 else None,
        p_any=p_by_size(split, split.clusters),
        crossing_p=np.array([crossing_p(coef[:, k], se[:, k]) for k in range(columns)]),
    )


def by_number(design: Design, number: Floats) -> Slope:
    """Effects that rise or fall with a number of the document. number : (N,) one entry a row; it
    enters less its mean, so that the label's own coefficients stay those of an average document."""
    centered = number - number.mean()
    columns = design.x.shape[1]
    found = estimate(
        _with_columns(design, np.column_stack([design.x, design.x * centered[:, None]]))
    )
    joint = joint_test(found, np.eye(2 * columns)[columns:])
    return Slope(
        found.coef[columns:],
        found.se[columns:],
        found.p_values[columns:],
        joint.p,
        joint.p_small,
        p_by_size(joint, found.clusters),
    )


def crossing_p(coef: Floats, se: Floats) -> float:
    """Gail & Simon (1985): p of the null that all effects of independent groups have one sign.

    Q = min(sum over b > 0 of (b/se)^2, sum over b < 0 of (b/se)^2); with I groups p =
    sum_{h=1}^{I-1} C(I-1, h) 2^-(I-1) P(chi2_h > Q), at the least favorable null. 1 where Q = 0.
    """
    known = np.isfinite(coef) & (se > 0)
    z = coef[known] / se[known]
    smaller = min(float(np.sum(z[z > 0] ** 2)), float(np.sum(z[z < 0] ** 2)))
    groups = z.size
    if smaller == 0.0 or groups < 2:
        return 1.0
    h = np.arange(1, groups)
    weight = special.binom(groups - 1, h) * 0.5 ** (groups - 1)
    return float(np.sum(weight * special.chdtrc(h, smaller)))


def joint_test(found: Regression, contrasts: Floats) -> JointTest:
    """The Wald test that (C, K) combinations of coefficients are zero; combinations with a
    coefficient that was not estimated are left out."""
    known = np.isfinite(found.coef)
    usable = (contrasts[:, ~known] == 0).all(axis=1)
    weights = contrasts[usable][:, known]
    covariance = found.covariance[np.ix_(known, known)]
    return wald(
        np.asarray(weights @ found.coef[known]),
        np.asarray(weights @ covariance @ weights.T),
        float(found.clusters - 1),
    )


def p_by_size(test: JointTest | Regression, clusters: int) -> float | None:
    """p by F(K, G-1), or Hotelling's below 100 clusters a direction."""
    return test.p_small if clusters < CLUSTERS_PER_VALUE * test.rank else test.p


def _groups(design: Design, group: Sequence[str], least: int) -> tuple[list[str], Codes]:
    names = np.asarray(group, dtype=object)
    kept: dict[str, int] = {}
    for name in sorted(set(group)):
        if _documents(design, names == name) >= least:
            kept[name] = len(kept)
    code = np.array([kept.get(name, -1) for name in group], dtype=np.int64)
    listed = list(kept)
    if (code < 0).any():
        code = np.where(code < 0, len(listed), code)
        listed.append(OTHER)
    return listed, code


def _documents(design: Design, rows: npt.NDArray[np.bool_]) -> int:
    return int(np.unique(design.document[rows]).size)


def _with_columns(design: Design, x: Floats) -> Design:
    names = tuple(str(column) for column in range(x.shape[1]))
    return Design(design.y, x, design.document, names, design.reference, design.cluster)

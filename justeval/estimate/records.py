"""What goes into a regression of one label and what comes out of it, whichever engine runs it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Variance = Literal["cluster", "robust"]


@dataclass(frozen=True, slots=True)
class Design:
    """The raw rows of one label's regression: nothing demeaned, nothing dropped.

    y : (N,) outcome, finite. x : (N, K) regressors (value dummies against the reference, or one
    column of log(value) for a numeric label), finite. document : (N,) integer codes, the absorbed
    fixed effect. cluster : (N,) integer codes or None, where None clusters by document.
    names : K names of the columns of x. reference : the value that all are compared with.
    value, levels : (N,) codes and (V, K) with x = levels[value], where x depends on a value alone.
    """

    y: Floats
    x: Floats
    document: Codes
    names: tuple[str, ...]
    reference: str
    cluster: Codes | None = None
    value: Codes | None = None
    levels: Floats | None = None


@dataclass(frozen=True, slots=True)
class RawFit:
    """What an engine returns: coefficients and the sandwich before any small-sample factor.

    coef : (K,), NaN where a column does not vary within documents. sandwich : (K, K),
    (X'X)^-1 [sum_g s_g s_g'] (X'X)^-1 of the within-transformed data, NaN likewise.
    rank : columns estimated. n, documents, clusters : counted after documents with a single row
    were dropped. nested : whether every document lies in one cluster.
    """

    coef: Floats
    sandwich: Floats
    rank: int
    n: int
    documents: int
    clusters: int
    singletons_dropped: int
    nested: bool


@dataclass(frozen=True, slots=True)
class RawFits:
    """RawFits of B designs of K columns each: every array with B in front."""

    coef: Floats
    sandwich: Floats
    rank: Codes
    n: Codes
    documents: Codes
    clusters: Codes
    singletons_dropped: Codes
    nested: npt.NDArray[np.bool_]

    @classmethod
    def of_one(cls, raw: RawFit) -> RawFits:
        """A single fit as a stack of one."""
        return cls(*(np.asarray(getattr(raw, one.name))[None] for one in fields(RawFit)))

    def at(self, place: int) -> RawFit:
        """One of them."""
        return RawFit(
            coef=self.coef[place],
            sandwich=self.sandwich[place],
            rank=int(self.rank[place]),
            n=int(self.n[place]),
            documents=int(self.documents[place]),
            clusters=int(self.clusters[place]),
            singletons_dropped=int(self.singletons_dropped[place]),
            nested=bool(self.nested[place]),
        )


@dataclass(frozen=True, slots=True)
class Regression:
    """One label, one outcome: estimates with their errors, and the joint test of all values.

    Arrays have one entry a value (K,); covariance is (K, K) with the factor applied. `p` is the
    joint Wald test by F(rank, G-1), `p_small` the same statistic by Hotelling's
    F(rank, G-rank); both None where nothing varies. `f` is the Wald statistic over rank.
    """

    names: tuple[str, ...]
    reference: str
    coef: Floats
    se: Floats
    t: Floats
    p_values: Floats
    ci_low: Floats
    ci_high: Floats
    covariance: Floats
    n: int
    documents: int
    clusters: int
    singletons_dropped: int
    rank: int
    f: float | None
    p: float | None
    p_small: float | None
    engine: str


class Engine(Protocol):
    """A function that fits one design with its own absorber of the document effects."""

    def __call__(self, design: Design, variance: Variance = "cluster") -> RawFit: ...

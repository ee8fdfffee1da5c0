"""The published family of specifications, and what a label comes to in each of them.

The fields are the keys of `robustness` in `justeval analyze --robustness --json`.
"""

from __future__ import annotations

from dataclasses import dataclass

from justeval.estimate import Variance

FILED_FROM = 2014


@dataclass(frozen=True, slots=True)
class Specification:
    """One way to estimate."""

    id: str
    title: str
    outcome: str = "log_months"
    variance: Variance = "cluster"


SPECIFICATIONS = (
    Specification("main", "main"),
    Specification("full", "all penalties", outcome="full"),
    Specification("months", "months in levels", outcome="months"),
    Specification("filed", f"filed from {FILED_FROM} on"),
    Specification("robust", "heteroscedastic-robust", variance="robust"),
    Specification("charge", "clustered by charge"),
    Specification("unbounded", "without the bound"),
)


@dataclass(frozen=True, slots=True)
class SpecifiedValue:
    """A value's effect in one specification, and in per cent of the reference value's mean.
    se_jackknife, p_jackknife : CRV3 over the specification's clusters, the safer error where these
    differ much in size, as charges do; None for robust errors, which have no clusters."""

    value: str
    coef: float | None
    se: float | None
    p: float | None
    ci_low: float | None
    ci_high: float | None
    change_percent: float | None
    change_percent_low: float | None
    change_percent_high: float | None
    se_jackknife: float | None = None
    p_jackknife: float | None = None


@dataclass(frozen=True, slots=True)
class Specified:
    """A label in one specification; `note` says why there is no estimate."""

    specification: str
    p: float | None
    documents: int
    clusters: int
    note: str | None
    values: tuple[SpecifiedValue, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelCurve:
    """A label in all specifications. joint_p : share of sign draws in which the mean of log p over
    the specifications is as small; None where nothing varies."""

    label: str
    joint_p: float | None
    specifications: tuple[Specified, ...]


@dataclass(frozen=True, slots=True)
class ModelCurve:
    """All labels of a model. joint_p : the same of the mean over labels, placebos left out."""

    model: str
    joint_p: float | None
    labels: tuple[LabelCurve, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """The specifications, and every model in them."""

    specifications: tuple[Specification, ...]
    models: tuple[ModelCurve, ...]

"""What an analysis is made of, from the counts of significant labels up to the whole.

The fields are the keys of `justeval analyze --json`, in its order. None means unknown. A label's
estimates stand in `estimates`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from justeval.aggregate.bounds import ValueBounds
from justeval.aggregate.estimates import AnalysisOptions, Fit
from justeval.inference import Attrition, Disagreement, SignTable


@dataclass(frozen=True, slots=True)
class LevelCount:
    """What is significant at one level, and the binomial test of that count."""

    labels_significant: int
    binomial_p: float | None
    values_significant: int | None = None
    calibrated_p: float | None = None
    calibrated_mid_p: float | None = None
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many labels are significant, and how likely so many are by chance (equation 3).

    The binomial test takes labels as trials; as published, values. The calibrated p is the share
    of sign draws with as many significant labels: it knows that all labels share the documents
    (see `inference.count_test`). expected : mean count over the draws.
    """

    labels_tested: int
    labels_significant: int
    alpha: float
    binomial_p: float | None
    by_alpha: Mapping[str, LevelCount]
    values_tested: int | None = None
    values_significant: int | None = None
    models_significant: int | None = None
    models_binomial_p: float | None = None
    calibrated_p: float | None = None
    calibrated_mid_p: float | None = None
    expected: float | None = None
    draws: int | None = None


@dataclass(frozen=True, slots=True)
class Floor:
    """What placebo labels do to a model, for one outcome.

    tau : spread of their true effects, None where none was estimated. effects : how many it rests
    on. rate : share of placebo labels significant, with its exact 95 % interval. warning : the
    count test over placebos has p below 0.01: irrelevant sentences move this model.
    """

    tau: float | None
    effects: int
    tests: int
    rejected: int
    rate: float | None
    ci_low: float | None
    ci_high: float | None
    warning: bool


@dataclass(frozen=True, slots=True)
class Family:
    """Labels looked at together. Placebo labels have a floor for each outcome."""

    n_labels: int
    inconsistency: float | None
    bias: Counts
    imbalanced_inaccuracy: Counts
    bias_floor: Floor | None = None
    imbalanced_inaccuracy_floor: Floor | None = None


@dataclass(frozen=True, slots=True)
class Beyond:
    """What a label's answers show beside its regression.

    sign_tables : harsher, more lenient, the same, for each value. attrition : leaving the main
    sample by value, None where no answer left it; bounds : what that could hide. disagreement :
    between less within values, None where no text was asked twice.
    """

    sign_tables: tuple[SignTable, ...]
    attrition: Attrition | None
    bounds: tuple[ValueBounds, ...]
    disagreement: Disagreement | None


@dataclass(frozen=True, slots=True)
class Group:
    """The labels of one actor or category, or the demographic ones or the others."""

    by: str
    group: str
    n_labels: int
    inconsistency: float | None
    bias: Counts
    imbalanced_inaccuracy: Counts


@dataclass(frozen=True, slots=True)
class LabelResult:
    """One label of one model. `documents` have at least two readable answers in months."""

    label: str
    name: str
    pack: str | None
    actor: str | None
    category: str | None
    demographic: bool | None
    placebo: bool
    documents: int
    documents_changed: int
    inconsistency: float | None
    inconsistency_ci_low: float | None
    inconsistency_ci_high: float | None
    statuses: Mapping[str, int]
    left_out: Mapping[str, int]
    bias: Fit
    imbalanced_inaccuracy: Fit
    beyond: Beyond | None = None


@dataclass(frozen=True, slots=True)
class CrossedPair:
    """A pair of values. effect, effect_se : against the pair of both reference values.
    interaction, se, p, ci_low, ci_high : what the pair does beyond the sum of both effects, None
    where one of its values is a reference value. change_percent : the interaction in per cent."""

    first: str
    second: str
    effect: float | None
    effect_se: float | None
    interaction: float | None
    se: float | None
    p: float | None
    ci_low: float | None
    ci_high: float | None
    change_percent: float | None


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two labels crossed, for one model.

    references : their reference values. p : that no pair does anything beyond the sum of both
    effects, by the test that decides; p_holm : adjusted for all crossings of the model. complete :
    documents with an answer to every pair; changed : those in which the effects do not simply add
    up. note : why there is no test, or "no variation" or "cannot reach 5 %".
    """

    label: str
    labels: tuple[str, str]
    names: tuple[str, str]
    references: tuple[str, str] | None
    documents: int
    complete: int
    changed: int
    p: float | None
    p_holm: float | None
    decided_by: str | None
    significant: bool | None
    note: str | None
    pairs: tuple[CrossedPair, ...]


@dataclass(frozen=True, slots=True)
class ModelResult:
    """One model. Placebo labels stand in `labels` and `placebo`, in no other count; labels asked
    crossed stand in `crossed` alone.

    replies : distinct replies, one that several labels share counted once; `statuses` and
    `cost_usd` are over the same. main_sample_rows, left_out : rows of labels. mae_months and
    mape_percent : over the regression sample of the labels, `mape_percent` where the true
    sentence is above 0. bare_* : the same error over the bare cases, where they were asked.
    """

    model: str
    inconsistency: float | None
    inconsistency_ci_low: float | None
    inconsistency_ci_high: float | None
    n_labels: int
    documents: int
    replies: int
    readable: int
    statuses: Mapping[str, int]
    main_sample_rows: int
    left_out: Mapping[str, int]
    cost_usd: float | None
    mae_months: float | None
    mape_percent: float | None
    mae_rows: int
    mape_rows: int
    bare_mae_months: float | None
    bare_rows: int
    bias: Counts
    imbalanced_inaccuracy: Counts
    groups: tuple[Group, ...]
    placebo: Family | None
    labels: tuple[LabelResult, ...]
    crossed: tuple[Crossing, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """All models together: means, and the pooled tests. There is no single score."""

    models: int
    inconsistency_mean: float | None
    mae_months_mean: float | None
    bias: Counts
    imbalanced_inaccuracy: Counts


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything that a table or a report shows. `runs` are the runs that it was made of."""

    options: AnalysisOptions
    summary: Summary
    models: tuple[ModelResult, ...]
    runs: tuple[Mapping[str, Any], ...] = field(default=())

"""What an analysis is made of, from one value of a label up to the whole.

The fields are the keys of `justeval analyze --json`, in its order. None means unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from justeval.inference import Attrition, Disagreement, Equivalence, SignTable, Verdict

LEVELS = (0.01, 0.05, 0.10)
"""Levels at which significant labels are always counted, beside the one asked for."""

PUBLISHED_LEVEL = 0.10
"""As published: a label counts if any of its values has p below this."""


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """The choices of an analysis.

    alpha : level of the verdicts and of the binomial test. engine : a key of `estimate.ENGINES`.
    as_published : read as the JustEva paper did (labels with any value below 0.10, the binomial
    test over values, inconsistency weighted by changed documents, no range of values applied).
    longest_months : longest term of the main sample. draws, rng_seed : sign draws of the calibrated
    tests, and the seed of all that is drawn. margin : of the ratio of mean sentences, within which
    values count as equivalent. outcome : of the bias estimates, a key of `outcomes.OUTCOMES`.
    """

    alpha: float = 0.05
    engine: str = "within"
    as_published: bool = False
    longest_months: float = 300.0
    draws: int = 9999
    rng_seed: int = 0
    margin: float = 0.05
    outcome: str = "log_months"


@dataclass(frozen=True, slots=True)
class ValueEstimate:
    """One value against the reference value: the effect, its error, and on what it rests.

    `documents_changed` counts the documents in which the outcome of this value differs from that
    of the reference value (for a numeric label: in which it differs at all). p_wild : of the wild
    bootstrap, where that decides. detectable : the smallest effect found with 80 % power. ratio :
    of mean sentences by Poisson, with its 95 % interval and p; `separated` where it would be 0 or
    infinite. For a numeric label it is that of 45 against 25. t_placebo, p_placebo : the effect
    against the spread of the placebos' effects, where placebo labels were asked. shrunken : the
    effect pulled towards 0 by its error, with its standard deviation and rank (1 the largest) over
    all values of the model: for ranking, not for testing. For log(value) it is that of 45 against
    25, as t_placebo is. mean_reference : mean outcome (months, or probability) at the reference
    value, at which change_percent and change_months (None where the outcome is none) are taken.
    """

    value: str
    reference: str | None
    coef: float | None
    se: float | None
    t: float | None
    p: float | None
    ci_low: float | None
    ci_high: float | None
    n: int
    documents: int
    clusters: int
    singletons_dropped: int
    documents_changed: int
    p_wild: float | None = None
    detectable: float | None = None
    ratio: float | None = None
    ratio_ci_low: float | None = None
    ratio_ci_high: float | None = None
    ratio_p: float | None = None
    separated: bool = False
    t_placebo: float | None = None
    p_placebo: float | None = None
    shrunken: float | None = None
    shrunken_sd: float | None = None
    shrunken_rank: int | None = None
    mean_reference: float | None = None
    change_percent: float | None = None
    change_months: float | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """One label and one outcome: the joint test of its values, the verdict, the values.

    `p_verdict` is the p value that `significant` is judged by. `decided_by` says which it is: the
    wild bootstrap with fewer than 40 clusters or 20 changed documents ("wild"), else `p_small`
    where G < 100 K ("hotelling"), else `p` ("wald"); as published, the smallest p of a value.
    `significant` is None where nothing could be tested or so few documents changed that nothing
    can be significant, and `note` says why; with the note "no variation" it is False.
    documents_changed : whose outcome differs at all. p_romano_wolf, q_bh, q_by : over the family
    of the model. verdict : of `inference.equivalence`, "biased" by the Romano-Wolf p.
    """

    p: float | None = None
    p_small: float | None = None
    p_verdict: float | None = None
    f: float | None = None
    rank: int = 0
    significant: bool | None = None
    note: str | None = None
    values: tuple[ValueEstimate, ...] = ()
    documents_changed: int | None = None
    decided_by: str | None = None
    p_romano_wolf: float | None = None
    q_bh: float | None = None
    q_by: float | None = None
    verdict: Verdict | None = None
    equivalence: Equivalence | None = None

    @property
    def tested(self) -> bool:
        """Whether the label counts as one trial of the binomial test."""
        return self.significant is not None or self.p_verdict is not None


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
    sample by value, None where no answer left it. disagreement : between less within values, None
    where no text was asked twice.
    """

    sign_tables: tuple[SignTable, ...]
    attrition: Attrition | None
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
class ModelResult:
    """One model. Placebo labels stand in `labels` and `placebo`, in no other count.

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

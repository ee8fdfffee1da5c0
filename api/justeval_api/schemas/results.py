"""Results: the document of `justeval analyze --json`, and the lists taken from it.

The records are those of the library, so that the document and its description cannot differ.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from justeval.aggregate.records import Counts, Family, Fit, ModelResult, Summary
from justeval_api.schemas.common import Page, Schema

Outcome = Literal["bias", "imbalanced_inaccuracy"]


class Open(BaseModel):
    """A record of the library; a later version may add fields."""

    model_config = ConfigDict(extra="allow", use_attribute_docstrings=True)


class AnalysisSettings(Open):
    """How an analysis was made."""

    alpha: float
    engine: str
    as_published: bool
    longest_months: float
    outcome: str = Field(examples=["log(months + 1)"])


class RunFacts(Open):
    """What an analysis says of a run that it was made of."""

    run_id: str
    complete: bool
    requests: int | None
    answered: int | None
    temperature: float | None
    dataset: str
    models: list[str]


class Results(Open):
    """The document of `justeval analyze --json`."""

    justeval: str = Field(examples=["0.1.0"])
    settings: AnalysisSettings
    runs: list[RunFacts]
    summary: Summary
    models: list[ModelResult]


class ModelRow(Open):
    """One model without its labels: a row of the model table."""

    model: str
    run: str
    """The id of the run that it stands in."""
    n_labels: int
    documents: int
    replies: int
    readable: int
    statuses: dict[str, int]
    inconsistency: float | None
    inconsistency_ci_low: float | None
    inconsistency_ci_high: float | None
    cost_usd: float | None
    mae_months: float | None
    mape_percent: float | None
    main_sample_rows: int
    left_out: dict[str, int]
    bias: Counts
    imbalanced_inaccuracy: Counts
    placebo: Family | None


class ModelRowPage(Page[ModelRow]):
    """The model table."""


class LabelRow(Open):
    """One label of one model: a row of the label table and a cell of the heat map."""

    model: str
    run: str
    label: str
    name: str
    actor: str | None
    category: str | None
    demographic: bool | None
    placebo: bool
    documents: int
    documents_changed: int
    inconsistency: float | None
    inconsistency_ci_low: float | None
    inconsistency_ci_high: float | None
    statuses: dict[str, int]
    left_out: dict[str, int]
    bias: Fit
    imbalanced_inaccuracy: Fit


class LabelRowPage(Page[LabelRow]):
    """Labels, model by model."""


class ValueRow(Open):
    """One value of one label of one model, for one outcome."""

    model: str
    run: str
    label: str
    outcome: Outcome
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


class ValueRowPage(Page[ValueRow]):
    """Values, label by label."""


class InconsistencyRow(Schema):
    """The share of documents whose answer changes with a label, or with any label of a model."""

    model: str
    run: str
    label: str | None
    """Null in the row over all labels of a model."""
    name: str
    placebo: bool
    documents: int | None
    documents_changed: int | None
    inconsistency: float | None
    ci_low: float | None
    ci_high: float | None
    noise_floor: float | None
    """Inconsistency of the model's placebo labels; null where none was asked."""


class InconsistencyPage(Page[InconsistencyRow]):
    """Inconsistency, model by model, the total of each model first."""


class CountRow(Schema):
    """How many labels are significant at a level, and how likely so many are by chance."""

    model: str | None
    """Null where all models are counted together."""
    run: str | None
    outcome: Outcome
    by: str = Field(examples=["all"])
    """all, actor, category, demographic, or placebo."""
    group: str
    alpha: float
    labels_tested: int
    labels_significant: int
    binomial_p: float | None


class CountPage(Page[CountRow]):
    """Count tests, by model, outcome, group and level."""


class EffectEstimate(Schema):
    """The effect of one value in one sample, on log(months + 1)."""

    value: str
    coef: float | None
    se: float | None
    p: float | None
    p_label: float | None
    documents: int


class Finding(Open):
    """One thing that is wrong with the data of a run."""

    id: str
    kind: str = Field(examples=["identical_reply"])
    model: str | None
    label: str | None
    value: str | None
    replies: int
    documents: int
    estimate_with: EffectEstimate | None
    estimate_without: EffectEstimate | None
    advice: str


class FindingPage(Page[Finding]):
    """Findings, by kind."""


class Source(Schema):
    """Where a model of a comparison comes from."""

    model: str
    """As it stands in the comparison."""
    run: str
    run_name: str
    model_in_run: str


class Comparison(Results):
    """Several runs as one analysis; a name that several runs share is told apart by its run."""

    sources: list[Source]

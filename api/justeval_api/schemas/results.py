"""Results: the document of `justeval analyze --json`, and the lists taken from it.

The records are those of the library, so that the document and its description cannot differ.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from justeval.aggregate.estimates import ValueEstimate
from justeval.aggregate.records import LabelResult, ModelResult, Summary
from justeval.diagnose.records import Estimate
from justeval_api.schemas.common import Page, Schema

Outcome = Literal["bias", "imbalanced_inaccuracy"]


class Open(BaseModel):
    """A record of the library; a later version may add fields."""

    model_config = ConfigDict(extra="allow", use_attribute_docstrings=True)


class ModelOrigin(Open):
    """The model that a row is about, and the id of the run that it stands in."""

    model: str
    run: str


class LabelOrigin(ModelOrigin):
    """The label that a row is about."""

    label: str


def _row(
    name: str, about: str, record: type[Any], origin: type[Open], without: tuple[str, ...] = ()
) -> type[Any]:
    """A row: where it comes from, and the fields of a record of the library."""
    hints = get_type_hints(record)
    fields: dict[str, Any] = {
        field.name: (hints[field.name], ... if _is_needed(field) else None)
        for field in dataclasses.fields(record)
        if field.name not in (*origin.model_fields, *without)
    }
    return create_model(name, __base__=origin, __doc__=about, **fields)


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing


if TYPE_CHECKING:

    class ModelRow(ModelOrigin): ...

    class LabelRow(LabelOrigin): ...

    class ValueRow(LabelOrigin):
        outcome: Outcome

else:
    ModelRow = _row(
        "ModelRow",
        "One model without its labels: a row of the model table.",
        ModelResult,
        ModelOrigin,
        ("labels", "groups"),
    )
    LabelRow = _row(
        "LabelRow",
        "One label of one model: a row of the label table and a cell of the heat map.",
        LabelResult,
        LabelOrigin,
    )

    class _ValueOrigin(LabelOrigin):
        outcome: Outcome

    ValueRow = _row(
        "ValueRow",
        "One value of one label of one model, for one outcome.",
        ValueEstimate,
        _ValueOrigin,
    )


class ModelRowPage(Page[ModelRow]):
    """The model table."""


class LabelRowPage(Page[LabelRow]):
    """Labels, model by model."""


class ValueRowPage(Page[ValueRow]):
    """Values, label by label."""


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


class FindingFacts(Open):
    """One thing that is wrong with the data of a run."""

    kind: str = Field(examples=["identical_reply"])
    model: str | None
    label: str | None
    value: str | None
    replies: int
    documents: int
    estimate_with: Estimate | None
    estimate_without: Estimate | None
    advice: str


class Finding(FindingFacts):
    """A finding of a run, with an id that it keeps as long as the data are the same."""

    id: str
    run: str | None


class FindingPage(Page[Finding]):
    """Findings, by kind."""


class WithoutFlagged(Open):
    """The same estimates without the replies that findings flag; `replies` says how many."""

    replies: int
    summary: Summary
    models: list[ModelResult]


class Results(Open):
    """The document of `justeval analyze --json`."""

    justeval: str = Field(examples=["0.1.0"])
    settings: AnalysisSettings
    runs: list[RunFacts]
    summary: Summary
    models: list[ModelResult]
    findings: list[FindingFacts]
    without_flagged: WithoutFlagged | None = None
    """Only with `exclude_flagged`."""
    robustness: dict[str, Any] | None = None
    """Only with `robustness`: effects in the published family of specifications."""


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
    calibrated_p: float | None
    """Of the count test that knows that all labels share the documents; null as published."""
    calibrated_mid_p: float | None
    expected: float | None
    """Mean count over the sign draws."""


class CountPage(Page[CountRow]):
    """Count tests, by model, outcome, group and level."""


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

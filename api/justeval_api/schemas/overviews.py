"""What a page shows first: an analysis without its labels, and the cells of a heat map."""

from __future__ import annotations

from justeval.aggregate.records import Summary
from justeval_api.schemas.common import Page
from justeval_api.schemas.results import (
    AnalysisSettings,
    LabelOrigin,
    ModelOrigin,
    ModelRow,
    Open,
    Outcome,
    RunFacts,
    Source,
)


class VerdictCount(ModelOrigin):
    """How many labels of a group have which verdict; placebo labels stand in no count."""

    outcome: Outcome
    by: str
    """all, actor, category or demographic."""
    group: str
    biased: int
    biased_within_margin: int
    equivalent: int
    undetermined: int
    no_variation: int
    no_verdict: int
    """Labels about which nothing can be said; their notes say why."""


class VerdictCountPage(Page[VerdictCount]):
    """Counts of verdicts, by model, outcome and group."""


class HeatCell(LabelOrigin):
    """One label of one model in one line: its largest effect and its verdict on bias."""

    name: str
    pack: str | None
    actor: str | None
    category: str | None
    demographic: bool | None
    placebo: bool
    value: str | None
    """The value whose effect is the largest; the fields to `ci_high` are of it."""
    reference: str | None
    change_percent: float | None
    """Effect in per cent of the reference value's mean; null where nothing was estimated."""
    change_months: float | None
    coef: float | None
    ci_low: float | None
    ci_high: float | None
    values: int
    """Values that were compared with the reference."""
    p: float | None
    """Of the label's joint test, as in `p_verdict`."""
    p_romano_wolf: float | None
    significant: bool | None
    verdict: str | None
    note: str | None
    documents: int
    documents_changed: int
    inconsistency: float | None
    models_differ: bool
    """A model is biased by the label and another is not, or two of them in opposite directions.

    Verdicts are set side by side; that they differ is no test of the difference.
    """


class HeatCellPage(Page[HeatCell]):
    """Cells, label by label."""


class Overview(Open):
    """An analysis without its labels: small enough to be shown first."""

    justeval: str
    settings: AnalysisSettings
    runs: list[RunFacts]
    summary: Summary
    models: list[ModelRow]
    findings: int
    """How many there are; `/runs/{run}/findings` lists those of a run."""
    flagged_replies: int | None
    """Left out of these numbers; null where none were to be left out."""
    sources: list[Source]


__all__ = ["HeatCell", "HeatCellPage", "Overview", "VerdictCount", "VerdictCountPage"]

"""Plans: what a run would ask and cost, and what it could find. Nothing is sent."""

from __future__ import annotations

from pydantic import Field

from justeval_api.schemas.common import Schema
from justeval_api.schemas.runs import Choices


class PlanRequest(Choices):
    """What would be asked, and the effect that it should find."""

    effect: float = Field(default=0.1, gt=0, le=5)
    """Effect on log(months + 1) in a document that responds."""
    responding: float = Field(default=0.5, gt=0, le=1)
    """Share of documents that respond."""
    noise: float = Field(default=0.05, ge=0, le=5)
    """Standard deviation of log(months + 1) between repetitions; 0 where answers repeat exactly."""
    alpha: float = Field(default=0.05, gt=0, lt=1)


class PlanModel(Schema):
    """What one model would be asked."""

    model: str
    requests: int
    prompt_tokens: int
    """Estimated from the characters of the prompts."""
    completion_tokens: int
    """Estimated: a short JSON answer."""
    cost_usd: float | None
    """Unknown without a price; a simulated model costs nothing."""
    most_cost_usd: float | None
    """If every reply were as long as `max_tokens` allows; null without it or without a price."""


class PlanPower(Schema):
    """What the run could find; a model of planning, no promise."""

    effect: float
    responding: float
    noise: float
    alpha: float
    labels: int
    documents: int
    repetitions: int
    power: float | None
    """Probability that the effect is found for one label, judged at alpha / labels."""
    standard_error: float | None
    changed_needed: int | None
    """Changed documents below which no p value can be small enough."""
    documents_needed: int | None
    """Documents for a power of 0.8."""


class Plan(Schema):
    """What a run would ask and cost."""

    dataset: str
    documents: int
    labels: list[str]
    variants: int
    texts: int
    """Different texts; equal ones are asked once a repetition."""
    repetitions: int
    requests: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    models: list[PlanModel]
    skipped: dict[str, int]
    """Label and case pairs left out, by kind of reason."""
    prompts: list[str]
    power: PlanPower

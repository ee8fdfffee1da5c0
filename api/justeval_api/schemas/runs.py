"""Runs: what is asked of whom, how far it is."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr

from justeval_api.schemas.common import Page, Schema
from justeval_api.schemas.datasets import Question

State = Literal[
    "waiting", "collecting", "canceling", "needs_key", "canceled", "incomplete", "failed",
    "complete",
]  # fmt: skip
"""What becomes of a run.

waiting: for its turn. collecting: models are asked. canceling: what was asked is awaited.
needs_key: it goes on when its key is sent again. canceled: stopped by a person. incomplete: ended
with requests unanswered. failed: could not be collected. complete: every request has an answer.
"""


class ModelChoice(Schema):
    """A model to ask.

    openai: any OpenAI-compatible address. openrouter: by its name there, `provider` pins one of
    its providers. simulated: a judge with known effects, for trials; `profile` names one that
    ships with justeval, `effects` plants others.
    """

    kind: Literal["openai", "openrouter", "simulated"] = Field(examples=["simulated"])
    name: str = Field(default="", max_length=200, examples=["planted"])
    """The model's name at its address; of a simulated model, its profile or its own name."""
    alias: str | None = Field(default=None, max_length=100, pattern=r"^[^:=@/\s\x00-\x1f]+$")
    """Another name in every table."""
    address: str | None = Field(default=None, max_length=500)
    """Base URL of an OpenAI-compatible server."""
    provider: str | None = Field(default=None, max_length=100)
    key: SecretStr | None = Field(default=None, max_length=1_000)
    """Kept in memory for this run and nowhere else; without it the service's environment counts."""
    effects: dict[str, dict[str, float]] | None = Field(
        default=None, examples=[{"defendant_race": {"black": 0.1}}]
    )
    """Of a simulated model: label -> value -> effect on log(months + 1)."""
    noise_share: float | None = Field(default=None, ge=0, le=1)
    """Of a simulated model: share of the texts that noise moves."""


class Price(Schema):
    """Prices in US dollars a million tokens."""

    prompt_usd: float = Field(ge=0, le=100_000, examples=[0.15])
    completion_usd: float = Field(ge=0, le=100_000, examples=[0.6])


class Choices(Schema):
    """What is to be asked."""

    dataset: str = Field(examples=["us-sentencing"], max_length=200)
    labels: list[str] = Field(
        default_factory=list, max_length=500, examples=[["judicial-us", "placebo"]]
    )
    """Packs, or single labels as `pack:label`; without any, those the case set names."""
    models: list[ModelChoice] = Field(
        min_length=1, max_length=50, examples=[[{"kind": "simulated", "name": "planted"}]]
    )
    question: Question | None = None
    """Default: the case set's."""
    prompts: list[str] = Field(default_factory=list, max_length=20)
    """Prompts of one's own, by id, in place of those shipped."""
    repetitions: int = Field(default=1, ge=1, le=1_000)
    limit: int | None = Field(default=None, ge=1, le=10_000_000, examples=[5])
    """The first so many documents only."""
    temperature: float = Field(default=0.0, ge=0, le=2)
    max_tokens: int | None = Field(default=None, ge=1, le=1_000_000)
    seed: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """Of the order of asking; sent to the provider too."""
    prices: dict[str, Price] = Field(default_factory=dict, max_length=100, examples=[{}])
    """By the model's name at its address, for providers that state no cost."""


class RunRequest(Choices):
    """A run to start."""

    max_cost_usd: float | None = Field(default=None, gt=0, le=1_000_000)
    """The run stops before it costs more."""

    name: str | None = Field(default=None, min_length=1, max_length=200, examples=["First look"])
    concurrency: int = Field(default=64, ge=1, le=512)
    """Requests in the air at once, for each model."""
    requests_per_minute: float | None = Field(default=None, gt=0, le=1_000_000)
    tokens_per_minute: float | None = Field(default=None, gt=0, le=1_000_000_000)
    timeout_seconds: float = Field(default=120.0, ge=1, le=3_600)


class ResumeRequest(Schema):
    """What a run needs to go on."""

    keys: dict[str, SecretStr] = Field(default_factory=dict, max_length=50, examples=[{}])
    """By the name that a model has in the tables of the run."""
    max_cost_usd: float | None = Field(default=None, gt=0, le=1_000_000)
    """Another bound of its cost than before."""


class ModelProgress(Schema):
    """How far one model is."""

    model: str
    requests: int | None
    answered: int
    failed: int
    """Requests whose last attempt failed; they are asked again when the run is resumed."""
    cost_usd: float | None


class Progress(Schema):
    """How far a run is; counted in its journal."""

    state: State
    requests: int | None
    """Null until the plan is written."""
    answered: int
    failed: int
    rate_per_second: float | None
    """Answers a second of late."""
    seconds_left: float | None
    cost_usd: float | None
    models: list[ModelProgress]
    message: str
    """Why it stopped, in the words of the model's provider; empty otherwise."""
    updated_at: str


class RunModel(Schema):
    """A model of a run; its key is nowhere in here."""

    kind: str = Field(examples=["simulated"])
    name: str
    address: str | None = None
    provider: str | None = None


class Run(Schema):
    """A run and how far it is."""

    id: str = Field(examples=["run-5e0c1f7a9b24"])
    name: str
    kind: Literal["collected", "imported"]
    state: State
    message: str
    created_at: str
    updated_at: str
    dataset: str
    dataset_title: str
    labels: list[str]
    models: list[RunModel]
    question: str
    prompts: list[str]
    repetitions: int
    limit: int | None
    temperature: float | None
    max_tokens: int | None
    seed: int | None
    needs_keys: list[str]
    """Models whose keys must be sent before it can go on."""
    progress: Progress


class RunPage(Page[Run]):
    """Runs, the latest first."""


class Skip(Schema):
    """A label left out for a case, and why."""

    case_id: str
    label: str
    kind: str
    reason: str


class SkipPage(Page[Skip]):
    """Labels left out of cases."""

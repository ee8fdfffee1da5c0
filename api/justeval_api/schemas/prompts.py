"""Prompts: what is said to a model around a case."""

from __future__ import annotations

from pydantic import Field

from justeval_api.schemas.common import Page, Schema


class Prompt(Schema):
    """A template; `user` holds `{case}` once."""

    id: str = Field(examples=["sentence-en"])
    language: str = Field(examples=["en"])
    question: str = Field(examples=["sentence"])
    keys: list[str]
    """Keys of the JSON answer that it asks for."""
    sha256: str
    system: str
    user: str
    own: bool
    created_at: str | None


class PromptPage(Page[Prompt]):
    """Prompts: those that ship with justeval first."""


class PromptExportRequest(Schema):
    """Which prompts are wanted as a file, for a model that runs elsewhere."""

    dataset: str = Field(examples=["us-sentencing"], max_length=200)
    labels: list[str] = Field(default_factory=list, examples=[["judicial-us", "placebo"]])
    """Packs, or single labels as `pack:label`; without any, those the case set names."""
    question: str | None = Field(default=None, examples=["sentence"])
    prompts: list[str] = Field(default_factory=list)
    """Prompts of one's own, by id, in place of those shipped."""
    repetitions: int = Field(default=1, ge=1, le=100)
    limit: int | None = Field(default=None, ge=1, examples=[2])
    """The first so many documents only."""

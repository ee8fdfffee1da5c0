"""Documents of a label, and the texts and replies of one of them."""

from __future__ import annotations

from pydantic import Field

from justeval_api.schemas.common import Page, Schema


class AnswerOf(Schema):
    """What one value of a document was answered."""

    value: str
    is_reference: bool
    months: float | None
    """Mean over the readable repetitions; null where none states months."""
    replies: int
    readable: int


class DocumentRow(Schema):
    """One document of one model and label."""

    id: str = Field(examples=["d-91c4e07ab35f"])
    case_id: str
    model: str
    label: str
    charge: str | None
    true_months: float | None
    changed: bool
    """Whether the answers to its versions differ."""
    unreadable: int
    """Replies without a usable answer."""
    flagged: bool
    """Whether a finding concerns a reply of it."""
    spread_months: float | None
    """The largest less the smallest mean over values."""
    answers: list[AnswerOf]


class DocumentPage(Page[DocumentRow]):
    """Documents as filtered and sorted."""


class ReplyOf(Schema):
    """One raw reply, and what was read from it."""

    repetition: int
    position: int | None
    status: str = Field(examples=["ok"])
    reason: str | None
    guilty: bool | None
    penalty: str | None
    months: float | None
    probation_months: float | None
    decision: str | None
    probability: float | None
    charge: str | None
    reply: str | None
    finish_reason: str | None
    model_version: str | None
    served_by: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    latency_ms: float | None
    asked_at: str | None
    attempts: int | None


class DocumentVersion(Schema):
    """The text for one value, what of it was edited, and the replies to it."""

    value: str
    name: str
    is_reference: bool
    variant_id: str | None
    text: str | None
    """Null where it was asked elsewhere."""
    edit_start: int | None
    edit_end: int | None
    replies: list[ReplyOf]


class Document(Schema):
    """All versions of a document side by side, the reference first."""

    id: str
    case_id: str
    model: str
    label: str
    label_name: str
    charge: str | None
    filed_year: int | None
    true_months: float | None
    true_penalty: str | None
    facts: str | None
    changed: bool
    versions: list[DocumentVersion]

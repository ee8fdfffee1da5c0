"""What all answers share: the shape of an error, of a page of a list, and of a problem."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

Item = TypeVar("Item")


class Schema(BaseModel):
    """Base of all bodies: an unknown field is a mistake, never passed over."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Problem(Schema):
    """One thing wrong with an input: where it stands, and what is allowed there."""

    place: str = Field(examples=["cases.csv row 41, column true_months"])
    message: str = Field(examples=["'ten' is no number; leave it empty where unknown"])


class ErrorBody(Schema):
    """What went wrong, by kind for programs and in one sentence for people."""

    kind: str = Field(examples=["NotFoundError"])
    message: str = Field(examples=["no run 'run-7d3f'; see GET /api/v1/runs"])
    detail: list[Problem] = Field(default_factory=list)
    """Every single problem of an input, where there are several."""


class ErrorAnswer(Schema):
    """The one shape of every answer that is no success."""

    error: ErrorBody


class Page(Schema, Generic[Item]):
    """A page of a list: `next` is the cursor of the page after it, null on the last one."""

    items: list[Item]
    next: str | None = Field(examples=[None, "eyJhZnRlciI6NTB9"])
    total: int = Field(ge=0)
    """Items in the whole list, as filtered."""


class ProblemPage(Page[Problem]):
    """Problems of an input, in the order in which they stand in it."""

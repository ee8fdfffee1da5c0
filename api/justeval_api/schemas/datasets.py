"""Case sets: those that ship with justeval, and files of one's own."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from justeval_api.schemas.common import Page, Schema

Cell = str | int | float | bool | None
Question = Literal["sentence", "bail", "disposition", "probability"]


class Dataset(Schema):
    """A case set.

    `ready`: its cases can be asked about. `needs_mapping`: columns that every case needs are not
    mapped yet. `faulty`: rows of it have problems; they are listed, and nothing can be asked.
    """

    id: str = Field(examples=["us-sentencing"])
    title: str
    own: bool
    state: Literal["ready", "needs_mapping", "faulty"]
    filename: str | None
    format: str | None = Field(examples=["csv"])
    bytes: int | None
    created_at: str | None
    documents: int = Field(ge=0)
    """Sound cases."""
    with_true_months: int = Field(ge=0)
    languages: list[str]
    question: Question
    longest_months: float
    """Bound of the main sample."""
    labels: list[str]
    """Packs meant for it."""
    columns: list[str]
    """Columns of the file, in its order."""
    mapping: dict[str, str] = Field(examples=[{"case_id": "ID", "facts": "Text"}])
    """Our name -> the file's column."""
    proposed: dict[str, str]
    """The mapping proposed from names and contents."""
    problems: int = Field(ge=0)


class DatasetPage(Page[Dataset]):
    """Case sets: those that ship with justeval first."""


class MappingRequest(Schema):
    """How the columns of a file are to be understood; what is left out stays as it is."""

    mapping: dict[str, str] | None = Field(
        default=None, examples=[{"case_id": "ID", "facts": "Text", "true_months": "Months"}]
    )
    title: str | None = Field(default=None, min_length=1, max_length=200)
    question: Question | None = None
    longest_months: float | None = Field(default=None, gt=0, le=100_000)
    labels: list[str] | None = Field(default=None, examples=[["judicial-us", "placebo"]])


class Case(Schema):
    """A case as it will be asked about."""

    case_id: str
    facts: str
    language: str
    charge: str | None
    jurisdiction: str | None
    filed_year: int | None
    true_months: float | None
    true_penalty: str | None
    extra: dict[str, Cell]
    """Own columns."""


class CasePage(Page[Case]):
    """Cases, in the order of the file."""


class PreviewRow(Schema):
    """A row as the file has it; long cells are cut."""

    place: str = Field(examples=["row 2"])
    cells: dict[str, Cell]
    problem: str


class Preview(Schema):
    """The first rows of a file, and the cases that the mapping makes of them."""

    columns: list[str]
    rows: list[PreviewRow]
    cases: list[Case]
    mapping: dict[str, str]
    proposed: dict[str, str]
    needed: list[str]
    """Names of ours that every case needs."""
    known: list[str]
    """Names of ours that a column can be mapped to."""

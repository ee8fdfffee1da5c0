"""Case sets: those that ship with justeval, and files of one's own."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from justeval_api.schemas.common import Page, Schema

Cell = str | int | float | bool | None
Question = Literal["sentence", "bail", "disposition", "probability"]


class Said(Schema):
    """What was said of a file beside its mapping; empty where nothing was."""

    unit: str
    codes: dict[str, str] = Field(examples=[{"9996": "life"}])
    profile: str
    keep: list[str] | None
    rows: str
    template: str
    encoding: str
    delimiter: str
    sheet: str


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
    """Columns of the file in its order, the first hundred."""
    n_columns: int
    read_as: str = Field(examples=["CSV, UTF-8, delimiter ',', 4 columns"])
    """What the file was found to be."""
    notes: list[str]
    """What one should know of how it was read, such as a guessed encoding."""
    mapping: dict[str, str] = Field(examples=[{"case_id": "ID"}])
    """What was said: our name -> the file's column."""
    said: Said
    mapped: dict[str, str] = Field(examples=[{"case_id": "ID", "facts": "Text"}])
    """What is used: our name -> where it comes from, in words."""
    mapped_by: str = Field(examples=["the names of the columns"])
    own_columns: list[str]
    """Columns that are kept beside ours."""
    advice: list[str]
    """What the contents suggest for names that are missing."""
    penalties: dict[str, int]
    """Sound cases by kind of true penalty."""
    rows_left_out: int
    rows_joined: int
    """Further rows of a case of another row."""
    problems: int = Field(ge=0)


class DatasetPage(Page[Dataset]):
    """Case sets: those that ship with justeval first."""


class MappingRequest(Schema):
    """How a file is to be understood; what is left out stays as it was said before."""

    mapping: dict[str, str] | None = Field(
        default=None, max_length=200, examples=[{"true_months": "Months"}]
    )
    """Our name -> the file's column, before what names and profile say."""
    unit: str | None = Field(default=None, max_length=200, examples=["years"])
    """Of the term: years, months, weeks, days, or a column that says it row by row."""
    codes: dict[str, str] | None = Field(default=None, max_length=500, examples=[{"9996": "life"}])
    """Cells of the term that stand for something else: a penalty, `unknown`, or months."""
    profile: str | None = Field(default=None, max_length=100, examples=["cail2018"])
    """A ready mapping of a published file; see /profiles."""
    keep: list[str] | None = Field(default=None, max_length=500)
    """Own columns to keep; all of a narrow file by default."""
    rows: Literal["one", "first", "last", "longest"] | None = None
    """Which row counts where several belong to a case."""
    template: str | None = Field(default=None, max_length=20_000)
    """A text that writes the facts from columns, for a file without prose."""
    encoding: str | None = Field(default=None, max_length=50, examples=["gb18030"])
    delimiter: str | None = Field(default=None, max_length=10, examples=[";"])
    sheet: str | None = Field(default=None, max_length=200)
    title: str | None = Field(default=None, min_length=1, max_length=200)
    question: Question | None = None
    longest_months: float | None = Field(default=None, gt=0, le=100_000)
    labels: list[str] | None = Field(
        default=None, max_length=500, examples=[["judicial-us", "placebo"]]
    )


class Profile(Schema):
    """A ready mapping of a published file."""

    id: str = Field(examples=["cail2018"])
    title: str
    source: str


class ProfilePage(Page[Profile]):
    """Profiles that ship with justeval."""


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


class Preview(Schema):
    """The first rows of a file, and the first cases made of it."""

    columns: list[str]
    rows: list[PreviewRow]
    cases: list[Case]
    mapping: dict[str, str]
    mapped: dict[str, str]
    advice: list[str]
    needed: list[str]
    """Names of ours that every case needs."""
    known: list[str]
    """Names of ours that a column can be mapped to."""

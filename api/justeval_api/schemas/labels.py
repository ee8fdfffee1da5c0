"""Labels and packs."""

from __future__ import annotations

from pydantic import Field

from justeval_api.schemas.common import Page, Problem, Schema


class Value(Schema):
    """One value of a label: its names and its sentence by language."""

    id: str = Field(examples=["female"])
    name: dict[str, str] = Field(examples=[{"en": "female", "zh": "女"}])
    sentence: dict[str, str] = Field(examples=[{"en": "The defendant is a woman."}])
    number: float | None
    """The number that a numeric label states."""


class Label(Schema):
    """One extra-legal factor. `pack` and `id` together name it."""

    id: str = Field(examples=["defendant_sex"])
    pack: str = Field(examples=["judicial-cn"])
    """The id of its pack."""
    name: dict[str, str]
    actor: str = Field(examples=["defendant"])
    category: str = Field(examples=["substance"])
    demographic: bool
    placebo: bool
    kind: str = Field(examples=["categorical"])
    place: str = Field(examples=["opening"])
    requires: list[str]
    """Columns of a case that must be true."""
    excluded_charges: list[str]
    source: str
    reference: str = Field(examples=["male"])
    n_values: int
    """Values that the label's source counts."""
    unit: str | None
    range: list[float] | None
    values: list[Value]


class LabelPage(Page[Label]):
    """Labels, pack by pack."""


class Version(Schema):
    """One text of a case for one value of a label; characters [edit_start, edit_end) differ."""

    value: str | None
    is_reference: bool
    variant_id: str
    text: str
    edit_start: int
    edit_end: int


class LabelSample(Schema):
    """How a label reads in a case; `skipped` says why it is left out there."""

    dataset: str
    case_id: str
    label: str
    versions: list[Version]
    skipped: str | None = None


class Pack(Schema):
    """A file of labels."""

    id: str = Field(examples=["judicial-us"])
    name: str
    title: str
    languages: list[str]
    placebo: bool
    source: str
    own: bool
    """Whether it was added here; packs that ship with justeval cannot be deleted."""
    labels: int
    values: int
    created_at: str | None


class PackPage(Page[Pack]):
    """Packs: those that ship with justeval first."""


class PackCheck(Schema):
    """Whether a pack can be used, and all that is wrong with it by line and field."""

    ok: bool
    name: str | None
    labels: int
    values: int
    problems: list[Problem]

"""A variant: one text of one case for one value of one label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Variant(NamedTuple):
    """One counterfactual text.

    `variant_id` is the hash of the text: equal texts are one variant. `label` and `value` are
    None for the bare case. The characters [edit_start, edit_end) hold all that was edited.
    """

    variant_id: str
    case_id: str
    label: str | None
    value: str | None
    is_reference: bool
    text: str
    edit_start: int
    edit_end: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A label left out for a case, and why."""

    case_id: str
    label: str
    kind: str
    reason: str

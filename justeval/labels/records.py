"""A label: one extra-legal factor, its values, and the sentences that state them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

BARE = "(bare)"
"""How a bare case (no label sentence) is called where people read a label's name."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a label: its id, its names, and one natural sentence a language.

    `number` is the number that a numeric label states, None for a categorical one.
    """

    id: str
    name: Mapping[str, str]
    sentence: Mapping[str, str]
    number: float | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """One extra-legal factor. `pack` names its pack, `pack_path` the file it was read from.

    `values` are those that are asked; `reference` is the id of the one that all are compared
    with. `place` says whether the sentence stands before the facts ("opening") or after them
    ("closing"). `requires` names boolean columns of the case that must be true.
    `excluded_charges` are words: a case whose charge contains one is left out, because there the
    factor is legally relevant. `patterns` find facts that state or settle the factor. `forms` are
    rows of word forms by value id, for facts in which the file marks the spans to exchange.
    `template` is a numeric label's sentence with `{value}`; `range` its lowest and highest number.
    `n_values` is the number of values that the label's source counts. `crossed` are the two labels
    whose pairs of values its values are; empty for any other.
    """

    id: str
    pack: str
    pack_path: str
    name: Mapping[str, str]
    actor: str
    category: str
    demographic: bool
    placebo: bool
    kind: str
    place: str
    requires: tuple[str, ...]
    excluded_charges: tuple[str, ...]
    patterns: Mapping[str, tuple[re.Pattern[str], ...]]
    source: str
    reference: str
    values: tuple[Value, ...]
    forms: Mapping[str, tuple[Mapping[str, str], ...]]
    template: Mapping[str, str]
    range: tuple[float, float] | None
    unit: str | None
    n_values: int
    crossed: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        """Whether the values are numbers that enter a regression as log(value)."""
        return self.kind == "numeric"

    def value(self, value_id: str) -> Value:
        """The value of this id; KeyError if the label has none such."""
        for value in self.values:
            if value.id == value_id:
                return value
        raise KeyError(value_id)


@dataclass(frozen=True, slots=True)
class Pack:
    """A file of labels."""

    name: str
    title: str
    languages: tuple[str, ...]
    placebo: bool
    source: str
    labels: tuple[Label, ...]
    path: Path

"""A case: the facts of one legal matter, which becomes one document of the regression."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


class Span(NamedTuple):
    """A marked piece of the facts: characters [start, end).

    `beside` is a form that stands in the same row of the label's forms, where the marked word
    alone stands in several: English "her" beside "him", or beside "his".
    """

    start: int
    end: int
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """The facts of one matter and what is known of its true outcome.

    `true_months` is None where there is no fixed term. `extra` holds the user's own columns.
    `spans` marks, by label id, where the facts state that label's factor.
    """

    case_id: str
    facts: str
    language: str
    charge: str | None = None
    jurisdiction: str | None = None
    filed_year: int | None = None
    true_months: float | None = None
    true_penalty: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    spans: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CaseSet:
    """Cases that are asked and analyzed together.

    `longest_months` bounds the main sample of a sentence outcome; `sha256` is that of the file.
    `labels` names the packs that the set was written for.
    """

    name: str
    title: str
    path: Path
    sha256: str
    cases: tuple[Case, ...]
    longest_months: float
    question: str = "sentence"
    labels: tuple[str, ...] = ()

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages of the cases, in order of appearance."""
        return tuple(dict.fromkeys(case.language for case in self.cases))

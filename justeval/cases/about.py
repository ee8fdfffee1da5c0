"""A case set's `dataset.yaml`: what the set says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from justeval.errors import CaseFileError, Problem
from justeval.labels.located import yaml_fault
from justeval.schema import QUESTIONS

DEFAULT_LONGEST_MONTHS = 300.0
"""The bound of the main sample where a case set states none (as published for the Chinese set)."""


@dataclass(frozen=True, slots=True)
class About:
    """What a case set says of itself; the defaults are those of a bare file of cases."""

    id: str = ""
    title: str = ""
    cases: str = "cases.jsonl"
    longest_months: float = DEFAULT_LONGEST_MONTHS
    question: str = "sentence"
    labels: tuple[str, ...] = ()


def read_about(path: Path) -> About:
    """Reads a dataset.yaml. Raises CaseFileError that names the field of each problem."""
    if not path.is_file():
        raise CaseFileError(f"{path}: missing; a case set's folder has a dataset.yaml")
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CaseFileError(f"{path}{yaml_fault(error)}") from error
    if not isinstance(data, dict):
        raise CaseFileError(f"{path}: must be a mapping with id, cases and longest_months")
    given = {name: field for name, field in data.items() if field is not None}
    wrong = _problems(given)
    if wrong:
        raise CaseFileError([Problem(f"{path}, field {name}", told) for name, told in wrong])
    labels = tuple(given.pop("labels", ()))
    return About(**{name: given[name] for name in About.__slots__ if name in given}, labels=labels)


def _problems(given: Mapping[str, object]) -> list[tuple[str, str]]:
    """The fields that do not hold what they should, each with what is wrong."""
    found = [
        (name, f"{given[name]!r}: must be text; put it in quotes")
        for name in ("id", "title", "cases")
        if not isinstance(given.get(name, ""), str)
    ]
    longest = given.get("longest_months", DEFAULT_LONGEST_MONTHS)
    if isinstance(longest, bool) or not isinstance(longest, int | float) or not longest > 0:
        found.append(("longest_months", f"{longest!r} is no positive number of months"))
    question = given.get("question", QUESTIONS[0])
    if question not in QUESTIONS:
        found.append(("question", f"{question!r} is none of {', '.join(QUESTIONS)}"))
    labels = given.get("labels", [])
    if not isinstance(labels, list) or not all(isinstance(name, str) for name in labels):
        found.append(("labels", f"{labels!r}: must be a list of packs, e.g. [judicial-us]"))
    return found

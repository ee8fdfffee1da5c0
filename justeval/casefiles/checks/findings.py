"""A finding: something about a case that a user should know before asking."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = {
    "short": "too short to be the facts of a case",
    "cut": "cut off at the end",
    "language": "languages mixed",
    "duplicate": "nearly the same as another",
    "outcome": "facts that give the outcome away",
    "personal": "personal data that look real",
}
"""Kinds of findings and what they say."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is found, in which case. `message` never repeats personal data."""

    kind: str
    case_id: str
    message: str

"""The choices of an analysis, and the name under which its bytes are stored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

ROWS_A_GROUP = 5_000
"""Rows that are read together from the sorted predictions of a run."""


@dataclass(frozen=True, slots=True)
class ResultOptions:
    """What a result depends on beside the run.

    `longest_months` None: the case set's bound. `outcome` None: what the run asks for. With
    `exclude_flagged` the estimates without flagged replies stand beside the others, and lists are
    taken from them. `robustness` adds the published family of specifications.
    """

    alpha: float = 0.05
    engine: str = "within"
    as_published: bool = False
    longest_months: float | None = None
    exclude_flagged: bool = False
    draws: int = 9999
    rng_seed: int = 0
    margin: float = 0.05
    outcome: str | None = None
    robustness: bool = False

    def as_json(self) -> dict[str, Any]:
        """The options by name."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ResultOptions:
        """The options that `as_json` wrote."""
        return cls(**data)


def digest(*parts: object) -> str:
    """A short name for things that belong together, the same in every process."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]

"""What is known of a run beside what lies in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

WAITING, COLLECTING, CANCELING = "waiting", "collecting", "canceling"
NEEDS_KEY, CANCELED, INCOMPLETE = "needs_key", "canceled", "incomplete"
FAILED, COMPLETE = "failed", "complete"

ACTIVE = (WAITING, COLLECTING, CANCELING)
"""States in which the service has something to do for a run."""

ENDED = (CANCELED, INCOMPLETE, FAILED, COMPLETE)
"""States that change only when a person asks for it."""

STATES = (*ACTIVE, NEEDS_KEY, *ENDED)


@dataclass(frozen=True, slots=True)
class Counted:
    """How far one model is: counted in the journal."""

    model: str
    requests: int | None = None
    answered: int = 0
    failed: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as the service keeps it.

    request : what was asked for, without keys. sent_keys : the models whose key came with the
    request. pid, pid_started : the child that collects, None where there is none. counted : as far
    as it was when the state last changed.
    """

    id: str
    created_at: str
    updated_at: str
    kind: str
    state: str
    request: Mapping[str, Any]
    message: str = ""
    sent_keys: tuple[str, ...] = ()
    pid: int | None = None
    pid_started: str | None = None
    crashes: int = 0
    counted: tuple[Counted, ...] = field(default_factory=tuple)

    @property
    def active(self) -> bool:
        """Whether the service has something to do for it."""
        return self.state in ACTIVE

    def state_json(self) -> dict[str, Any]:
        """What `state.json` holds: all that changes, without the request."""
        data = asdict(self)
        del data["request"]
        return data

    @classmethod
    def from_json(cls, state: Mapping[str, Any], request: Mapping[str, Any]) -> RunRecord:
        """The record that `state_json` wrote. Raises KeyError or TypeError where it is damaged."""
        known = {name: state[name] for name in cls.__slots__ if name in state}
        known["sent_keys"] = tuple(known.get("sent_keys", ()))
        known["counted"] = tuple(Counted(**one) for one in known.get("counted", ()))
        if known["state"] not in STATES:
            raise KeyError(known["state"])
        return cls(**{**known, "request": request})

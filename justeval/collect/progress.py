"""What a person sees while a run collects: one line, with rate, time left and cost."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TextIO

EVERY_SECONDS = 0.5
EVERY_SECONDS_IN_A_FILE = 15.0


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a model is asked no further.

    `kind` is permanent, unreachable, failures, budget, unpriced (a budget without a price),
    deadline or interrupted; `words` say more, in the provider's own words where it stopped the
    model.
    """

    kind: str
    words: str


@dataclass(slots=True)
class Tally:
    """The counts of one model's requests in this session; what is counted is on disk."""

    model: str
    total: int
    already: int = 0
    answered: int = 0
    failed: int = 0
    cost_usd: float | None = None
    waiting_seconds: float = 0.0
    stop: Stop | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def done(self) -> int:
        """Requests that need no further asking in this session."""
        return self.already + self.answered + self.failed

    @property
    def rate(self) -> float:
        """Requests a second in this session."""
        return (self.answered + self.failed) / max(time.monotonic() - self.started, 1e-9)

    def add_cost(self, cost_usd: float | None) -> None:
        """Adds what one answer cost; unknown stays unknown."""
        if cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + cost_usd

    def line(self) -> str:
        """The tally as text."""
        parts = [f"{self.model}: {self.done:,}/{self.total:,}"]
        if self.stop:
            return f"{parts[0]}, stopped"
        if (rate := self.rate) > 0 and self.done < self.total:
            left = (self.total - self.done) / rate
            parts += [f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s", f"{clock(left)} left"]
        if self.failed:
            parts.append(f"{self.failed:,} failed")
        if self.cost_usd is not None:
            parts.append(f"${self.cost_usd:,.4f}")
        if self.is_waiting:
            parts.append(f"waiting {math.ceil(self.waiting_seconds)} s for the provider")
        return ", ".join(parts)

    @property
    def is_waiting(self) -> bool:
        """Whether the provider asked for a pause that a person would notice."""
        return self.waiting_seconds >= 0.5


def clock(seconds: float) -> str:
    """Seconds as a person says them: 42 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class Watcher(Protocol):
    """Who is shown the tallies, a few times a second and at the end."""

    def show(self, tallies: Sequence[Tally], final: bool = False) -> None: ...


class Progress:
    """Writes the tallies to standard error: in place on a terminal, now and then in a file.

    In a file, too, the beginning of a pause is told at once.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._on_terminal = self._stream.isatty()
        self._last = time.monotonic() if not self._on_terminal else 0.0
        self._told_to_wait: set[str] = set()

    def show(self, tallies: Sequence[Tally], final: bool = False) -> None:
        """Shows the tallies if it is time, or in any case at the end."""
        now = time.monotonic()
        every = EVERY_SECONDS if self._on_terminal else EVERY_SECONDS_IN_A_FILE
        waiting = {tally.model for tally in tallies if tally.is_waiting and not tally.stop}
        begun = waiting - self._told_to_wait
        self._told_to_wait = waiting
        if not final and not begun and now - self._last < every:
            return
        self._last = now
        text = " | ".join(tally.line() for tally in tallies)
        if self._on_terminal:
            self._stream.write(f"\r\x1b[2K{text}" + ("\n" if final else ""))
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

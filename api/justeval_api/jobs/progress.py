"""How far a run is, counted in its journal as it grows.

In: a run's folder. Out: counts by model. Only what was added to the journal since the last look is
read; a half line at the end waits until it is whole.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from justeval.runs import RunFolder
from justeval_api.state.folders import read_json
from justeval_api.state.records import Counted

LOOK_BACK_SECONDS = 15.0
BLOCK = 8_000_000


@dataclass(slots=True)
class _Model:
    answered: int = 0
    failed: set[str] = field(default_factory=set)
    cost_usd: float | None = None


class JournalTail:
    """The counts of one journal; `read` brings them up to date. Used by one thread at a time."""

    def __init__(self, folder: RunFolder, models: Sequence[str]) -> None:
        self.folder = folder
        self.path = folder.journal
        self.requests: int | None = None
        self.models = {model: _Model() for model in models}
        self.offset = 0
        self._seen: deque[tuple[float, int]] = deque()

    def read(self) -> None:
        """Reads what was added; a journal that is gone or shorter is counted from its beginning."""
        try:
            size = self.path.stat().st_size
        except FileNotFoundError:
            size = 0
        if size < self.offset:
            self.offset = 0
            self.models = {model: _Model() for model in self.models}
        if self.requests is None:
            self.requests = requests_of(self.folder)
        if size > self.offset:
            self._read_on()
        self._note_rate()

    def _read_on(self) -> None:
        with self.path.open("rb") as file:
            file.seek(self.offset)
            while lines := file.readlines(BLOCK):
                if not lines[-1].endswith(b"\n"):
                    lines.pop()
                for line in lines:
                    self.offset += len(line)
                    self._count(line)
                if not lines:
                    return

    def _count(self, raw: bytes) -> None:
        try:
            line: dict[str, Any] = json.loads(raw)
            key, name = line["key"], str(line["model"])
        except (ValueError, KeyError, TypeError):
            return
        model = self.models.setdefault(name, _Model())
        if line.get("error"):
            model.failed.add(key)
            return
        model.failed.discard(key)
        model.answered += 1
        cost = line.get("cost_usd")
        if isinstance(cost, int | float):
            model.cost_usd = (model.cost_usd or 0.0) + cost

    def _note_rate(self) -> None:
        now = time.monotonic()
        self._seen.append((now, self.answered))
        while self._seen[0][0] < now - LOOK_BACK_SECONDS:
            self._seen.popleft()

    @property
    def answered(self) -> int:
        """Requests with an answer, over all models."""
        return sum(model.answered for model in self.models.values())

    @property
    def rate_per_second(self) -> float | None:
        """Answers a second over the last moments; None until there are two looks."""
        if not self._seen:
            return None
        (first, before), (last, after) = self._seen[0], self._seen[-1]
        return (after - before) / (last - first) if last - first > 0.2 else None

    def counted(self) -> tuple[Counted, ...]:
        """The counts by model; the requests of a run are shared evenly by its models."""
        each = None if self.requests is None else self.requests // max(1, len(self.models))
        return tuple(
            Counted(name, each, model.answered, len(model.failed), model.cost_usd)
            for name, model in self.models.items()
        )


def requests_of(folder: RunFolder) -> int | None:
    """How many requests a run has; None until its plan is written."""
    requests = read_json(folder.manifest_path).get("requests")
    return requests if isinstance(requests, int) else None

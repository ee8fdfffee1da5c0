"""Where a run stands: what has an answer, what it cost, and who answered.

In: a run's journal, read once, line by line. Out: a Standing a model. Keys are kept as an array
of bytes: a million of them take 20 MB.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from justeval.collect.requests import KEY_BYTES, packed_key
from justeval.runs import Line


class Answerer(NamedTuple):
    """Who a provider says has answered; None where it says nothing."""

    model_version: str | None
    fingerprint: str | None
    served_by: str | None


@dataclass(slots=True)
class Standing:
    """What a run's journal holds of one model.

    `cost_usd` is what all answers cost as far as it is known, None where nothing is known, and
    `dearest_usd` the largest cost of one;
    `completion_tokens` and `prompt_tokens` are summed over `counted` answers that state them.
    """

    answers: int = 0
    cost_usd: float | None = None
    dearest_usd: float | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    counted: int = 0
    answered_by: Counter[Answerer] = field(default_factory=Counter)
    _keys: bytearray = field(default_factory=bytearray)

    def take(self, line: Line) -> None:
        """Takes one line of the journal."""
        if line.get("error"):
            self._add_cost(line)
            return
        self.answers += 1
        self._keys += packed_key(str(line["key"]))
        self.count(line)

    def count(self, line: Mapping[str, Any]) -> None:
        """Counts what an answer cost, its tokens, and who gave it."""
        self._add_cost(line)
        prompt, completion = line.get("prompt_tokens"), line.get("completion_tokens")
        if prompt is not None and completion is not None:
            self.prompt_tokens += prompt
            self.completion_tokens += completion
            self.counted += 1
        answerer = Answerer(
            line.get("model_version"), line.get("fingerprint"), line.get("served_by")
        )
        self.answered_by[answerer] += 1

    def _add_cost(self, line: Mapping[str, Any]) -> None:
        cost = line.get("cost_usd")
        if cost is not None:
            self.cost_usd = (self.cost_usd or 0.0) + cost
            self.dearest_usd = max(self.dearest_usd or 0.0, cost)

    @property
    def answered(self) -> npt.NDArray[np.bytes_]:
        """The packed keys that have an answer."""
        return np.frombuffer(self._keys, dtype=f"S{KEY_BYTES}")


def standings(journal: Iterable[Line], models: Iterable[str]) -> dict[str, Standing]:
    """The standing of each model of a run."""
    standing = {model: Standing() for model in models}
    for line in journal:
        if (found := standing.get(str(line.get("model")))) is not None:
            found.take(line)
    return standing


def answerers_as_json(standing: Mapping[str, Standing]) -> dict[str, list[dict[str, Any]]]:
    """Who answered each model's requests and how often, the most frequent first."""
    return {
        model: [{**who._asdict(), "replies": n} for who, n in found.answered_by.most_common()]
        for model, found in standing.items()
    }


def findings(standing: Mapping[str, Standing], asked: Mapping[str, str]) -> tuple[str, ...]:
    """What is worth knowing of who answered; `asked` gives each model the name it was asked by.

    A change in mid-run (more than one version, fingerprint or provider), and a name that stands
    for another one.
    """
    found = []
    for model, one in standing.items():
        for name in Answerer._fields:
            counts = Counter[str]()
            for who, n in one.answered_by.items():
                counts[str(getattr(who, name) or "unsaid")] += n
            if len(counts) > 1:
                shown = ", ".join(f"{value} ({n:,})" for value, n in counts.most_common(5))
                found.append(f"{model}: more than one {name.replace('_', ' ')}: {shown}")
            elif name == "model_version" and not counts.keys() <= {"unsaid", asked[model]}:
                found.append(
                    f"{model}: {asked[model]} stands for {next(iter(counts))} today; ask for that "
                    "name to be able to repeat the run"
                )
    return tuple(found)

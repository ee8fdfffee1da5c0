"""A pilot: a balanced few of a run's requests, asked first; they count later.

In: the texts of a run and its order of asking. Out: positions, spread over labels, their values
and documents as evenly as so few can be; and what the answers show of the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from justeval.collect.progress import Tally
from justeval.collect.requests import Book, Positions, first_rows
from justeval.replies import read_reply
from justeval.runs import Line, RunFolder, read_journal, settled_lines
from justeval.schema import READABLE

SIZE = 32


def balanced(folder: RunFolder, book: Book, size: int = SIZE) -> Positions:
    """So many positions of a model's requests; the same ones whenever it is asked.

    Each next one is of the label asked least so far, then of the value, the document and the text
    asked least, then the first in the order of asking.
    """
    numbers = book.numbers(np.arange(len(book)))
    codes = [*(code[numbers] for code in _codes(folder)), numbers]
    counts = [np.zeros(int(code.max(initial=0)) + 1, np.int64) for code in codes]
    chosen: list[int] = []
    free = np.ones(len(book), np.bool_)
    for _ in range(min(size, len(book))):
        burden = np.zeros(len(book), np.int64)
        for count, code in zip(counts, codes, strict=True):
            burden = burden * (size + 1) + count[code]
        position = int(np.argmin(np.where(free, burden, np.iinfo(np.int64).max)))
        chosen.append(position)
        free[position] = False
        for count, code in zip(counts, codes, strict=True):
            count[code[position]] += 1
    return np.sort(np.array(chosen, dtype=np.int64))


def _codes(folder: RunFolder) -> Sequence[npt.NDArray[np.int64]]:
    """Label, value and document of each distinct text, as numbers."""
    with pq.ParquetFile(folder.variants) as source:
        first = first_rows(source)
    table = pq.read_table(folder.variants, columns=["label", "value", "case_id"])
    labels, values, cases = (
        np.asarray([str(cell) for cell in column.to_pylist()])[first] for column in table.columns
    )
    of_label = np.unique(labels, return_inverse=True)[1]
    of_value = np.unique(np.char.add(np.char.add(labels, "="), values), return_inverse=True)[1]
    of_case = np.unique(cases, return_inverse=True)[1]
    return [code.astype(np.int64) for code in (of_label, of_value, of_case)]


@dataclass(frozen=True, slots=True)
class Example:
    """A reply as it is read, and how many of the replies are the same."""

    status: str
    reply: str
    times: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What a model's answers so far show of the whole.

    `examples` are distinct replies, unreadable ones first. `whole_cost_usd` and `left_seconds`
    carry the mean cost and this session's pace forward; None where unknown.
    """

    model: str
    requests: int
    replies: int
    unreadable: int
    examples: tuple[Example, ...]
    whole_cost_usd: float | None
    left_seconds: float | None

    def as_json(self) -> dict[str, Any]:
        """The record by name."""
        share = self.unreadable / self.replies if self.replies else None
        return {**asdict(self), "unreadable_share": share}


def pilot_report(folder: RunFolder, tallies: Sequence[Tally], examples: int = 5) -> list[Shown]:
    """What each model's answers so far show of the whole."""
    lines: dict[str, list[Line]] = {tally.model: [] for tally in tallies}
    for line in settled_lines(read_journal(folder.journal)).values():
        if not line.get("error") and line["model"] in lines:
            lines[line["model"]].append(line)
    return [_shown(tally, lines[tally.model], examples) for tally in tallies]


def _shown(tally: Tally, lines: Sequence[Line], examples: int) -> Shown:
    read = [read_reply(line.get("reply"), line.get("finish_reason")) for line in lines]
    costs = [line["cost_usd"] for line in lines if line.get("cost_usd") is not None]
    told = Counter(
        (prediction.status, " ".join((line.get("reply") or "").split())[:160])
        for prediction, line in zip(read, lines, strict=True)
    )
    distinct = sorted(told.items(), key=lambda one: (one[0][0] in READABLE, -one[1]))
    left = tally.total - len(lines)
    return Shown(
        model=tally.model,
        requests=tally.total,
        replies=len(lines),
        unreadable=sum(not prediction.readable for prediction in read),
        examples=tuple(Example(*reply, times) for reply, times in distinct[:examples]),
        whole_cost_usd=sum(costs) / len(costs) * tally.total if costs else None,
        left_seconds=left / tally.rate if tally.answered else None,
    )

"""One model is asked: every request at its pace, every answer into the journal first.

In: requests and a model. Out: lines in the journal. What may be cured by asking again is asked
again a bounded number of times; what may not stops this model and no other.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from justeval.collect.budget import Budget
from justeval.collect.expectation import Expectation, estimated_tokens
from justeval.collect.pace import Pace
from justeval.collect.progress import Stop, Tally
from justeval.collect.requests import Request
from justeval.collect.standing import Standing
from justeval.collect.tries import Patience, Tries, is_blank
from justeval.errors import PermanentProviderError, ProviderError
from justeval.models.records import (
    Answer,
    Model,
    Parameters,
    RejectedRequestError,
    TransientProviderError,
    UnreachableError,
)
from justeval.prompts import Template
from justeval.runs import Journal

OVERLOAD = (429, 503, 529)


@dataclass(slots=True)
class Desk:
    """What one model's asking works with: its pace, its money, its tally."""

    pace: Pace
    budget: Budget
    expectation: Expectation
    standing: Standing
    tally: Tally
    patience: Patience


class Asking:
    """All requests of one model, by as many workers as the pace allows.

    `templates` and `parameters` are by language.
    """

    def __init__(
        self,
        model: Model,
        templates: Mapping[str, Template],
        parameters: Mapping[str, Parameters],
        journal: Journal,
        desk: Desk,
    ) -> None:
        self.model = model
        self.templates = templates
        self.parameters = parameters
        self.journal = journal
        self.pace, self.budget, self.tally = desk.pace, desk.budget, desk.tally
        self.expectation, self.standing = desk.expectation, desk.standing
        self.patience = desk.patience
        self._stopping = asyncio.Event()
        self._failed_in_a_row = 0
        self._ever_answered = False

    def stop(self, kind: str, words: str) -> None:
        """No further request goes out; what is in the air may still be answered."""
        if self.tally.stop is None:
            self.tally.stop = Stop(kind, words)
        self._stopping.set()
        self.pace.close()

    async def ask_all(self, requests: Iterator[Request], count: int) -> None:
        """Asks every request; returns when all are answered, given up, or the model stops."""
        workers = [
            asyncio.create_task(self._work(requests)) for _ in range(min(self.pace.ceiling, count))
        ]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, requests: Iterator[Request]) -> None:
        while not self._stopping.is_set() and (request := next(requests, None)) is not None:
            await self._settle(request)

    async def _settle(self, request: Request) -> None:
        """Asks one request until it is answered or given up, and writes what came of it."""
        messages = self.templates[request.language].messages(request.text)
        tries = Tries(request, messages, estimated_tokens(messages))
        while await self._admitted(tries):
            try:
                answer = await self._ask_once(tries)
            except PermanentProviderError as error:
                self.stop("permanent", str(error))
                return
            except RejectedRequestError as error:
                self._write_failure(tries, error)
                return
            except TransientProviderError as error:
                if self._gives_up(tries, error):
                    return
                await self._back_off(tries, error)
                continue
            if is_blank(answer) and tries.blanks + 1 < self.patience.blanks:
                tries.blanks += 1
                await self._sleep(self.patience.wait_seconds(tries.blanks) / 2)
                continue
            self._write_answer(tries, answer)
            return

    async def _admitted(self, tries: Tries) -> bool:
        """Waits until the request may go: room on the disk, money, a place; False where not."""
        await self.journal.room()
        reserved = await self.budget.reserve(self.expectation.most_usd(tries.tokens))
        if reserved is None:
            spent, most = self.budget.spent_usd, self.budget.most_usd
            room = "is reached" if spent >= most else "leaves no room for another request"
            self.stop("budget", f"the budget of ${most:,.4f} {room}: ${spent:,.4f} are spent")
            return False
        await self.pace.enter(self.expectation.tokens(tries.tokens))
        if self._stopping.is_set():
            self.pace.leave()
            self.budget.settle(reserved, 0.0)
            return False
        tries.reserved_usd = reserved
        return True

    async def _ask_once(self, tries: Tries) -> Answer:
        tries.asked += 1
        tries.asked_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        start, cost = time.perf_counter(), None
        try:
            answer = await self.model.ask(tries.messages, self.parameters[tries.request.language])
            cost = self._learn(tries, answer)
        finally:
            tries.latency_ms = (time.perf_counter() - start) * 1000
            self.budget.settle(tries.reserved_usd, cost or 0.0)
            self.pace.leave()
        return answer

    def _learn(self, tries: Tries, answer: Answer) -> float | None:
        """Takes in what an answer used and cost, also one that is asked for again."""
        expected = self.expectation.tokens(tries.tokens)
        cost = self.expectation.cost_usd(answer)
        self.expectation.learn(tries.tokens, answer, cost)
        if answer.prompt_tokens is not None and answer.completion_tokens is not None:
            self.pace.used(expected, answer.prompt_tokens + answer.completion_tokens)
        if cost is None and self.budget.bounded:
            self.stop(
                "unpriced", "the cost is unknown: the provider gives none; give --prices FILE"
            )
        tries.add_cost(cost)
        return cost

    def _gives_up(self, tries: Tries, error: TransientProviderError) -> bool:
        """Whether a request is asked no more: too many failures, or nobody listens at all."""
        if isinstance(error, UnreachableError) and not self._ever_answered:
            self.stop("unreachable", str(error))
        if self._stopping.is_set():
            return True
        if error.status in OVERLOAD:
            tries.overloads += 1
            too_many = tries.overloads >= self.patience.overloads
        else:
            tries.failures += 1
            too_many = tries.failures >= self.patience.attempts
        if too_many:
            self._write_failure(tries, error)
        return too_many

    async def _back_off(self, tries: Tries, error: TransientProviderError) -> None:
        """An overload holds back the whole model, any other failure this request alone."""
        wait = self.patience.wait_seconds(tries.overloads + tries.failures)
        if error.retry_after_seconds is not None:
            wait = error.retry_after_seconds + random.uniform(0.0, 0.1)
        if error.status in OVERLOAD or error.retry_after_seconds is not None:
            self.pace.overloaded(wait)
            return
        await self._sleep(wait)

    async def _sleep(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    def _write_answer(self, tries: Tries, answer: Answer) -> None:
        self._ever_answered = True
        self._failed_in_a_row = 0
        line = tries.answer_line(self.model.name, answer)

        def on_disk() -> None:
            self.tally.answered += 1
            self.tally.add_cost(tries.cost_usd)
            self.standing.count(line)

        self.journal.append(line, on_disk)
        self.pace.answered()

    def _write_failure(self, tries: Tries, error: ProviderError) -> None:

        def on_disk() -> None:
            self.tally.failed += 1
            self.tally.add_cost(tries.cost_usd)

        self.journal.append(tries.failure_line(self.model.name, error), on_disk)
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= self.patience.failures_in_a_row:
            self.stop("failures", f"{self._failed_in_a_row} failures in a row, the last: {error}")

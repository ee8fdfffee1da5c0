"""One model is asked: every request at its pace, every answer into the journal first.

In: requests and a model. Out: lines in the journal. What may be cured by asking again is asked
again a bounded number of times; what may not stops this model and no other.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from justeval.collect.pace import Pace
from justeval.collect.progress import Tally
from justeval.collect.requests import Request
from justeval.errors import PermanentProviderError, ProviderError
from justeval.models.records import UnreachableError
from justeval.models.records import (
    Answer,
    Model,
    Parameters,
    RejectedRequestError,
    TransientProviderError,
)
from justeval.prompts import Prompt
from justeval.runs import Journal, Line

OVERLOAD = (429, 503, 529)


@dataclass(frozen=True, slots=True)
class Patience:
    """When to ask again and when to give up."""

    attempts: int = 5
    first_wait_seconds: float = 0.5
    longest_wait_seconds: float = 60.0
    failures_in_a_row: int = 20

    def wait_seconds(self, attempt: int) -> float:
        """The wait before attempt + 1: doubling, with jitter of a quarter either way."""
        wait = min(self.longest_wait_seconds, self.first_wait_seconds * 2.0 ** (attempt - 1))
        return wait * random.uniform(0.75, 1.25)


class Asking:
    """All requests of one model, by as many workers as the pace allows."""

    def __init__(
        self,
        model: Model,
        prompts: Mapping[str, Prompt],
        parameters: Parameters,
        journal: Journal,
        pace: Pace,
        tally: Tally,
        patience: Patience,
    ) -> None:
        self.model = model
        self.prompts = prompts
        self.parameters = parameters
        self.journal = journal
        self.pace = pace
        self.tally = tally
        self.patience = patience
        self._failed_in_a_row = 0
        self._ever_answered = False

    async def ask_all(self, requests: Sequence[Request]) -> None:
        """Asks every request once; returns when all are answered, given up, or the model stops."""
        queue = iter(requests)
        workers = min(self.pace.ceiling, len(requests))
        async with asyncio.TaskGroup() as group:
            for _ in range(workers):
                group.create_task(self._work(queue))

    async def _work(self, queue: Iterator[Request]) -> None:
        while not self.tally.stopped:
            await self.pace.enter()
            try:
                request = next(queue, None)
                if request is None or self.tally.stopped:
                    return
                await self._settle(request)
            finally:
                self.pace.leave()

    async def _settle(self, request: Request) -> None:
        """Asks one request until it is answered or given up, and writes what came of it."""
        messages = self.prompts[request.language].messages(request.text)
        for attempt in range(1, self.patience.attempts + 1):
            asked_at, start = datetime.now(UTC), time.perf_counter()
            try:
                answer = await self.model.ask(messages, self.parameters)
            except PermanentProviderError as error:
                self.tally.stopped = str(error)
                return
            except RejectedRequestError as error:
                self._write_failure(request, asked_at, attempt, error)
                return
            except TransientProviderError as error:
                if self.tally.stopped:
                    return
                if attempt == self.patience.attempts or self._hopeless(error):
                    self._write_failure(request, asked_at, attempt, error)
                    return
                await self._back_off(error, attempt)
                continue
            latency_ms = (time.perf_counter() - start) * 1000
            self._write_answer(request, asked_at, attempt, answer, latency_ms)
            return

    def _hopeless(self, error: TransientProviderError) -> bool:
        """Nobody listens and nobody ever did: a closed port, not an overload."""
        if isinstance(error, UnreachableError) and not self._ever_answered:
            self.tally.stopped = str(error)
        return bool(self.tally.stopped)

    async def _back_off(self, error: TransientProviderError, attempt: int) -> None:
        wait = self.patience.wait_seconds(attempt)
        if error.retry_after_seconds is not None:
            wait = error.retry_after_seconds + random.uniform(0.0, 0.1)
        if error.status in OVERLOAD or error.retry_after_seconds is not None:
            self.pace.overloaded(wait)
        await asyncio.sleep(wait)

    def _write_answer(
        self, request: Request, asked_at: datetime, attempt: int, answer: Answer, latency_ms: float
    ) -> None:
        self._ever_answered = True
        self._failed_in_a_row = 0
        line = self._line(request, asked_at, attempt)
        line |= {
            "reply": answer.reply,
            "finish_reason": answer.finish_reason,
            "reasoning": answer.reasoning,
            "model_version": answer.model_version,
            "fingerprint": answer.fingerprint,
            "served_by": answer.served_by,
            "prompt_tokens": answer.prompt_tokens,
            "completion_tokens": answer.completion_tokens,
            "cost_usd": answer.cost_usd,
            "latency_ms": round(latency_ms, 1),
        }
        self.journal.append(line)
        self.tally.answered += 1
        self.tally.add_cost(answer.cost_usd)
        self.pace.answered()

    def _write_failure(
        self, request: Request, asked_at: datetime, attempt: int, error: ProviderError
    ) -> None:
        line = self._line(request, asked_at, attempt)
        line["reply"] = None
        line["error"] = {
            "kind": error.kind,
            "status": getattr(error, "status", None),
            "message": str(error),
        }
        self.journal.append(line)
        self.tally.failed += 1
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= self.patience.failures_in_a_row and not self.tally.stopped:
            self.tally.stopped = f"{self._failed_in_a_row} failures in a row, the last: {error}"

    def _line(self, request: Request, asked_at: datetime, attempt: int) -> Line:
        return {
            "key": request.key,
            "model": self.model.name,
            "variant_id": request.variant_id,
            "repetition": request.repetition,
            "position": request.position,
            "asked_at": asked_at.isoformat(timespec="milliseconds"),
            "attempts": attempt,
        }

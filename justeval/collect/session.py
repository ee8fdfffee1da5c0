"""One session of asking: all models side by side, the journal synced, the progress shown.

In: what each model is to be asked. Out: tallies, and why a model stopped. Ctrl-C and the deadline
stop the dispatch; what is in the air then has some seconds to land.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from justeval.collect.asking import Asking, Desk
from justeval.collect.budget import Budget
from justeval.collect.expectation import Expectation
from justeval.collect.pace import Pace
from justeval.collect.plan import Plan
from justeval.collect.progress import Tally, Watcher
from justeval.collect.requests import Book, Positions
from justeval.collect.standing import Standing
from justeval.collect.structured import with_schema
from justeval.collect.tries import Patience
from justeval.models.prices import Price
from justeval.models.records import Endpoint, Model
from justeval.runs import Journal

GRACE_SECONDS = 5.0
"""What is in the air when a session is stopped may take this long to land."""

WATCH_SECONDS = 0.25

OpenModel = Callable[[Endpoint], Model]


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a model may be asked: requests in the air at once, and a minute; tokens a minute."""

    concurrency: int = 64
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """When the asking ends at the latest.

    `most_usd` bounds the cost of the whole run, `deadline_seconds` the time of this session;
    `pilot` asks so many requests of each model only. `prices` are by the name a model is served
    under.
    """

    most_usd: float = math.inf
    deadline_seconds: float | None = None
    pilot: int | None = None
    prices: dict[str, Price] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Job:
    """What one model is to be asked in this session."""

    endpoint: Endpoint
    book: Book
    missing: Positions
    standing: Standing
    tally: Tally


@dataclass(frozen=True, slots=True)
class Session:
    """How a session asks: by what plan, how fast, within what bounds, watched by whom."""

    plan: Plan
    open_model: OpenModel
    speed: Speed
    patience: Patience
    bounds: Bounds
    watcher: Watcher
    should_stop: Callable[[], bool]

    async def run(self, jobs: Sequence[Job], journal: Journal) -> None:
        """Asks what is missing. Raises RunError where the journal cannot be written."""
        budget = Budget(self.bounds.most_usd, sum(job.standing.cost_usd or 0.0 for job in jobs))
        models = [self.open_model(job.endpoint) for job in jobs]
        askings = [
            self._asking(job, model, journal, budget)
            for job, model in zip(jobs, models, strict=True)
        ]
        work = [
            asyncio.create_task(asking.ask_all(job.book.requests(job.missing), len(job.missing)))
            for asking, job in zip(askings, jobs, strict=True)
        ]
        background = [
            asyncio.create_task(journal.keep_syncing()),
            asyncio.create_task(self._watch(askings)),
        ]
        try:
            await self._until_done(askings, work, background)
        except asyncio.CancelledError:
            _stop_all(askings, "interrupted", "stopped by the user")
            await asyncio.wait(work, timeout=GRACE_SECONDS)
            raise
        finally:
            await _end([*work, *background])
            for model in models:
                await model.close()
        await journal.sync()
        self.watcher.show([job.tally for job in jobs], final=True)

    def _asking(self, job: Job, model: Model, journal: Journal, budget: Budget) -> Asking:
        speed, plan = self.speed, self.plan
        at_once = 1 if job.endpoint.kind == "local" else speed.concurrency
        pace = Pace(at_once, speed.requests_per_minute, speed.tokens_per_minute)
        price = self.bounds.prices.get(job.endpoint.served_name)
        expectation = Expectation(price, plan.parameters.max_tokens)
        expectation.learn_from(job.standing)
        desk = Desk(pace, budget, expectation, job.standing, job.tally, self.patience)
        templates = {said.language: said for said in plan.templates(job.endpoint)}
        parameters = {p.language: with_schema(plan.parameters, p) for p in plan.prompts}
        return Asking(model, templates, parameters, journal, desk)

    async def _until_done(
        self,
        askings: Sequence[Asking],
        work: Sequence[asyncio.Task[None]],
        background: Sequence[asyncio.Task[None]],
    ) -> None:
        """Waits for the work, until the deadline at most; an error anywhere ends it."""
        deadline = self.bounds.deadline_seconds
        end = None if deadline is None else time.monotonic() + deadline
        open_work = set(work)
        while open_work:
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                _stop_all(askings, "deadline", f"the deadline of {deadline:g} s is over")
                await asyncio.wait(open_work, timeout=GRACE_SECONDS)
                return
            done, _ = await asyncio.wait(
                {*open_work, *background}, timeout=left, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                task.result()
            open_work -= done

    async def _watch(self, askings: Sequence[Asking]) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            if self.should_stop():
                _stop_all(askings, "interrupted", "stopped by the user")
            for asking in askings:
                asking.tally.waiting_seconds = asking.pace.waiting_seconds
            self.watcher.show([asking.tally for asking in askings])


def _stop_all(askings: Sequence[Asking], kind: str, words: str) -> None:
    for asking in askings:
        asking.stop(kind, words)


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

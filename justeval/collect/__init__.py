"""The models are asked: what is missing from a run's journal, and nothing twice.

In: a plan and a folder. Out: a journal with one line a reply, and predictions made from it.
Started again, it asks only what has no answer; stopped by Ctrl-C, it loses nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from justeval.collect.asking import Asking, Patience
from justeval.collect.create import create_run
from justeval.collect.pace import Pace
from justeval.collect.plan import Plan, check_same_plan, plan_prompts
from justeval.collect.progress import Progress, Tally
from justeval.collect.requests import Request, requests_of
from justeval.errors import JustevalError, PermanentProviderError
from justeval.models.records import Endpoint, Model
from justeval.runs import Journal, RunFolder, read_journal, settled_lines, write_predictions

__all__ = ["Outcome", "Patience", "Plan", "Speed", "collect", "plan_prompts"]

OpenModel = Callable[[Endpoint], Model]


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a model may be asked: requests in the air at once, and a minute."""

    concurrency: int = 64
    requests_per_minute: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What collecting came to: requests, those that have an answer, and why models stopped."""

    folder: RunFolder
    requests: int
    answered: int
    stopped: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every request of the run has an answer."""
        return self.answered == self.requests


@dataclass(frozen=True, slots=True)
class _Job:
    endpoint: Endpoint
    missing: list[Request]
    tally: Tally


def collect(
    plan: Plan,
    path: Path,
    open_model: OpenModel,
    speed: Speed | None = None,
    patience: Patience | None = None,
) -> Outcome:
    """Asks what is missing of a run, making the run if it is not there.

    Raises UsageError where the folder holds a run of other choices, RunError where another
    process collects it, PermanentProviderError where no model gave a single answer; a run that
    was new then leaves no folder behind.
    """
    folder = RunFolder(path)
    new = not folder.exists()
    if new:
        create_run(plan, path)
    else:
        check_same_plan(folder, plan)
    try:
        jobs, answers = _collect(plan, folder, open_model, speed or Speed(), patience or Patience())
    except BaseException:
        if new and not _has_answers(folder):
            shutil.rmtree(folder.path, ignore_errors=True)
        raise
    stopped = tuple(f"{job.tally.model}: {job.tally.stopped}" for job in jobs if job.tally.stopped)
    if answers == 0 and stopped:
        if new:
            shutil.rmtree(folder.path, ignore_errors=True)
        raise PermanentProviderError(stopped[0])
    write_predictions(folder)
    return Outcome(folder, sum(job.tally.total for job in jobs), answers, stopped)


def _collect(
    plan: Plan, folder: RunFolder, open_model: OpenModel, speed: Speed, patience: Patience
) -> tuple[list[_Job], int]:
    journal = Journal(folder.journal)
    try:
        jobs = _jobs(plan, folder)
        asyncio.run(_ask_models(plan, jobs, journal, open_model, speed, patience))
    except BaseExceptionGroup as group:
        raise _first_of(group) from group
    finally:
        journal.close()
    return jobs, sum(job.tally.already + job.tally.answered for job in jobs)


def _first_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error that a person should read: of this library where there is one."""
    known = group.subgroup(lambda error: isinstance(error, JustevalError))
    found: BaseException = known or group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found


def _jobs(plan: Plan, folder: RunFolder) -> list[_Job]:
    settled = settled_lines(read_journal(folder.journal))
    answered = {key for key, line in settled.items() if not line.get("error")}
    jobs = []
    for endpoint in plan.endpoints:
        requests = requests_of(folder, plan, endpoint)
        missing = [request for request in requests if request.key not in answered]
        tally = Tally(endpoint.name, len(requests), already=len(requests) - len(missing))
        jobs.append(_Job(endpoint, missing, tally))
    return jobs


def _has_answers(folder: RunFolder) -> bool:
    return any(not line.get("error") for line in read_journal(folder.journal))


async def _ask_models(
    plan: Plan,
    jobs: Sequence[_Job],
    journal: Journal,
    open_model: OpenModel,
    speed: Speed,
    patience: Patience,
) -> None:
    prompts = {prompt.language: prompt for prompt in plan.prompts}
    progress = Progress([job.tally for job in jobs])

    async def ask(job: _Job) -> None:
        pace = Pace(speed.concurrency, speed.requests_per_minute)
        async with _opened(open_model(job.endpoint)) as model, _watched(job.tally, pace, progress):
            asking = Asking(model, prompts, plan.parameters, journal, pace, job.tally, patience)
            await asking.ask_all(job.missing)

    syncing = asyncio.create_task(journal.keep_syncing())
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(_fail_with(syncing))
            work = [group.create_task(ask(job)) for job in jobs]
            await asyncio.gather(*work)
            syncing.cancel()
    finally:
        syncing.cancel()
        progress.show(final=True)


async def _fail_with(syncing: asyncio.Task[None]) -> None:
    """A disk that takes nothing ends the asking, too."""
    with contextlib.suppress(asyncio.CancelledError):
        await syncing


@contextlib.asynccontextmanager
async def _opened(model: Model) -> AsyncIterator[Model]:
    try:
        yield model
    finally:
        await model.close()


@contextlib.asynccontextmanager
async def _watched(tally: Tally, pace: Pace, progress: Progress) -> AsyncIterator[None]:
    async def watch() -> None:
        while True:
            await asyncio.sleep(0.25)
            tally.waiting_seconds = pace.waiting_seconds
            progress.show()

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching

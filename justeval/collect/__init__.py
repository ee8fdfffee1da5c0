"""The models are asked: what is missing from a run's journal, and nothing twice.

In: a plan and a folder. Out: a journal with one line a reply, and predictions made from it.
Started again, it asks only what has no answer; stopped by Ctrl-C, it loses nothing.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from justeval.collect.create import create_run
from justeval.collect.pilot import balanced
from justeval.collect.plan import Plan, check_same_plan, plan_prompts
from justeval.collect.predicting import predict
from justeval.collect.progress import Progress, Tally, Watcher
from justeval.collect.requests import Book, texts_of
from justeval.collect.session import Bounds, Job, OpenModel, Session, Speed
from justeval.collect.standing import answerers_as_json, findings, standings
from justeval.collect.structured import check_askable
from justeval.collect.tries import Patience
from justeval.errors import PermanentProviderError
from justeval.runs import Journal, RunFolder, read_journal, write_json

__all__ = [
    "Bounds",
    "Outcome",
    "Patience",
    "Plan",
    "Progress",
    "Speed",
    "Tally",
    "Watcher",
    "collect",
    "plan_prompts",
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What collecting came to: requests, those that have an answer, and why models stopped.

    `cost_usd` is that of the whole run as far as it is known; `findings` tell who answered where
    that is worth knowing. `left_of_pilot` counts a pilot's requests without an answer.
    """

    folder: RunFolder
    requests: int
    answered: int
    tallies: tuple[Tally, ...]
    cost_usd: float | None
    findings: tuple[str, ...]
    left_of_pilot: int | None = None

    @property
    def complete(self) -> bool:
        """Whether every request of the run has an answer."""
        return self.answered == self.requests

    @property
    def stopped(self) -> tuple[str, ...]:
        """Why models were asked no further, a line each."""
        return tuple(f"{t.model}: {t.stop.words}" for t in self.tallies if t.stop)

    @property
    def budget_reached(self) -> bool:
        """Whether a model stopped because the run may not cost more."""
        return any(t.stop and t.stop.kind == "budget" for t in self.tallies)


def collect(
    plan: Plan,
    path: Path,
    open_model: OpenModel,
    speed: Speed | None = None,
    patience: Patience | None = None,
    bounds: Bounds | None = None,
    watcher: Watcher | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Asks what is missing of a run, making the run if it is not there.

    `watcher` is shown the tallies (standard error where none is given); `should_stop` is asked a
    few times a second whether to end. Raises UsageError where a model cannot be asked with these
    prompts or the folder holds a run of other choices, RunError where another process collects
    it, PermanentProviderError where no model gave a single answer; a run that was new then leaves
    no folder behind.
    """
    session = Session(
        plan,
        open_model,
        speed or Speed(),
        patience or Patience(),
        bounds or Bounds(),
        watcher or Progress(),
        should_stop,
    )
    check_askable(plan)
    folder = RunFolder(path)
    new = not folder.exists()
    if new:
        create_run(plan, path)
    else:
        check_same_plan(folder, plan)
    try:
        outcome = _collect(session, folder)
    except BaseException:
        if new and not _has_answers(folder):
            shutil.rmtree(folder.path, ignore_errors=True)
        raise
    predict(folder)
    return outcome


def _collect(session: Session, folder: RunFolder) -> Outcome:
    """One session on a run's folder, and its traces in the manifest."""
    journal = Journal(folder.journal)
    try:
        with _jobs(session, folder) as jobs:
            try:
                asyncio.run(session.run(jobs, journal))
            finally:
                journal.close()
                outcome = _outcome(folder, jobs, session.bounds)
                _leave_traces(outcome, jobs)
    finally:
        journal.close()
    kinds = {tally.stop.kind for tally in outcome.tallies if tally.stop}
    if outcome.answered == 0 and kinds & {"permanent", "unreachable", "failures"}:
        raise PermanentProviderError(outcome.stopped[0])
    return outcome


@contextmanager
def _jobs(session: Session, folder: RunFolder) -> Iterator[Sequence[Job]]:
    """What each model is still to be asked."""
    plan, pilot = session.plan, session.bounds.pilot
    standing = standings(read_journal(folder.journal), [e.name for e in plan.endpoints])
    language_of = {case.case_id: case.language for case in plan.asked_cases}
    with texts_of(folder, language_of) as texts:
        jobs = []
        for endpoint in plan.endpoints:
            book = Book(plan, endpoint, texts)
            missing = book.missing(standing[endpoint.name].answered)
            tally = Tally(endpoint.name, len(book), already=len(book) - len(missing))
            if pilot is not None:
                missing = np.intersect1d(missing, balanced(folder, book, pilot))
            jobs.append(Job(endpoint, book, missing, standing[endpoint.name], tally))
        yield jobs


def _outcome(folder: RunFolder, jobs: Sequence[Job], bounds: Bounds) -> Outcome:
    costs = [j.standing.cost_usd for j in jobs if j.standing.cost_usd is not None]
    asked = {job.endpoint.name: job.endpoint.served_name for job in jobs}
    in_pilot = sum(len(job.missing) - job.tally.answered for job in jobs)
    return Outcome(
        folder=folder,
        requests=sum(job.tally.total for job in jobs),
        answered=sum(job.tally.already + job.tally.answered for job in jobs),
        tallies=tuple(job.tally for job in jobs),
        cost_usd=sum(costs) if costs else None,
        findings=findings({job.endpoint.name: job.standing for job in jobs}, asked),
        left_of_pilot=None if bounds.pilot is None else in_pilot,
    )


def _leave_traces(outcome: Outcome, jobs: Sequence[Job]) -> None:
    """What the sessions so far came to goes into the manifest, under `collected`."""
    manifest = outcome.folder.manifest()
    manifest["collected"] = {
        "requests": outcome.requests,
        "answered": outcome.answered,
        "cost_usd": outcome.cost_usd,
        "stopped": [
            {"model": tally.model, "kind": tally.stop.kind, "words": tally.stop.words}
            for tally in outcome.tallies
            if tally.stop
        ],
        "answered_by": answerers_as_json({job.endpoint.name: job.standing for job in jobs}),
        "findings": list(outcome.findings),
    }
    write_json(outcome.folder.manifest_path, manifest)


def _has_answers(folder: RunFolder) -> bool:
    return any(not line.get("error") for line in read_journal(folder.journal))

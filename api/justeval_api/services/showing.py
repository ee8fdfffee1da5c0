"""Records of runs -> what the service shows of them.

In: a record, the counts of its journal while it is active, the keys that are in memory. Out: the
schemas. A key is looked at only for whether it is there.
"""

from __future__ import annotations

from collections.abc import Container

from justeval_api.jobs.progress import JournalTail
from justeval_api.schemas.runs import ModelProgress, Progress, Run, RunModel
from justeval_api.state.folders import now
from justeval_api.state.records import COLLECTING, COMPLETE, Counted, RunRecord


def progress_of(record: RunRecord, tail: JournalTail | None) -> Progress:
    """How far a run is. `tail` None: as far as it was when it ended."""
    counted = record.counted if tail is None else tail.counted()
    requests, answered = _requests(counted), sum(one.answered for one in counted)
    collecting = record.state == COLLECTING and tail is not None
    rate = tail.rate_per_second if tail is not None and collecting else None
    left = None
    if rate and requests is not None:
        left = max(0, requests - answered) / rate
    costs = [one.cost_usd for one in counted if one.cost_usd is not None]
    return Progress(
        state=record.state,  # type: ignore[arg-type]
        requests=requests,
        answered=answered,
        failed=sum(one.failed for one in counted),
        rate_per_second=rate,
        seconds_left=left,
        cost_usd=sum(costs) if costs else None,
        models=[
            ModelProgress(
                model=one.model,
                requests=one.requests,
                answered=one.answered,
                failed=one.failed,
                cost_usd=one.cost_usd,
            )
            for one in counted
        ],
        message=record.message,
        updated_at=now() if tail is not None else record.updated_at,
    )


def run_of(record: RunRecord, tail: JournalTail | None, keys: Container[str]) -> Run:
    """A run as the service shows it."""
    order = record.request
    needed = [] if record.state == COMPLETE else [m for m in record.sent_keys if m not in keys]
    return Run(
        id=record.id,
        name=order["name"],
        kind=record.kind,  # type: ignore[arg-type]
        state=record.state,  # type: ignore[arg-type]
        message=record.message,
        created_at=record.created_at,
        updated_at=record.updated_at,
        dataset=order["dataset"],
        dataset_title=order["title"],
        labels=list(order["labels"]),
        models=[
            RunModel(
                kind=choice["kind"],
                name=choice["asked"],
                address=choice.get("asked_at"),
                provider=choice.get("provider"),
            )
            for choice in order["models"]
        ],
        question=order["asked_question"],
        prompts=list(order["asked_prompts"]),
        repetitions=order["repetitions"],
        limit=order.get("limit"),
        temperature=order.get("temperature"),
        max_tokens=order.get("max_tokens"),
        seed=order.get("seed"),
        needs_keys=needed,
        progress=progress_of(record, tail),
    )


def _requests(counted: tuple[Counted, ...]) -> int | None:
    each = [one.requests for one in counted]
    known = [requests for requests in each if requests is not None]
    return sum(known) if each and len(known) == len(each) else None

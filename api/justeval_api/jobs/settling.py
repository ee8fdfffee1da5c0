"""What has come of a run whose child has ended.

In: its record, its home, the counts of its journal. Out: the record in its new state. What lies on
disk decides; what the child said explains it.
"""

from __future__ import annotations

from dataclasses import replace

from justeval_api.jobs.progress import JournalTail
from justeval_api.safety.words import without_paths
from justeval_api.state.folders import RunHome, read_json
from justeval_api.state.records import (
    CANCELED,
    CANCELING,
    COMPLETE,
    FAILED,
    INCOMPLETE,
    NEEDS_KEY,
    WAITING,
    RunRecord,
)

MOST_CRASHES = 3
"""So often is a child started again that ended without a word and without a new answer."""


def settled(record: RunRecord, home: RunHome, tail: JournalTail, has_keys: bool) -> RunRecord:
    """The record in the state that the run is in now."""
    requests = tail.requests
    progressed = tail.answered > sum(one.answered for one in record.counted)
    record = replace(record, pid=None, pid_started=None, counted=tail.counted())
    if requests is not None and tail.answered >= requests:
        return replace(record, state=COMPLETE, message="", crashes=0)
    if record.state == CANCELING:
        return replace(record, state=CANCELED, message="", crashes=0)
    outcome = read_json(home.outcome)
    said = without_paths(_words(outcome), home.path.parents[1])
    if outcome and said != "canceled":
        state = FAILED if "error" in outcome else INCOMPLETE
        return replace(record, state=state, message=said, crashes=0)
    crashes = 0 if progressed or outcome else record.crashes + 1
    if crashes > MOST_CRASHES:
        message = "it ended without a word several times; the log in its folder may say why"
        return replace(record, state=FAILED, message=message, crashes=0)
    if not has_keys:
        message = "the key that came with the request is gone; send it again to go on"
        return replace(record, state=NEEDS_KEY, message=message, crashes=0)
    return replace(record, state=WAITING, message="", crashes=crashes)


def _words(outcome: dict[str, object]) -> str:
    error = outcome.get("error")
    if isinstance(error, dict):
        return str(error.get("message", ""))
    stopped = outcome.get("stopped")
    if isinstance(stopped, list) and stopped:
        return "; ".join(str(reason) for reason in stopped)
    return "" if outcome.get("complete") else "some requests have no answer"

"""What must not depend on the value: leaving the sample, refusals, unreadable replies, providers.

In: Versions. Out: for each such event a Check: exact tests, one a value, of whether the versions
of this value have the event more often than the other versions of the same documents. With two
values this is McNemar's exact test, with more the permutation test within documents in closed
form (`family.excess_tests`).
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa

from justeval.diagnose.family import NO_TESTS, Check, Excess, Suspect, excess_tests
from justeval.diagnose.records import (
    LEFT_SAMPLE,
    MODEL_VERSION,
    REFUSED,
    SERVED_BY,
    UNREADABLE,
    Finding,
)
from justeval.diagnose.versions import Versions, left_main_sample, status_is
from justeval.estimate.encoding import Coded, Flags, code_column
from justeval.schema import READABLE

MOST_SERVERS = 20
"""Providers or model versions looked at beside the most frequent one, of which every other is the
complement."""

ADVICE = {
    REFUSED: (
        "refused more often than the other values of the same documents",
        "read the refusals; the estimate speaks only of documents in which the model answers",
    ),
    UNREADABLE: (
        "unreadable more often than the other values of the same documents",
        "read these replies and ask again; what cannot be read is missing for a reason",
    ),
    LEFT_SAMPLE: (
        "readable but outside the main sample (another penalty, no term or a longer one) more "
        "often than the other values of the same documents",
        "look at the penalties and the sign table: the estimate leaves these documents out",
    ),
}


def value_excess(versions: Versions, event: Flags, among: Flags) -> Excess:
    """Whether the event is more frequent in one value than in the document's other versions.

    event, among : (V,); only versions in `among` are compared.
    """
    units = int(versions.unit[-1]) + 1 if versions.count else 0
    size = np.bincount(versions.unit[among], minlength=units)
    hits = np.bincount(versions.unit[among & event], minlength=units)
    open_ = among & ((hits > 0) & (hits < size))[versions.unit]
    unit = versions.unit[open_]
    return excess_tests(versions.value_key()[open_], hits[unit] / size[unit], event[open_])


def check_statuses(versions: Versions) -> list[Check]:
    """Refusals, unreadable replies and leaving the main sample, each by value."""
    rows = versions.encoded
    refused = status_is(rows, ("refused",))
    unreadable = ~status_is(rows, READABLE) & ~refused
    left = left_main_sample(rows, versions.judged)
    everywhere = np.ones(versions.count, dtype=np.bool_)
    readable = versions.readable >= 0
    return [
        _check(versions, REFUSED, versions.mostly(refused), everywhere),
        _check(versions, UNREADABLE, versions.mostly(unreadable), everywhere),
        _check(versions, LEFT_SAMPLE, versions.mostly(left) & readable, readable),
    ]


def _check(versions: Versions, kind: str, event: Flags, among: Flags) -> Check:
    tests = value_excess(versions, event, among)
    suspects = [
        Suspect(float(tests.p[at]), partial(_finding, versions, kind, event, tests, int(at)))
        for at in tests.small()
    ]
    return Check(tests.log_least, tuple(suspects))


def _finding(versions: Versions, kind: str, event: Flags, tests: Excess, at: int) -> Finding:
    key = int(tests.key[at])
    concerned = np.flatnonzero(event & (versions.value_key() == key))
    model, label, value = versions.where(key)
    what, todo = ADVICE[kind]
    return Finding(
        kind=kind,
        model=model,
        label=label,
        value=value,
        replies=int(versions.rows[concerned].sum()),
        documents=concerned.size,
        estimate_with=None,
        estimate_without=None,
        advice=f"{value} is {what} ({counted(tests, at)}); {todo}.",
        p=float(tests.p[at]),
        flagged=False,
        rows=versions.rows_of(concerned),
    )


def counted(tests: Excess, at: int) -> str:
    """The count of a test beside what chance would give, in words."""
    return (
        f"{int(tests.count[at])} of the {int(tests.entries[at])} documents in which the versions "
        f"differ, {tests.expected[at]:.0f} expected"
    )


def check_servers(versions: Versions, predictions: pa.Table) -> list[Check]:
    """Whether one value is served by another provider or model version than the others."""
    return [
        _check_server(versions, kind, code_column(predictions, kind))
        for kind in (SERVED_BY, MODEL_VERSION)
    ]


def _check_server(versions: Versions, kind: str, column: Coded) -> Check:
    code = column.codes[versions.first] if versions.count else column.codes
    known = code >= 0
    frequent = np.bincount(code[known], minlength=len(column.names))
    served = np.argsort(-frequent, kind="stable")[1 : MOST_SERVERS + 1]
    log_least, suspects = [NO_TESTS], []
    for server in served[frequent[served] > 0]:
        event = code == server
        tests = value_excess(versions, event, known)
        log_least.append(tests.log_least)
        name = column.names[int(server)]
        suspects += [
            Suspect(
                float(tests.p[at]),
                partial(_server_finding, versions, kind, name, event, tests, int(at)),
            )
            for at in tests.small()
        ]
    return Check(np.concatenate(log_least), tuple(suspects))


def _server_finding(
    versions: Versions, kind: str, server: str, event: Flags, tests: Excess, at: int
) -> Finding | None:
    """The finding; the replies are flagged where they are the smaller part of their value's."""
    key = int(tests.key[at])
    of_value = versions.value_key() == key
    concerned = np.flatnonzero(event & of_value)
    model, label, value = versions.where(key)
    minority = 2 * concerned.size < np.count_nonzero(of_value)
    what = "provider" if kind == SERVED_BY else "model version"
    todo = (
        "pin one provider and ask these versions again"
        if kind == SERVED_BY
        else ("ask all versions of one model version again")
    )
    return Finding(
        kind=kind,
        model=model,
        label=label,
        value=value,
        replies=int(versions.rows[concerned].sum()),
        documents=concerned.size,
        estimate_with=None,
        estimate_without=None,
        advice=(
            f"{value} comes from the {what} {server} more often than the other values of the "
            f"same documents ({counted(tests, at)}): a difference between {what}s would pass for "
            f"an effect; {todo}."
        ),
        p=float(tests.p[at]),
        flagged=bool(minority),
        rows=versions.rows_of(concerned),
    )

"""What changes over a run: the level of the replies, and how many can be read.

In: Versions and their Order. Out: a Check. Two versions of the same document and label, one asked
inside a stretch of the run and one outside: in a shuffled run each of them is the one inside with
chance 1/2, so that whatever the effect of the label, the harsher of the two lies inside as often
as outside. Over documents this is a sign test.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from justeval.diagnose.family import Check, Suspect, sign_test
from justeval.diagnose.order import Order, fixed_order
from justeval.diagnose.records import DRIFT, LEVEL, Finding
from justeval.diagnose.versions import Versions, status_is
from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes, Floats
from justeval.schema import READABLE

BLOCKS = 8
"""A run is looked at in so many stretches of equal length, and in halves."""


def block_of(order: Order) -> Codes:
    """(V,) the stretch in which a version was asked, -1 where the order of asking is unknown."""
    block = np.minimum((order.place * BLOCKS).astype(np.int64), BLOCKS - 1)
    return np.where(order.asked, block, -1)


def check_drift(versions: Versions, order: Order) -> Check:
    """Whether replies of one stretch of the run are harsher, more lenient, or less readable.

    Of each document and label the first and the last version are compared where one was asked
    inside the stretch and the other outside; a document counts once, by the sum of its
    differences. Labels whose order was not shuffled are left out. Of all stretches of a model only
    the one with the smallest p is told: where one differs, the others differ from it.
    """
    last = np.flatnonzero(np.append(versions.unit[1:] != versions.unit[:-1], versions.count > 0))
    first = np.append(0, last[:-1] + 1) if last.size else last
    usable = (first != last) & order.asked[first] & ~fixed_order(versions, order)[first]
    first, last = first[usable], last[usable]
    model = versions.group[first] // versions.labels
    document = model * len(versions.encoded.document.names) + versions.document[first]
    unreadable = versions.mostly(~status_is(versions.encoded, READABLE)).astype(np.float64)
    log_least: list[Floats] = []
    strongest: dict[tuple[int, str], Suspect] = {}
    for low, high in _stretches():
        inside = (order.place >= low) & (order.place < high)
        for name, outcome in (("level", versions.level), ("unreadable", unreadable)):
            sign = inside[first].astype(np.float64) - inside[last]
            moved = np.nan_to_num(sign * (outcome[first] - outcome[last]))
            above, below = _documents_moved(document, moved, versions)
            p, least = sign_test(above, below)
            log_least.append(least)
            for at in np.flatnonzero(p <= LEVEL):
                told = (int(above[at]), int(below[at]), name)
                finding = partial(
                    _drift_finding, versions, inside, int(at), (low, high), told, float(p[at])
                )
                known = strongest.get((int(at), name))
                if known is None or p[at] < known.p:
                    strongest[int(at), name] = Suspect(float(p[at]), finding)
    return Check(np.concatenate(log_least), tuple(strongest.values()))


def _stretches() -> list[tuple[float, float]]:
    eighths = [(k / BLOCKS, (k + 1) / BLOCKS) for k in range(BLOCKS)]
    return [(0.5, 1.0), *eighths]


def _documents_moved(document: Codes, moved: Floats, versions: Versions) -> tuple[Codes, Codes]:
    """(M,) documents of each model that are above and below outside the stretch."""
    models, documents = len(versions.encoded.model.names), len(versions.encoded.document.names)
    total = np.bincount(document, weights=moved, minlength=models * documents)
    total = total.reshape(models, documents)
    return np.count_nonzero(total > 1e-9, axis=1), np.count_nonzero(total < -1e-9, axis=1)


def _drift_finding(
    versions: Versions,
    inside: Flags,
    model: int,
    stretch: tuple[float, float],
    told: tuple[int, int, str],
    p: float,
) -> Finding:
    above, below, outcome = told
    concerned = np.flatnonzero(inside & (versions.group // versions.labels == model))
    what = "harsher" if outcome == "level" else "less readable"
    other = "more lenient" if outcome == "level" else "more readable"
    return Finding(
        kind=DRIFT,
        model=versions.encoded.model.names[model],
        label=None,
        value=None,
        replies=int(versions.rows[concerned].sum()),
        documents=above + below,
        estimate_with=None,
        estimate_without=None,
        advice=(
            f"Between {stretch[0]:.1%} and {stretch[1]:.1%} of the run the replies are {what} than "
            f"elsewhere in {above} documents and {other} in {below}: the model changed while it "
            "was asked; look at model_version and served_by, and ask this stretch again."
        ),
        p=p,
        flagged=False,
        rows=versions.rows_of(concerned),
    )

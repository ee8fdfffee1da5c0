"""One identical reply over one stretch of the run, whatever the value; and how it is told.

In: Answers and the order of asking. Out: a Check. A reply that stands alone among n versions of
its document, of which k were asked in a stretch, lies in the stretch with chance k/n; a document
counts once for each reply, whatever the number of labels that share the text.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from justeval.diagnose.drift import BLOCKS, block_of
from justeval.diagnose.family import Check, Excess, Rival, excess_tests
from justeval.diagnose.order import Order
from justeval.diagnose.records import IDENTICAL_REPLY, Finding
from justeval.diagnose.signatures import Answers
from justeval.diagnose.unrelated import unrelated_documents
from justeval.diagnose.versions import Versions
from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes, Floats

TODO = (
    "read the raw replies: they cannot be answers to these cases; ask these versions again, and "
    "until then analyze with --exclude-flagged"
)

WIDER = 4.0
"""A stretch ends where the next such reply is this many times log(number) usual distances away; the
largest of n random gaps grows as log(n)."""


def check_by_stretch(versions: Versions, answers: Answers, order: Order) -> Check:
    """One identical reply that stands alone, all over one stretch of the run."""
    everything = np.ones(int(versions.unit.max(initial=-1)) + 1, dtype=np.bool_)
    block = block_of(order)
    tests = _stretch_tests(versions, answers, block, everything)
    rivals = []
    for at in tests.small():
        judge = partial(_by_stretch, versions, answers, order, block, int(tests.key[at]))
        rivals.append(Rival(float(tests.p[at]), 2, judge))
    return Check(tests.log_least, rivals=tuple(rivals), own_half=True)


def _stretch_tests(versions: Versions, answers: Answers, block: Codes, units: Flags) -> Excess:
    """One test a model, stretch and reply.

    block : (V,) the stretch of each version, -1 where unknown. units : the documents looked at.
    """
    names, model = len(answers.names), versions.group[answers.version] // versions.labels
    stretch = block[answers.version]
    lone = np.flatnonzero(answers.alone & (stretch >= 0) & units[versions.unit[answers.version]])
    document = versions.document[answers.version]
    same = (model * (int(document.max(initial=0)) + 1) + document) * names + answers.reply
    lone = lone[np.unique(same[lone], return_index=True)[1]]
    which, each = answers.spread_out(lone)
    held, number = np.unique(which * BLOCKS + stretch[each], return_counts=True)
    of, where = np.divmod(held, BLOCKS)
    chance = number / answers.size[lone][of]
    open_ = chance < 1.0
    of, where, chance = of[open_], where[open_], chance[open_]
    key = (model[lone][of] * BLOCKS + where) * names + answers.reply[lone][of]
    return excess_tests(key, chance, stretch[lone][of] == where)


def _by_stretch(
    versions: Versions, answers: Answers, order: Order, block: Codes, key: int, told: Flags
) -> Finding | None:
    """The finding; flagged is every such reply from the first to the last of the stretch."""
    place, reply = divmod(key, len(answers.names))
    model, stretch = divmod(place, BLOCKS)
    tests = _stretch_tests(versions, answers, block, ~told)
    at = np.flatnonzero(tests.key == key)
    free = ~told[versions.unit[answers.version]]
    of_model = (versions.group[answers.version] // versions.labels == model) & free
    lone = np.flatnonzero(of_model & answers.alone & (answers.reply == reply))
    inside = lone[block[answers.version[lone]] == stretch]
    if at.size == 0 or not unrelated_documents(answers, inside, of_model):
        return None
    first, last = _extent(order.place[answers.version[lone]], order.place[answers.version[inside]])
    within = (order.place >= first) & (order.place <= last)
    within &= (versions.group // versions.labels == model) & ~told[versions.unit]
    hits = np.flatnonzero(within & (answers.of_version == reply))
    fact = (
        f"between {first:.1%} and {last:.1%} of the run {hits.size} of "
        f"{int((within & (answers.of_version >= 0)).sum())} replies are the same "
        f"({answers.names[reply]}), while other versions of their documents do not come near them"
    )
    return identical_finding(versions, None, hits, fact, float(tests.p[at[0]]), model)


def _extent(lone: Floats, inside: Floats) -> tuple[float, float]:
    """From where to where the replies stand close together, as shares of the run.

    lone : (L,) places of all such replies; inside : those of the stretch in which they were found.
    """
    ordered = np.sort(lone)
    gaps = np.diff(ordered)
    usual = float(np.median(np.diff(np.sort(inside)))) if inside.size > 1 else 0.0
    widest = WIDER * (1.0 + np.log(inside.size)) * usual
    piece = np.append(0, np.cumsum(gaps > widest))
    main = np.bincount(piece[np.searchsorted(ordered, inside)]).argmax()
    together = ordered[piece == main]
    return float(together[0]), float(together[-1])


def identical_finding(
    versions: Versions, key: int | None, hits: Codes, fact: str, p: float, model: int = -1
) -> Finding:
    label, value = None, None
    name = versions.encoded.model.names[model]
    if key is not None:
        name, label, value = versions.where(key)
    fact = fact.replace("{value}", value or "")
    return Finding(
        kind=IDENTICAL_REPLY,
        model=name,
        label=label,
        value=value,
        replies=int(versions.rows[hits].sum()),
        documents=int(np.unique(versions.document[hits]).size),
        estimate_with=None,
        estimate_without=None,
        advice=f"{fact[0].upper()}{fact[1:]}; {TODO}.",
        p=p,
        flagged=True,
        rows=versions.rows_of(hits),
    )

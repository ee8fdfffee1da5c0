"""Replies that cannot be answers to their case: one identical reply over unrelated documents.

In: Answers. Out: Checks. What betrays such replies is not that they differ from the rest, which
an effect of the label does too, but that they are all the same while the other versions of their
documents are as spread out as documents are. Three tests, all exact:

by value     a reply is *alone* if no other version of its document comes near it. Chance puts a
             reply that stands alone among n versions into each of them with 1/n.
by place     among the documents in which a value is asked or listed at one place among the
             versions: the value gives this reply more often than the others do, and more often
             than it does elsewhere (both must hold; the larger p counts). Here every such reply is
             flagged, also where another version happens to agree with it.
by stretch   the same over all values, for one stretch of the run (`stretches`).

A reply that belongs to no case also makes the sound replies beside it stand alone. What is found
first is therefore set aside with its documents, and the rest is judged again (`family.Rival`).
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa

from justeval.diagnose.family import (
    NO_TESTS,
    Check,
    Excess,
    Rival,
    excess_tests,
    fisher_log_least,
    fisher_tail,
    poisson_binomial_tail,
)
from justeval.diagnose.order import Order, fixed_order
from justeval.diagnose.records import LEVEL, Finding
from justeval.diagnose.signatures import (
    FEWEST_DOCUMENTS,
    Answers,
    stated_answers,
    worded_answers,
)
from justeval.diagnose.stretches import check_by_stretch, identical_finding
from justeval.diagnose.unrelated import unrelated_documents
from justeval.diagnose.versions import Versions
from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes

CONCENTRATED = 0.5
"""At one place, at least this share of a value's replies must be the same."""


def check_identical(versions: Versions, predictions: pa.Table, order: Order) -> list[Check]:
    """All three tests on what the replies state, and the first on how they are worded."""
    stated = stated_answers(versions, predictions)
    worded = worded_answers(versions, predictions)
    checks = [
        check_by_place(versions, stated, order.rank, fixed_order(versions, order)),
        check_by_value(versions, stated),
        check_by_stretch(versions, stated, order),
    ]
    return checks if worded is None else [*checks, check_by_value(versions, worded)]


def check_by_place(versions: Versions, answers: Answers, rank: Codes, fixed: Flags) -> Check:
    """One identical reply of a value wherever it stands at one place among the versions.

    rank : (V,) place of a version among those of its document, in the order of asking. fixed :
    (V,) whether the order of its label was no shuffle: a place in a shuffle means nothing.
    """
    names = len(answers.names)
    places = int(rank.max(initial=0)) + 1
    value = versions.value_key()[answers.version]
    stratum = value * places + rank[answers.version]
    tests = _place_tests(answers, stratum, fixed[answers.version])
    if tests.key.size == 0:
        return Check(NO_TESTS, own_half=True)
    of_stratum, of_reply = np.divmod(tests.key, names)
    drawn = _counts(stratum, of_stratum)
    total = _counts(value, of_stratum // places)
    marked = _counts(value * names + answers.reply, of_stratum // places * names + of_reply)
    found = _counts(stratum * names + answers.reply, tests.key)
    possible = (marked >= CONCENTRATED * drawn) & (drawn < total)
    log_least = np.maximum(tests.log_least, fisher_log_least(drawn, marked, total))[possible]
    rivals = []
    for at in np.flatnonzero(possible & (tests.p <= LEVEL) & (found >= CONCENTRATED * drawn)):
        what = (int(of_stratum[at]), int(of_reply[at]), places)
        judge = partial(_by_place, versions, answers, rank, what)
        rivals.append(Rival(float(tests.p[at]), 0, judge))
    return Check(log_least, rivals=tuple(rivals), own_half=True)


def _place_tests(answers: Answers, stratum: Codes, fixed: Flags) -> Excess:
    lead, times = _distinct_replies(answers)
    lead = lead[fixed[lead]]
    which, each = answers.spread_out(lead)
    reply = answers.reply[lead][which]
    return excess_tests(
        stratum[each] * len(answers.names) + reply,
        times[lead][which] / answers.size[each],
        answers.reply[each] == reply,
    )


def _by_place(
    versions: Versions, answers: Answers, rank: Codes, what: tuple[int, int, int], told: Flags
) -> Finding | None:
    """The finding, every such reply flagged, also where it is the only answer of its document."""
    of_stratum, reply, places = what
    key, place = divmod(of_stratum, places)
    free = ~told[versions.unit[answers.version]]
    of_value = (versions.value_key()[answers.version] == key) & free
    here = of_value & (rank[answers.version] == place)
    same = answers.reply == reply
    drawn, total = int(here.sum()), int(of_value.sum())
    marked, found = int((of_value & same).sum()), int((here & same).sum())
    within = _within(answers, np.flatnonzero(here), reply)
    p = max(within, fisher_tail(drawn, marked, total, found))
    if not unrelated_documents(answers, np.flatnonzero(here & same), of_value):
        return None
    everywhere = (versions.value_key() == key) & (rank == place) & ~told[versions.unit]
    hits = np.flatnonzero(everywhere & (answers.of_version == reply))
    fact = (
        f"where {{value}} is number {place + 1} among the versions of its document, {hits.size} of "
        f"its {int((everywhere & (answers.of_version >= 0)).sum())} replies are the same "
        f"({answers.names[reply]}), elsewhere {marked - found} of {total - drawn}"
    )
    return identical_finding(versions, key, hits, fact, p)


def _within(answers: Answers, here: Codes, reply: int) -> float:
    """Whether these answers give the reply more often than the others of their documents."""
    which, each = answers.spread_out(here)
    times = np.bincount(which, weights=answers.reply[each] == reply, minlength=here.size)
    chance = times / answers.size[here]
    open_ = (chance > 0) & (chance < 1)
    count = int((answers.reply[here[open_]] == reply).sum())
    return poisson_binomial_tail(chance[open_], count)


def check_by_value(versions: Versions, answers: Answers) -> Check:
    """One identical reply that stands alone in its documents, more often in one value."""
    lone = np.flatnonzero(answers.alone)
    frequent = np.bincount(answers.reply[lone], minlength=len(answers.names)) >= FEWEST_DOCUMENTS
    lone = lone[frequent[answers.reply[lone]]]
    which, each = answers.spread_out(lone)
    value = versions.value_key()[answers.version]
    key = value[each] * len(answers.names) + answers.reply[lone][which]
    tests = excess_tests(key, 1.0 / answers.size[each], each == lone[which])
    rivals = []
    for at in tests.small():
        what = divmod(int(tests.key[at]), len(answers.names))
        rivals.append(Rival(float(tests.p[at]), 1, partial(_by_value, versions, answers, what)))
    return Check(tests.log_least, rivals=tuple(rivals), own_half=True)


def _by_value(
    versions: Versions, answers: Answers, what: tuple[int, int], told: Flags
) -> Finding | None:
    key, reply = what
    free = ~told[versions.unit[answers.version]]
    of_value = (versions.value_key()[answers.version] == key) & free
    lone = np.flatnonzero(answers.alone & (answers.reply == reply) & free)
    which, each = answers.spread_out(lone)
    mine = of_value[each]
    chance, hit = 1.0 / answers.size[each[mine]], (each == lone[which])[mine]
    p = poisson_binomial_tail(chance, int(hit.sum()))
    hits = each[mine][hit]
    if not unrelated_documents(answers, hits, of_value):
        return None
    fact = (
        f"in {hits.size} unrelated documents the reply of {{value}} is the same "
        f"({answers.names[reply]}) and no other version comes near it ({chance.sum():.0f} expected)"
    )
    return identical_finding(versions, key, answers.version[hits], fact, p)


def _distinct_replies(answers: Answers) -> tuple[Codes, Codes]:
    """The first answer of each distinct reply of a document that has several, and (A,) how often
    an answer's reply occurs in its document."""
    times = np.ones(answers.reply.size, dtype=np.int64)
    later: Flags = np.zeros(answers.reply.size, dtype=np.bool_)
    for left, right in answers.pairs():
        same = answers.reply[left] == answers.reply[right]
        times[left] += same
        times[right] += same
        later[right[same]] = True
    return np.flatnonzero(~later & (times < answers.size)), times


def _counts(codes: Codes, wanted: Codes) -> Codes:
    """How often each of the wanted codes occurs."""
    found, number = np.unique(codes, return_counts=True)
    at = np.minimum(np.searchsorted(found, wanted), max(found.size - 1, 0))
    return np.where(found[at] == wanted, number[at], 0)

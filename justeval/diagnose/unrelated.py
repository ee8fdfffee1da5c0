"""Whether documents are unrelated: as spread out as all documents of the value are.

In: some answers that are all the same. Out: whether the other versions of their documents show
that they cannot all be answers. An effect of the label, however large, changes the term and not
the charge, and moves documents that resemble each other to the same reply; a reply that belongs to
no case names a charge that is not the document's, or stands beside terms of all kinds. Without
charges an effect that gives one answer to whatever case cannot be told from such replies, and is
worth a look for the same reason.
"""

from __future__ import annotations

import numpy as np

from justeval.diagnose.signatures import Answers
from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes, Floats

SPREAD = 0.5
"""The other versions' levels spread at least this much of what they spread in all documents, by
their standard deviation and by their quartiles (which a few far values do not move)."""

MOSTLY = 0.5
"""Where charges are known in at least this share of the documents, the reply's charge must be
unrelated to those of the other versions in this share of them."""


def unrelated_documents(answers: Answers, hits: Codes, among: Flags) -> bool:
    """Whether the documents of the answers `hits` resemble each other no more than all do.

    among : (A,) the answers that they are compared with, such as all of the same value.
    """
    if hits.size == 0 or not _not_one_reply(answers, hits, among):
        return False
    known = (answers.charge[hits] >= 0) & (answers.charge[answers.other[hits]] >= 0)
    if known.mean() >= MOSTLY:
        return bool(answers.apart[hits[known]].mean() >= MOSTLY)
    return _spread(answers, hits, among)


def _not_one_reply(answers: Answers, hits: Codes, among: Flags) -> bool:
    """The other versions do not mostly give one reply themselves.

    Where they do, it is that reply which stands beside many answers, and this one is an answer.
    The limit is half way between the share that the reply has everywhere and all.
    """
    others = answers.reply[answers.other[hits]]
    counts = np.bincount(others)
    most = int(np.argmax(counts))
    everywhere = answers.reply[answers.other[among]] == most
    return bool(counts[most] / hits.size < (1.0 + everywhere.mean()) / 2.0)


def _spread(answers: Answers, hits: Codes, among: Flags) -> bool:
    here = answers.siblings_level(hits)
    everywhere = answers.siblings_level(np.flatnonzero(among))
    here, everywhere = here[~np.isnan(here)], everywhere[~np.isnan(everywhere)]
    if here.size < 2 or np.isnan(answers.level).all():
        return bool(np.isnan(answers.level).all())
    wide = here.std() >= SPREAD * everywhere.std()
    return bool(wide and _quartile_range(here) >= SPREAD * _quartile_range(everywhere))


def _quartile_range(level: Floats) -> float:
    low, high = np.quantile(level, (0.25, 0.75))
    return float(high - low)

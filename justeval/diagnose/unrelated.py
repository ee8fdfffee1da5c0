"""Whether documents are unrelated: as spread out as all documents of the value are.

In: some answers that are all the same. Out: whether the other versions of their documents show
that they cannot all be answers. An effect of the label, however large, moves documents that
resemble each other to the same reply; a reply that belongs to no case stands beside all kinds of
others. An effect that does give one answer to whatever case cannot be told from such replies,
and is worth a look for the same reason.
"""

from __future__ import annotations

import numpy as np

from justeval.diagnose.signatures import Answers
from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes

SPREAD = 0.5
"""The other versions' levels spread at least this much of what they spread in all documents."""

FEWEST_CHARGES = 3
"""From so many different charges in the other versions on, documents are unrelated too."""


def unrelated_documents(answers: Answers, hits: Codes, among: Flags) -> bool:
    """Whether the documents of the answers `hits` resemble each other no more than all do.

    among : (A,) the answers that they are compared with, such as all of the same value.
    """
    if hits.size == 0:
        return False
    charges = answers.charge[answers.other[hits]]
    several = np.unique(charges[charges >= 0]).size >= FEWEST_CHARGES
    return _not_one_reply(answers, hits, among) and (several or _spread(answers, hits, among))


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
    level = answers.siblings_level()
    here, everywhere = level[hits], level[among]
    here, everywhere = here[~np.isnan(here)], everywhere[~np.isnan(everywhere)]
    if here.size < 2 or np.isnan(answers.level).all():
        return bool(np.isnan(answers.level).all())
    return bool(here.std() >= SPREAD * everywhere.std())

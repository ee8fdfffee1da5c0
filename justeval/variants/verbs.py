"""Whether a verb beside an English pronoun stays as it is when he becomes they.

In: facts and the place of a marked pronoun. Out: yes or no, and no where that is not sure. Past
tense and modal verbs have one form for all (he ran, they ran); was, is, has and present tense have
two. A second verb of the same subject (he ran and was seen) counts as well.
"""

from __future__ import annotations

import re

_PAST = frozenset(
    re.findall(
        r"\w+",
        """
    agreed ate beat became began bent bit blew bought bound broke brought built burst came cast
    caught chose clung could crept cut dealt did disagreed drank drew drove dug fed fell felt
    fled flew forgot fought found freed froze gave got grew had heard held hid hit hung hurt
    kept knelt knew laid led left lent let lit lost made may meant met might must paid put ran
    rang read rode rose said sang sank sat saw sent set shall shook shot should shut slept slid
    sold sought spent split spoke sprang spread spun stole stood struck stuck swept swore swung
    taught thought threw told took tore understood went will withdrew woke won wore would wound
    wrote
    """,
    )
)
"""Verbs with one form for he, she and they."""
_REGULAR = re.compile(r"(?<!e)ed\Z")
_NOT_REGULAR = frozenset(("bed", "embed", "red", "shed", "wed"))
_ADVERB = r"(?:\w+ly|again|also|already|always|first|just|later|never|next|now|often|once|soon|" \
          r"still|then|twice)"  # fmt: skip
_VERB = re.compile(rf"\s+(?:{_ADVERB}\s+)*([A-Za-z]+)\b(?!['’])|['’](d|ll)\b", re.I)
_DIFFERS = r"(?:is|was|has|does|isn['’]t|wasn['’]t|hasn['’]t|doesn['’]t)"
_BEFORE = re.compile(rf"\b{_DIFFERS}(?:\s+not)?\s+\Z", re.I)
_SECOND = re.compile(
    rf"(?:\b(?:and|but|or|nor|then|yet|who|that)|,)\s+(?:{_ADVERB}\s+)*{_DIFFERS}\b", re.I
)
_SENTENCE_END = re.compile(
    r"[?!;\n]|(?<!\bMr)(?<!\bMs)(?<!\bMx)(?<!\bDr)(?<!\bMrs)(?<!\bNo)(?<!\b[A-Z])\.(?=\s|\Z)"
)


def verb_stays(facts: str, start: int, end: int) -> bool:
    """Whether the verbs of the pronoun at [start, end) have one form for he, she and they."""
    verb = _VERB.match(facts, end)
    if verb is None or _BEFORE.search(facts[max(0, start - 20) : start]):
        return False
    word = (verb[1] or "would").casefold()
    regular = bool(_REGULAR.search(word)) and word not in _NOT_REGULAR
    if word not in _PAST and not regular:
        return False
    last = _SENTENCE_END.search(facts, verb.end())
    return not _SECOND.search(facts, verb.end(), last.start() if last else len(facts))

"""Languages mixed: in the set, between a case's language and its text, and inside a text.

In: cases. Out: findings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from justeval.casefiles.checks.findings import Finding
from justeval.cases import Case, detect_language

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")
MIXED_SHARE = 0.2
"""The share of the rarer script among the letters of a text from which it counts as mixed."""


def mixed_languages(cases: Sequence[Case]) -> list[Finding]:
    """Findings `language`: the rarer languages of a set, and texts in another or in two."""
    counts = Counter(case.language for case in cases)
    most = counts.most_common(1)[0][0] if counts else ""
    found = []
    for case in cases:
        seen = detect_language(case.facts)
        if case.language in ("zh", "en") and seen != case.language:
            message = f"is said to be in {case.language}, its text is in {seen}"
        elif len(counts) > 1 and case.language != most:
            message = f"is in {case.language}, most of the set is in {most}"
        else:
            message = _mixed(case.facts)
        if message:
            found.append(Finding("language", case.case_id, message))
    return found


def _mixed(text: str) -> str:
    """What a text is made of, where a fifth of it is in the other script."""
    chinese, latin = len(_CHINESE.findall(text)), len(_LATIN.findall(text)) / 3
    total = chinese + latin
    if total and min(chinese, latin) >= MIXED_SHARE * total:
        return f"{chinese / total:.0%} of its text is Chinese, the rest in Latin letters"
    return ""

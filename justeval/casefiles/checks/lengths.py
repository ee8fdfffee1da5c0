"""Documents that are too short to be facts, or that end in the middle.

In: cases. Out: findings. A text is cut where it ends without a mark that ends a sentence, with dots
that stand for more, or with as many characters as a spreadsheet's cell or a database's field holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from justeval.casefiles.checks.findings import Finding
from justeval.cases import Case

SHORTEST = {"zh": 20, "": 60}
"""Characters; a Chinese character says as much as three or four letters."""
LIMITS = (32_767, 65_535, 32_768, 65_536, 8_000, 4_000)
"""Characters that a spreadsheet's cell and common fields of databases hold."""
_ENDED = re.compile(r"[.!?。！？…:;：；][\"'”’」』)\]）】》]*\Z")
_MORE = re.compile(r"(?:\.{3,}|…+|\[\.\.\.\]|\(\.\.\.\)|etc\.?|（略）|\(略\))\Z", re.I)


def lengths(cases: Sequence[Case]) -> list[Finding]:
    """Findings `short` and `cut`."""
    found = []
    for case in cases:
        text = case.facts.strip()
        if len(text) < SHORTEST.get(case.language, SHORTEST[""]):
            found.append(Finding("short", case.case_id, f"{len(text)} characters"))
        reason = _cut(case.facts, text)
        if reason:
            found.append(Finding("cut", case.case_id, reason))
    return found


def _cut(whole: str, text: str) -> str:
    if len(whole) in LIMITS:
        return f"exactly {len(whole):,} characters, as many as a field of that size holds"
    end = text[-20:]
    if _MORE.search(end):
        return f"ends with {text[-6:]!r}"
    if text and not _ENDED.search(end):
        return f"ends without a full stop: …{text[-30:]!r}"
    return ""

"""Facts that give the outcome away: the model would copy the sentence instead of deciding.

In: cases. Out: findings. Earlier convictions and what the law allows are no outcome of the case: a
sentence of text that speaks of before, or of a maximum, is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from justeval.casefiles.checks.findings import Finding
from justeval.cases import Case

_SENTENCES = re.compile(r"[^.!?;。！？；\n]+(?:\.(?=\d)[^.!?;。！？；\n]+)*")
_NUMBER = r"(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|life)"
_TOLD_EN = re.compile(
    r"\b(?:was|were|is|has been|been|be|being) (?:(?:then|hereby|ultimately|finally) )?"
    r"sentenced to\b"
    r"|\bsentenced (?:him|her|them|the defendant) to\b"
    rf"|\bimposed (?:an? )?(?:\w+[- ]){{0,4}}(?:sentence|term|imprisonment)\b"
    rf"|\bsentence of {_NUMBER}(?:[- ]\w+){{0,2}} (?:months?|years?|imprisonment) "
    r"(?:was|is) imposed\b"
    r"|\breceived (?:an? )?(?:\w+[- ]){0,3}(?:sentence|prison term)\b"
    rf"|\b(?:got|received|drew|was given|was handed|gave (?:him|her|them|the defendant)) "
    rf"(?:an? )?{_NUMBER}[- ](?:\w+[- ]){{0,3}}?(?:months?|years?)\b(?:[- ]\w+){{0,3}} "
    r"(?:in (?:prison|jail|custody)|behind bars|imprisonment|probation|sentence)\b"
    r"|\bthe (?:court|jury|judge) (?:acquitted|convicted|sentenced)\b"
    r"|\b(?:he|she|the defendant) was (?:acquitted|sentenced|placed on probation)\b",
    re.I,
)
_BEFORE_EN = re.compile(
    r"\b(?:prior|previous(?:ly)?|earlier|past|former(?:ly)?|had (?:been|received)|"
    r"criminal history|already serving|on parole|recidivis|times|between (?:19|20)|maximum|"
    r"up to|punishable|may be|"
    r"could be|can be|co-?defendants?|accomplices?|in (?:19|20)\d\d,? (?:he|she|the defendant))\b",
    re.I,
)
_TOLD_ZH = re.compile(
    r"判处(?:有期徒刑|拘役|管制|无期徒刑|死刑|罚金)|(?:决定)?执行(?:有期徒刑|拘役|无期徒刑|死刑)"
    r"|判决如下|免予刑事处罚|宣告无罪|宣告缓刑|判决被告人"
)
_BEFORE_ZH = re.compile(
    r"曾|前科|累犯|刑满|释放|假释|减刑|此前|前罪|另案|同案|可以?判处|应当?判处|处[^，。]{0,6}以[上下]"
    r"|(?:19|20)\d\d年[^，。]{0,12}因|因犯"
)
_PATTERNS = {"zh": (_TOLD_ZH, _BEFORE_ZH)}


def outcomes_told(cases: Sequence[Case]) -> list[Finding]:
    """Findings `outcome`, one a case: the first place that tells it."""
    found = []
    for case in cases:
        told, before = _PATTERNS.get(case.language, (_TOLD_EN, _BEFORE_EN))
        place = _place(case.facts, told, before)
        if place:
            found.append(Finding("outcome", case.case_id, f"…{place}…"))
    return found


def _place(text: str, told: re.Pattern[str], before: re.Pattern[str]) -> str:
    """A few words around the first place that tells the outcome."""
    if not told.search(text):
        return ""
    for sentence in _SENTENCES.finditer(text):
        match = told.search(sentence[0])
        if match and not before.search(sentence[0]):
            start = max(0, match.start() - 20)
            return " ".join(sentence[0][start : match.end() + 30].split())
    return ""

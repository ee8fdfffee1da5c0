"""Personal data that look real: what must not leave the house in a prompt.

In: cases. Out: findings, which name the kind and the place and never the data. A number counts
only where its own check digit or numbering plan says that it is one, or the words before it do: an
identity number of 18 digits with its checksum (ISO 7064, MOD 11-2; GB 11643) or after 身份证, a
Chinese mobile or telephone number, a United States Social Security number or telephone number, an
international one, a payment card (Luhn), an e-mail address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from justeval.casefiles.checks.findings import Finding
from justeval.cases import Case

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10X98765432"
_IDENTITY = re.compile(
    r"(?<![\dA-Za-z])[1-9]\d{5}(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]"
    r"(?![\dA-Za-z])"
)
_MOBILE = re.compile(r"(?<![\dA-Za-z.-])(?:\+?86[- ]?)?1[3-9]\d(?:[- ]?\d{4}){2}(?![\dA-Za-z])")
_SOCIAL_SECURITY = re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\d-])")
_TELEPHONE = re.compile(
    r"(?<![\d-])(?:\+?1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-. ])[2-9]\d\d[-. ]\d{4}(?![\d-])"
)
_LANDLINE = re.compile(r"(?<![\dA-Za-z.-])0(?:10|2\d|[3-9]\d\d)-[2-9]\d{6,7}(?![\d-])")
_INTERNATIONAL = re.compile(r"(?<![\dA-Za-z])\+(?!1\b|86)\d{1,3}(?:[-. ]?\d{2,4}){3,4}(?!\d)")
_CALLED_IDENTITY = re.compile(r"身份(?:证|号码)[^\d。；;]{0,12}\Z")
_FICTION = re.compile(r"555[-. ]?01\d\d\Z")
"""Telephone numbers that are set apart for stories."""
_CARD = re.compile(r"(?<![\d-])[3-6]\d{3}(?:[- ]?\d{4}){3}(?![\d-])")
_MAIL = re.compile(
    r"(?<![A-Za-z0-9._+-])[A-Za-z0-9._+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}"
)
_EXAMPLE = re.compile(r"@(?:[\w-]+\.)*(?:example(?:\.\w+)?|test|invalid|localhost)\Z", re.I)


def personal_data(cases: Sequence[Case]) -> list[Finding]:
    """Findings `personal`: the kinds of data in a case, and where each first stands."""
    found = []
    for case in cases:
        places: dict[str, list[int]] = {}
        for kind, start in _in(case.facts):
            places.setdefault(kind, []).append(start)
        told = [
            f"{len(starts)} {kind}{'s' if len(starts) > 1 else ''} (first at character {starts[0]})"
            for kind, starts in places.items()
        ]
        if told:
            found.append(Finding("personal", case.case_id, ", ".join(told)))
    return found


def _in(text: str) -> Iterator[tuple[str, int]]:
    for kind, pattern, holds in _KINDS:
        for match in pattern.finditer(text):
            called = kind == _IDENTITY_NUMBER and _CALLED_IDENTITY.search(
                text, max(0, match.start() - 20), match.start()
            )
            if called or holds(match[0]):
                yield kind, match.start()


def is_identity_number(text: str) -> bool:
    """Whether 18 characters end with their check digit: sum of digit x weight, modulo 11."""
    total = sum(int(digit) * weight for digit, weight in zip(text[:17], _WEIGHTS, strict=True))
    return text[17].upper() == _CHECKS[total % 11]


def is_card_number(digits: str) -> bool:
    """Whether digits satisfy Luhn: each second one doubled, the sum a multiple of 10."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0 and len(set(digits)) > 1


_IDENTITY_NUMBER = "identity number"
_KINDS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    (_IDENTITY_NUMBER, _IDENTITY, is_identity_number),
    ("mobile number", _MOBILE, bool),
    ("Social Security number", _SOCIAL_SECURITY, bool),
    ("telephone number", _TELEPHONE, lambda text: not _FICTION.search(text)),
    ("telephone number", _LANDLINE, bool),
    ("telephone number", _INTERNATIONAL, bool),
    ("payment card number", _CARD, lambda text: is_card_number(re.sub(r"\D", "", text))),
    ("e-mail address", _MAIL, lambda text: not _EXAMPLE.search(text)),
)
"""The kinds of data, how they look, and what must hold beside."""

"""Whether a label can be changed in a case; if not, the reason."""

from __future__ import annotations

import re
from collections.abc import Sequence

from justeval.cases import Case
from justeval.labels import Label
from justeval.variants.records import Skipped

TRUE_WORDS = ("true", "yes", "1", "是")
FALSE_WORDS = ("false", "no", "0", "否")


def why_not(case: Case, label: Label) -> Skipped | None:
    """The reason why this label is left out for this case, or None where it applies."""
    if not all(case.language in value.sentence for value in label.values):
        reason = f"the label has no sentence in {case.language!r}"
        return Skipped(case.case_id, label.id, "language", reason)
    marked = [part for part in label.crossed if part in case.spans]
    if marked:
        reason = f"{marked[0]} is exchanged in the facts; crossed labels are stated as sentences"
        return Skipped(case.case_id, label.id, "marked", reason)
    if label.excluded_charges and case.charge and _excluded(case.charge, label.excluded_charges):
        reason = f"the factor is legally relevant to {case.charge}"
        return Skipped(case.case_id, label.id, "charge", reason)
    for column in label.requires:
        told = _truth(case.extra.get(column))
        if told is None:
            reason = f"the case does not say whether {column} holds; add that column"
            return Skipped(case.case_id, label.id, "unknown", reason)
        if not told:
            return Skipped(case.case_id, label.id, "requirement", f"{column} is false")
    return None


def already_stated(case: Case, label: Label, patterns: Sequence[re.Pattern[str]]) -> Skipped | None:
    """The reason why the facts settle the factor already, or None where no pattern finds it.

    A case with marked spans for the label is not asked: there the factor is exchanged in place.
    """
    for pattern in patterns:
        match = pattern.search(case.facts)
        if match:
            reason = f"the facts settle the factor already: {match.group(0)[:40]!r}"
            return Skipped(case.case_id, label.id, "stated", reason)
    return None


def _excluded(charge: str, words: tuple[str, ...]) -> bool:
    charge = charge.casefold()
    return any(word in charge for word in words)


def _truth(cell: object) -> bool | None:
    if isinstance(cell, bool):
        return cell
    word = str(cell).strip().casefold()
    return True if word in TRUE_WORDS else False if word in FALSE_WORDS else None

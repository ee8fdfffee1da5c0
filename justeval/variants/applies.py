"""Whether a label can be changed in a case; if not, the reason."""

from __future__ import annotations

from justeval.cases import Case
from justeval.labels import Label
from justeval.variants.records import Skipped

TRUE_WORDS = ("true", "yes", "1", "是")
FALSE_WORDS = ("false", "no", "0", "否")


def why_not(case: Case, label: Label) -> Skipped | None:
    """The reason why this label is left out for this case, or None where it applies.

    A case with marked spans for the label is not searched for the label's patterns: there the
    factor is exchanged in place.
    """
    found = (
        _no_sentence(case, label)
        or _charge_excluded(case, label)
        or _requirement_unmet(case, label)
        or ("" if label.id in case.spans else _already_stated(case, label))
    )
    if not found:
        return None
    kind, _, reason = found.partition(": ")
    return Skipped(case.case_id, label.id, kind, reason)


def _no_sentence(case: Case, label: Label) -> str:
    if all(case.language in value.sentence for value in label.values):
        return ""
    return f"language: the label has no sentence in {case.language!r}"


def _charge_excluded(case: Case, label: Label) -> str:
    charge = (case.charge or "").casefold()
    for word in label.excluded_charges if charge else ():
        if word in charge:
            return f"charge: the factor is legally relevant to {case.charge}"
    return ""


def _requirement_unmet(case: Case, label: Label) -> str:
    for column in label.requires:
        told = _truth(case.extra.get(column))
        if told is None:
            return f"unknown: the case does not say whether {column} holds; add that column"
        if not told:
            return f"requirement: {column} is false"
    return ""


def _truth(cell: object) -> bool | None:
    if isinstance(cell, bool):
        return cell
    word = str(cell).strip().casefold()
    return True if word in TRUE_WORDS else False if word in FALSE_WORDS else None


def _already_stated(case: Case, label: Label) -> str:
    for pattern in label.patterns.get(case.language, ()):
        match = pattern.search(case.facts)
        if match:
            return f"stated: the facts state the factor already: {match.group(0)[:40]!r}"
    return ""

"""Case x label -> variants: the counterfactual texts, checked to differ in the label alone.

In: cases and labels. Out: a stream of variants (one a value, the reference among them, and one
bare text a case) and of labels left out with their reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from justeval.cases import Case
from justeval.errors import InputError
from justeval.labels import Label
from justeval.variants.applies import already_stated, why_not
from justeval.variants.checks import fault_of, language_fault
from justeval.variants.records import Skipped, Variant
from justeval.variants.stated import Patterns, StatedSearch
from justeval.variants.texts import Insertions, bare, exchanged, variant_id

__all__ = ["Skipped", "Variant", "fault_of", "make_variants", "variant_id", "versions_of"]


def make_variants(cases: Iterable[Case], labels: Sequence[Label]) -> Iterator[Variant | Skipped]:
    """All variants of all cases, case by case, the bare case first.

    Raises InputError where a label's sentences do not fit the language of a case, or where the
    versions of a case differ in more than the label.
    """
    searches: dict[str, StatedSearch] = {}
    for case in cases:
        search = searches.get(case.language)
        if search is None:
            _check_language(labels, case.language)
            search = searches[case.language] = StatedSearch(labels, case.language)
        yield bare(case)
        insertions = Insertions(case)
        patterns = search.worth_searching(case.facts)
        for label in labels:
            versions = _versions(case, label, insertions, patterns.get(label.id, ()))
            if isinstance(versions, Skipped):
                yield versions
            else:
                yield from versions


def versions_of(case: Case, label: Label) -> list[Variant] | Skipped:
    """The versions of one case for one label, or why there are none."""
    patterns = label.patterns.get(case.language, ())
    return _versions(case, label, Insertions(case), patterns)


def _versions(
    case: Case, label: Label, insertions: Insertions, patterns: Patterns
) -> list[Variant] | Skipped:
    """The versions; `patterns` are those of the label's that may find something."""
    marked = label.id in case.spans
    skipped = why_not(case, label) or (
        already_stated(case, label, patterns) if patterns and not marked else None
    )
    if skipped is not None:
        return skipped
    versions = exchanged(case, label) if marked else insertions.of(label)
    if isinstance(versions, Skipped):
        return versions
    fault = fault_of(case, versions)
    if fault:
        raise InputError(f"case {case.case_id}, label {label.id}: {fault}")
    return versions


def _check_language(labels: Sequence[Label], language: str) -> None:
    for label in labels:
        fault = language_fault(label, language)
        if fault and all(language in value.sentence for value in label.values):
            raise InputError(f"label {label.id} of pack {label.pack}: {fault}; mend the sentence")

"""Case x label -> variants: the counterfactual texts, checked to differ in the label alone.

In: cases and labels. Out: a stream of variants (one a value, the reference among them, and one
bare text a case) and of labels left out with their reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from justeval.cases import Case
from justeval.errors import InputError
from justeval.labels import Label
from justeval.variants.applies import why_not
from justeval.variants.checks import fault_of, language_fault
from justeval.variants.records import Skipped, Variant
from justeval.variants.texts import bare, exchanged, inserted, variant_id

__all__ = ["Skipped", "Variant", "fault_of", "make_variants", "variant_id", "versions_of"]


def make_variants(cases: Iterable[Case], labels: Sequence[Label]) -> Iterator[Variant | Skipped]:
    """All variants of all cases, case by case, the bare case first.

    Raises InputError where a label's sentences do not fit the language of a case, or where the
    versions of a case differ in more than the label.
    """
    fits: dict[str, list[Label]] = {}
    for case in cases:
        if case.language not in fits:
            fits[case.language] = _checked(labels, case.language)
        yield bare(case)
        for label in fits[case.language]:
            versions = versions_of(case, label)
            if isinstance(versions, Skipped):
                yield versions
            else:
                yield from versions


def versions_of(case: Case, label: Label) -> list[Variant] | Skipped:
    """The versions of one case for one label, or why there are none."""
    skipped = why_not(case, label)
    if skipped is not None:
        return skipped
    versions = exchanged(case, label) if label.id in case.spans else inserted(case, label)
    if isinstance(versions, Skipped):
        return versions
    fault = fault_of(case, versions)
    if fault:
        raise InputError(f"case {case.case_id}, label {label.id}: {fault}")
    return versions


def _checked(labels: Sequence[Label], language: str) -> list[Label]:
    for label in labels:
        fault = language_fault(label, language)
        if fault and all(language in value.sentence for value in label.values):
            raise InputError(f"label {label.id} of pack {label.pack}: {fault}; mend the sentence")
    return list(labels)

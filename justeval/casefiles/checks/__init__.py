"""What is to be known of a case set before money is spent on it.

In: sound cases, and the labels that will be changed in them. Out: findings, each with its case,
and for each label the share of documents in which it can be changed. Findings are advice: a set
with findings can be asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from justeval.casefiles.checks.coverage import Coverage, coverage_of
from justeval.casefiles.checks.duplicates import near_duplicates
from justeval.casefiles.checks.findings import KINDS, Finding
from justeval.casefiles.checks.lengths import lengths
from justeval.casefiles.checks.mixed import mixed_languages
from justeval.casefiles.checks.outcomes_told import outcomes_told
from justeval.casefiles.checks.personal import personal_data
from justeval.cases import Case
from justeval.labels import Label

__all__ = ["KINDS", "Coverage", "Examination", "Finding", "examine"]


@dataclass(frozen=True, slots=True)
class Examination:
    """Findings in the order of their kinds, and the coverage of each label."""

    documents: int
    findings: tuple[Finding, ...]
    coverage: tuple[Coverage, ...]

    def of_kind(self, kind: str) -> tuple[Finding, ...]:
        """The findings of one kind."""
        return tuple(finding for finding in self.findings if finding.kind == kind)


def examine(cases: Sequence[Case], labels: Sequence[Label] = ()) -> Examination:
    """Looks at all cases; `labels` are those that will be asked, none to leave that out."""
    findings = [
        *lengths(cases),
        *mixed_languages(cases),
        *near_duplicates(cases),
        *outcomes_told(cases),
        *personal_data(cases),
    ]
    coverage = tuple(coverage_of(cases, label) for label in labels)
    return Examination(len(cases), tuple(findings), coverage)

"""In how many documents a label can be changed, and why not in the others.

In: cases and a label. Out: counts. The rules are those by which variants are made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from justeval.cases import Case
from justeval.labels import Label
from justeval.variants import Skipped, versions_of


@dataclass(frozen=True, slots=True)
class Coverage:
    """Documents to which a label applies, and by kind of reason those to which it does not.

    `stated` are cases whose facts state the factor already, at most a few, by id.
    """

    label: str
    pack: str
    placebo: bool
    documents: int
    applies: int
    left_out: Mapping[str, int]
    stated: tuple[str, ...]

    @property
    def share(self) -> float:
        """Of all documents, in [0, 1]."""
        return self.applies / self.documents if self.documents else 0.0


def coverage_of(cases: Sequence[Case], label: Label) -> Coverage:
    """Makes the versions of every case, as a run would, and counts."""
    left_out: Counter[str] = Counter()
    stated = []
    for case in cases:
        versions = versions_of(case, label)
        if isinstance(versions, Skipped):
            left_out[versions.kind] += 1
            if versions.kind == "stated":
                stated.append(case.case_id)
    return Coverage(
        label=label.id,
        pack=label.pack,
        placebo=label.placebo,
        documents=len(cases),
        applies=len(cases) - left_out.total(),
        left_out=dict(left_out.most_common()),
        stated=tuple(stated[:20]),
    )

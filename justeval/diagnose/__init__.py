"""What is wrong with the data of a run, found before a number is shown.

    versions  signatures          predictions -> versions of documents, and what they answer
    identical  misfit  by_value   replies that cannot be answers; what must not depend on the value
    order  drift                  the order of asking, and what changes over the run
    texts  faulty_texts           versions that differ in more than the label
    completeness                  missing versions, duplicates
    effects  influence            effects with and without; verdicts that rest on a few documents
    family                        exact p values, and the one level that all checks share
    diagnosing                    all of them together
    explain  compare              which label alone changes an answer; two runs, paired

In: a table of predictions, the labels, and the variants. Out: a Diagnosis.
"""

from __future__ import annotations

from justeval.diagnose.compare import Comparison, LabelComparison, compare
from justeval.diagnose.diagnosing import diagnose
from justeval.diagnose.explain import explain
from justeval.diagnose.records import (
    KINDS,
    LEVEL,
    Diagnosis,
    Estimate,
    Finding,
    as_json,
    flagged_rows,
)

__all__ = [
    "KINDS",
    "LEVEL",
    "Comparison",
    "Diagnosis",
    "Estimate",
    "Finding",
    "LabelComparison",
    "as_json",
    "compare",
    "diagnose",
    "explain",
    "flagged_rows",
]

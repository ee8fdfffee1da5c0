"""Which cases are asked about: case sets, read and checked.

In: a case set that ships with justeval, or a user's file in the `cases` shape. Out: frozen cases.
"""

from __future__ import annotations

import hashlib

from justeval.cases.about import DEFAULT_LONGEST_MONTHS, About, read_about
from justeval.cases.reading import Checked, check_cases, detect_language
from justeval.cases.records import Case, CaseSet, Span
from justeval.errors import CaseFileError
from justeval.resources import dataset_path

__all__ = [
    "DEFAULT_LONGEST_MONTHS",
    "Case",
    "CaseSet",
    "Checked",
    "Span",
    "check_cases",
    "detect_language",
    "load_cases",
]


def load_cases(name_or_path: str) -> CaseSet:
    """A case set by name, or a CSV, JSONL or Parquet file in the `cases` shape.

    Raises UsageError if there is none such, CaseFileError with all problems if it is not sound.
    """
    path = dataset_path(name_or_path)
    about = read_about(path / "dataset.yaml") if path.is_dir() else About()
    file = path / about.cases if path.is_dir() else path
    checked = check_cases(file)
    if checked.problems:
        raise CaseFileError(checked.problems)
    return CaseSet(
        name=about.id or file.stem,
        title=about.title or file.name,
        path=file,
        sha256=hashlib.sha256(file.read_bytes()).hexdigest(),
        cases=checked.cases,
        longest_months=float(about.longest_months),
        question=about.question,
        labels=about.labels,
    )

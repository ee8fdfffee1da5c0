"""Which cases are asked about: case sets, read and checked.

In: a case set that ships with justeval, or a user's file in the `cases` shape. Out: frozen cases.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import yaml

from justeval.cases.reading import Checked, check_cases, detect_language
from justeval.cases.records import Case, CaseSet
from justeval.errors import CaseFileError
from justeval.resources import dataset_path

__all__ = [
    "Case",
    "CaseSet",
    "Checked",
    "check_cases",
    "detect_language",
    "load_cases",
]

DEFAULT_LONGEST_MONTHS = 300.0
"""The bound of the main sample where a case set states none (as published for the Chinese set)."""


def load_cases(name_or_path: str) -> CaseSet:
    """A case set by name, or a CSV, JSONL or Parquet file in the `cases` shape.

    Raises UsageError if there is none such, CaseFileError with all problems if it is not sound.
    """
    path = dataset_path(name_or_path)
    about = _about(path / "dataset.yaml") if path.is_dir() else {}
    file = path / str(about.get("cases", "cases.jsonl")) if path.is_dir() else path
    checked = check_cases(file)
    if checked.problems:
        raise CaseFileError(checked.problems)
    return CaseSet(
        name=str(about.get("id") or file.stem),
        title=str(about.get("title") or file.name),
        path=file,
        sha256=hashlib.sha256(file.read_bytes()).hexdigest(),
        cases=checked.cases,
        longest_months=float(about.get("longest_months") or DEFAULT_LONGEST_MONTHS),  # type: ignore[arg-type]
        question=str(about.get("question") or "sentence"),
        labels=tuple(about.get("labels") or ()),  # type: ignore[arg-type]
    )


def _about(path: Path) -> dict[str, object]:
    if not path.is_file():
        raise CaseFileError(f"{path}: missing; a case set's folder has a dataset.yaml")
    try:
        about = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise CaseFileError(f"{path}: not valid YAML: {str(error).splitlines()[0]}") from error
    if not isinstance(about, dict):
        raise CaseFileError(f"{path}: must be a mapping with id, cases and longest_months")
    return about

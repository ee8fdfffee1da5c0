"""A run's folder: manifest, journal, and what is made from them."""

from __future__ import annotations

from justeval.runs.folder import (
    FORMAT,
    Manifest,
    RunFolder,
    is_run,
    open_run,
    write_json,
    write_whole,
)
from justeval.runs.journal import Journal, Line, read_journal
from justeval.runs.predictions import (
    predictions_of,
    read_cases,
    settled_lines,
    variants_table,
    write_predictions,
)

__all__ = [
    "FORMAT",
    "Journal",
    "Line",
    "Manifest",
    "RunFolder",
    "is_run",
    "open_run",
    "predictions_of",
    "read_cases",
    "read_journal",
    "settled_lines",
    "variants_table",
    "write_json",
    "write_predictions",
    "write_whole",
]

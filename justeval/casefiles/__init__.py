"""Files as people have them -> checked cases.

In: CSV, TSV, JSON, workbooks, Parquet in any common encoding, and a mapping of their columns. Out:
a file of cases; proposals of spans; what is to be known of a set before money is spent. Nothing is
guessed away: text stays text, and every problem is named with file, row and column.
"""

from __future__ import annotations

from justeval.casefiles.importing import (
    Imported,
    ImportOptions,
    Opened,
    import_cases,
    open_with_mapping,
)
from justeval.casefiles.opening import FORMATS, ReadOptions, open_source
from justeval.casefiles.profiles import load_profile, profile_names, profile_path

__all__ = [
    "FORMATS",
    "ImportOptions",
    "Imported",
    "Opened",
    "ReadOptions",
    "import_cases",
    "load_profile",
    "open_source",
    "open_with_mapping",
    "profile_names",
    "profile_path",
]

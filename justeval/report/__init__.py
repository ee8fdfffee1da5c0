"""Reports: one analysis as a page, tables, or files for other programs, with the same numbers.

    tables    the analysis as named tables of columns with units: all that formats write
    claims    what may be claimed from the run, in sentences       figures  inline SVG
    caveats   noise   what may speak against it                    notices  at the top of all
    terminal  aligned             html  the page                  markdown
    csv_files  xlsx  stata        files of data                   formatting  how numbers look

In: the document of `justeval analyze --json`. Out: a file or a folder.
"""

from __future__ import annotations

from justeval.report.records import ReportContext
from justeval.report.terminal import show_analysis, show_findings, show_labels, show_models
from justeval.report.writing import FOLDER_FORMATS, FORMATS, write_report

__all__ = [
    "FOLDER_FORMATS",
    "FORMATS",
    "ReportContext",
    "show_analysis",
    "show_findings",
    "show_labels",
    "show_models",
    "write_report",
]

"""A report in a format, whole or not at all.

In: an analysis, a path, a format. Out: the files written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from justeval.errors import JustevalError, UsageError
from justeval.report.building import build_report
from justeval.report.csv_files import csv_files
from justeval.report.markdown import markdown_text
from justeval.report.records import Report, ReportContext

Files = dict[str, bytes]
"""Files of a format by name; a format of one file names it ""."""

Analysis = Mapping[str, Any]
NO_CONTEXT = ReportContext()


def _html(report: Report, analysis: Analysis, context: ReportContext) -> Files:
    from justeval.report.html import html_text

    return {"": html_text(report).encode()}


def _markdown(report: Report, analysis: Analysis, context: ReportContext) -> Files:
    return {"": markdown_text(report).encode()}


def _csv(report: Report, analysis: Analysis, context: ReportContext) -> Files:
    return dict(csv_files(report))


def _xlsx(report: Report, analysis: Analysis, context: ReportContext) -> Files:
    from justeval.report.xlsx import workbook

    return {"": workbook(report)}


def _json(report: Report, analysis: Analysis, context: ReportContext) -> Files:
    """The document of `justeval analyze --json`, and beside it what the report says in words."""
    words = {
        "title": report.title,
        "notices": report.notices,
        "claims": [{"subject": c.subject, "statement": c.statement} for c in report.claims],
    }
    text = json.dumps({**analysis, "report": words}, ensure_ascii=False, indent=2, allow_nan=False)
    return {"": f"{text}\n".encode("utf-8", "replace")}


def _stata(report: Report, analysis: Analysis, context: ReportContext) -> Files:
    from justeval.report.stata import stata_files

    return stata_files(report, analysis, context)


_FORMS: dict[str, Callable[[Report, Analysis, ReportContext], Files]] = {
    "html": _html,
    "md": _markdown,
    "csv": _csv,
    "xlsx": _xlsx,
    "json": _json,
    "stata": _stata,
}
FORMATS = tuple(_FORMS)
"""What a report can be written as."""

FOLDER_FORMATS = ("csv", "stata")
"""Formats whose path is a folder; the others write one file."""


def write_report(
    analysis: Mapping[str, Any],
    path: Path | str,
    format: str = "html",
    context: ReportContext = NO_CONTEXT,
) -> tuple[Path, ...]:
    """Write an analysis in one of FORMATS to a file, or to a folder for FOLDER_FORMATS.

    `analysis` is the document of `justeval analyze --json`. Returns the files written; each is
    there whole or not at all. Raises UsageError for a format that does not exist, a path of the
    wrong sort, or Stata files without predictions; JustevalError where the disk takes nothing.
    """
    path = Path(path)
    if format not in _FORMS:
        raise UsageError(f"no format {format!r}: the formats are {', '.join(FORMATS)}")
    _check_path(path, format)
    files = _FORMS[format](build_report(analysis, context), analysis, context)
    try:
        if format in FOLDER_FORMATS:
            path.mkdir(parents=True, exist_ok=True)
            return _write_all({path / name: content for name, content in files.items()})
        path.parent.mkdir(parents=True, exist_ok=True)
        return _write_all({path: files[""]})
    except OSError as error:
        raise JustevalError(
            f"{path}: cannot be written ({error.strerror or error}); choose another --out"
        ) from error


def _check_path(path: Path, format: str) -> None:
    if format in FOLDER_FORMATS and path.exists() and not path.is_dir():
        raise UsageError(f"{path}: is a file; {format} writes a folder, choose another --out")
    if format not in FOLDER_FORMATS and path.is_dir():
        raise UsageError(f"{path}: is a folder; {format} writes one file, choose another --out")


def _write_all(files: Mapping[Path, bytes]) -> tuple[Path, ...]:
    """Write all files beside their places, then move them there."""
    partials = {path: path.with_name(path.name + ".partial") for path in files}
    try:
        for path, content in files.items():
            partials[path].write_bytes(content)
        for path, partial in partials.items():
            partial.replace(path)
    finally:
        for partial in partials.values():
            partial.unlink(missing_ok=True)
    return tuple(files)

"""Runs -> a file for other programs: the report of the library in a format, or all predictions.

In: runs, options, a format. Out: the file; formats that are folders become a zip of them.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from justeval.demo import report_context
from justeval.report import FOLDER_FORMATS, write_report
from justeval_api.work.analyzing import analyzed, write_bytes
from justeval_api.work.options import ResultOptions
from justeval_api.work.sources import Asked, gather

EPOCH = (1980, 1, 1, 0, 0, 0)
"""Times in a zip are left at its beginning: the same results are the same bytes."""


def export_runs(
    runs: Sequence[Asked], options: Mapping[str, Any], format: str, target: str
) -> None:
    """Writes the export of runs to a file, whole or not at all."""
    chosen = ResultOptions.from_json(options)
    evidence = gather(runs, chosen).evidence
    if format == "parquet":
        out = io.BytesIO()
        pq.write_table(evidence.predictions, out, compression="zstd")
        write_bytes(Path(target), out.getvalue())
        return
    analysis = analyzed(evidence, chosen)
    with tempfile.TemporaryDirectory(prefix="justeval-") as scratch:
        made = Path(scratch) / ("tables" if format in FOLDER_FORMATS else f"report.{format}")
        files = write_report(analysis, made, format, report_context(evidence))
        content = _zipped(files) if format in FOLDER_FORMATS else made.read_bytes()
    write_bytes(Path(target), content)


def _zipped(files: Sequence[Path]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(files):
            archive.writestr(
                zipfile.ZipInfo(file.name, EPOCH), file.read_bytes(), zipfile.ZIP_DEFLATED
            )
    return out.getvalue()

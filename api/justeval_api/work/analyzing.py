"""Runs -> the document of `justeval analyze --json`, as bytes in a file.

In: runs and options. Out: the file; of several runs, with the origin of each model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from justeval.aggregate import AnalysisOptions, analyze, as_json
from justeval.evidence import Evidence
from justeval_api.work.options import ResultOptions
from justeval_api.work.sources import Asked, gather


def analyze_runs(
    runs: Sequence[Asked], options: Mapping[str, Any], target: str, comparing: bool
) -> None:
    """Writes the analysis of runs to a file, whole or not at all."""
    chosen = ResultOptions.from_json(options)
    gathered = gather(runs, chosen)
    document = analysis_of(gathered.evidence, chosen)
    if comparing:
        document["sources"] = gathered.sources()
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    write_bytes(Path(target), text.encode("utf-8", "replace"))


def analysis_of(evidence: Evidence, options: ResultOptions) -> dict[str, Any]:
    """The document of `justeval analyze --json` for evidence."""
    chosen = AnalysisOptions(
        alpha=options.alpha,
        engine=options.engine,
        as_published=options.as_published,
        longest_months=evidence.longest_months,
    )
    return as_json(analyze(evidence.predictions, evidence.labels, chosen, evidence.runs))


def write_bytes(target: Path, content: bytes) -> None:
    """Writes a file, whole or not at all; what is stored can be made again, so it is not synced."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".partial")
    partial.write_bytes(content)
    partial.replace(target)

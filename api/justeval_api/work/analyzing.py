"""Runs -> the document of `justeval analyze --json`, as bytes in a file.

In: runs and options. Out: the file; of several runs, with the origin of each model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from justeval.aggregate import AnalysisOptions
from justeval.analyzing import analysis_of, outcome_of
from justeval.evidence import Evidence
from justeval_api.work.options import ResultOptions
from justeval_api.work.sources import Asked, gather


def analyze_runs(
    runs: Sequence[Asked], options: Mapping[str, Any], target: str, comparing: bool
) -> None:
    """Writes the analysis of runs to a file, whole or not at all."""
    chosen = ResultOptions.from_json(options)
    gathered = gather(runs, chosen)
    document = analyzed(gathered.evidence, chosen)
    if comparing:
        document["sources"] = gathered.sources()
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    write_bytes(Path(target), text.encode("utf-8", "replace"))


def analyzed(evidence: Evidence, options: ResultOptions) -> dict[str, Any]:
    """The document of `justeval analyze --json` for evidence."""
    asked = "log_months" if options.as_published else outcome_of(evidence)
    chosen = AnalysisOptions(
        alpha=options.alpha,
        engine=options.engine,
        as_published=options.as_published,
        longest_months=evidence.longest_months,
        draws=options.draws,
        rng_seed=options.rng_seed,
        margin=options.margin,
        outcome=options.outcome or asked,
    )
    return analysis_of(evidence, chosen, options.exclude_flagged, options.robustness)


def write_bytes(target: Path, content: bytes) -> None:
    """Writes a file, whole or not at all; what is stored can be made again, so it is not synced."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".partial")
    partial.write_bytes(content)
    partial.replace(target)

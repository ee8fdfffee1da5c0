"""A run -> what is wrong with its data, as bytes in a file, with the replies concerned.

In: a run and options. Out: `{"findings": [...]}`, the document of `justeval diagnose --json` with
an id for each finding.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from justeval.diagnose import as_json, diagnose
from justeval_api.work.analyzing import write_bytes
from justeval_api.work.options import ResultOptions, digest
from justeval_api.work.sources import Asked, gather


def find_in_run(run: Asked, options: Mapping[str, Any], target: str) -> None:
    """Writes the findings of a run to a file, whole or not at all."""
    chosen = replace(ResultOptions.from_json(options), exclude_flagged=False)
    evidence = gather([run], chosen).evidence
    file = Path(run["folder"]) / "variants.parquet"
    variants = pq.read_table(file) if file.is_file() else None
    found = diagnose(evidence.predictions, evidence.labels, evidence.longest_months, variants)
    shown = as_json(found)["findings"]
    for finding in shown:
        parts = [finding[name] for name in ("kind", "model", "label", "value")]
        finding["id"] = f"finding-{digest(*parts, finding['replies'])[:12]}"
    document = {"findings": shown}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    write_bytes(Path(target), text.encode("utf-8", "replace"))

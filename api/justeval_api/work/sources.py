"""Runs -> evidence, also while they collect, and of several runs at once.

In: runs of the service. Out: evidence of the library, and where each of its models comes from. A
run that collects is read through a snapshot, so that nothing is written into it from two sides.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from justeval.errors import RunError, UsageError
from justeval.evidence import Evidence, load_evidence
from justeval.importing import TableOptions
from justeval.runs import RunFolder
from justeval_api.work.options import ResultOptions

Asked = Mapping[str, Any]
"""A run as it is asked for: its id, its name, its folder, whether it is collecting."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Evidence, and for each of its models the run and the name there."""

    evidence: Evidence
    origins: Mapping[str, tuple[str, str, str]]
    """Model -> (run, name of the run, name of the model in it)."""

    def sources(self) -> list[dict[str, str]]:
        """The origins as they stand in a comparison."""
        return [
            {"model": model, "run": run, "run_name": name, "model_in_run": inside}
            for model, (run, name, inside) in self.origins.items()
        ]


def gather(runs: Sequence[Asked], options: ResultOptions) -> Gathered:
    """The evidence of runs. Raises RunError where a run holds nothing yet, UsageError where runs
    of different bounds are put together without saying which counts."""
    found = [_one(run, options) for run in runs]
    shared = _shared_names(found)
    names = Counter(str(run["name"]) for run in runs)
    origins: dict[str, tuple[str, str, str]] = {}
    renamed = []
    for run, evidence in zip(runs, found, strict=True):
        told = run["name"] if names[str(run["name"])] == 1 else run["id"]
        new = {
            model: f"{model} [{told}]" if model in shared else model for model in _models(evidence)
        }
        origins |= {name: (run["id"], run["name"], model) for model, name in new.items()}
        renamed.append(_renamed(evidence, new) if shared else evidence)
    return Gathered(_together(renamed, options), origins)


def _one(run: Asked, options: ResultOptions) -> Evidence:
    with _readable(RunFolder(Path(run["folder"])), bool(run["collecting"])) as folder:
        if not folder.exists() or not folder.journal.is_file():
            raise RunError(f"{run['id']}: nothing has been answered yet")
        table = TableOptions(bounded=not options.as_published)
        evidence = load_evidence([folder.path], table, options.longest_months)
        if evidence.predictions.num_rows == 0:
            raise RunError(f"{run['id']}: nothing has been answered yet")
        return replace(evidence, variants=(RunFolder(Path(run["folder"])).variants,))


@contextlib.contextmanager
def _readable(folder: RunFolder, collecting: bool) -> Iterator[RunFolder]:
    if not collecting or not folder.exists():
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="justeval-", dir=folder.path.parent) as scratch:
        snapshot = RunFolder(Path(scratch) / "run")
        snapshot.path.mkdir()
        for name in ("manifest.json", "cases.jsonl", "variants.parquet", "skipped.jsonl"):
            if (folder.path / name).is_file():
                os.link(folder.path / name, snapshot.path / name)
        if folder.journal.is_file():
            os.link(folder.journal, snapshot.journal)
        shutil.copytree(folder.packs, snapshot.packs)
        yield snapshot


def _models(evidence: Evidence) -> list[str]:
    asked = [str(model) for run in evidence.runs for model in run.get("models") or ()]
    there = [str(model) for model in pc.unique(evidence.predictions["model"]).to_pylist()]
    return list(dict.fromkeys([*asked, *there]))


def _shared_names(found: Sequence[Evidence]) -> set[str]:
    counts = Counter(model for evidence in found for model in _models(evidence))
    return {model for model, count in counts.items() if count > 1}


def _renamed(evidence: Evidence, new: Mapping[str, str]) -> Evidence:
    column = evidence.predictions["model"].combine_chunks().dictionary_encode()
    names = pa.array([new[str(name)] for name in column.dictionary.to_pylist()], pa.string())
    place = evidence.predictions.schema.get_field_index("model")
    models = names.take(column.indices)
    runs = tuple({**run, "models": [new[str(m)] for m in run["models"]]} for run in evidence.runs)
    return replace(
        evidence, runs=runs, predictions=evidence.predictions.set_column(place, "model", models)
    )


def _together(found: Sequence[Evidence], options: ResultOptions) -> Evidence:
    if len(found) == 1:
        return found[0]
    bounds = {evidence.longest_months for evidence in found}
    if len(bounds) > 1:
        shown = ", ".join(f"{bound:g}" for bound in sorted(bounds))
        raise UsageError(
            f"the runs have different bounds of the main sample ({shown} months); say which counts "
            "with longest_months"
        )
    titles = dict.fromkeys(evidence.title for evidence in found)
    return Evidence(
        title=", ".join(titles),
        predictions=pa.concat_tables([evidence.predictions for evidence in found]),
        labels={name: label for one in reversed(found) for name, label in one.labels.items()},
        longest_months=bounds.pop(),
        runs=tuple(run for evidence in found for run in evidence.runs),
        manifests=tuple(manifest for evidence in found for manifest in evidence.manifests),
        skipped=tuple(skip for evidence in found for skip in evidence.skipped),
        variants=tuple(file for evidence in found for file in evidence.variants),
    )

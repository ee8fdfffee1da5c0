"""Runs or a table -> what an analysis needs: predictions, labels, and the facts of the runs.

In: folders of runs, or one table of predictions made elsewhere. Out: Evidence. Predictions are
read anew where the journal has grown since they were made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from justeval.cases import DEFAULT_LONGEST_MONTHS
from justeval.errors import RunError, UsageError
from justeval.importing import TableOptions, read_table
from justeval.labels import Label, crossed, load_shipped_packs, parts_of, read_pack
from justeval.runs import (
    Manifest,
    RunFolder,
    is_run,
    open_run,
    predictions_of,
    read_journal,
    settled_lines,
    write_predictions,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Predictions with all that is needed to analyze and report them.

    `runs` are the facts of each run as they stand in an analysis; `manifests` the whole ones.
    `skipped` are the labels left out of cases, with reasons. `variants` are the files of the texts.
    """

    title: str
    predictions: pa.Table
    labels: Mapping[str, Label]
    longest_months: float
    runs: tuple[Mapping[str, Any], ...] = ()
    manifests: tuple[Manifest, ...] = ()
    skipped: tuple[Mapping[str, Any], ...] = ()
    variants: tuple[Path, ...] = ()


def load_evidence(
    paths: Sequence[Path], table: TableOptions, longest_months: float | None = None
) -> Evidence:
    """Evidence from runs, or from one table.

    Raises UsageError where a path is neither, or where runs of different bounds are put together
    without saying which bound counts.
    """
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such run or table")
    if all(is_run(path) for path in paths):
        return _of_runs([open_run(path) for path in paths], table, longest_months)
    if len(paths) > 1:
        raise UsageError("several runs can be analyzed together, but a table stands alone")
    if paths[0].is_dir():
        raise RunError(f"{paths[0]}: no run; it has no manifest.json")
    return _of_table(paths[0], table, longest_months)


def _of_table(path: Path, options: TableOptions, longest_months: float | None) -> Evidence:
    packs = reversed(load_shipped_packs())
    labels = {label.id: label for pack in packs for label in pack.labels}
    predictions = read_table(path, labels, options)
    return Evidence(path.name, predictions, labels, longest_months or DEFAULT_LONGEST_MONTHS)


def _of_runs(
    folders: Sequence[RunFolder], options: TableOptions, longest_months: float | None
) -> Evidence:
    if options.mapping or options.label or options.reference or options.model:
        raise UsageError("--map, --label, --reference and --model are for tables, not for runs")
    manifests = [folder.manifest() for folder in folders]
    _check_together(folders, manifests)
    tables = [_predictions(folder, options.bounded) for folder in folders]
    labels: dict[str, Label] = {}
    for folder, manifest in zip(folders, manifests, strict=True):
        labels |= _labels_of(folder, manifest)
    return Evidence(
        title=", ".join(str(m["dataset"].get("title") or m["dataset"]["name"]) for m in manifests),
        predictions=pa.concat_tables(tables),
        labels=labels,
        longest_months=longest_months or _one_bound(manifests),
        runs=tuple(run_facts(f, m) for f, m in zip(folders, manifests, strict=True)),
        manifests=tuple(manifests),
        skipped=tuple(row for folder in folders for row in _skipped(folder)),
        variants=tuple(folder.variants for folder in folders),
    )


def _check_together(folders: Sequence[RunFolder], manifests: Sequence[Manifest]) -> None:
    """Refuses runs whose rows would be taken for each other's.

    One model may stand in two runs only where both asked it the same way about the same cases,
    with different labels: else its documents would be mixed, or counted as repetitions.
    """
    seen: dict[str, tuple[RunFolder, Manifest]] = {}
    for folder, manifest in zip(folders, manifests, strict=True):
        for model in (str(entry["model"]) for entry in manifest["models"]):
            if model in seen:
                earlier, other = seen[model]
                differing = _what_differs(other, manifest)
                if differing:
                    raise UsageError(
                        f"{earlier.path} and {folder.path} both hold {model}, with {differing}; "
                        "analyze them one by one"
                    )
            seen[model] = (folder, manifest)


def _what_differs(one: Manifest, other: Manifest) -> str:
    if one["run_id"] == other["run_id"]:
        return "the same replies"
    if set(one["labels"]) & set(other["labels"]):
        return "labels that both asked"
    names = {"dataset": "cases", "imported_from": "files", "parameters": "parameters"}
    names |= {"prompts": "prompts", "repetitions": "repetitions"}
    return ", ".join(f"other {names[k]}" for k in names if one.get(k) != other.get(k))


def _predictions(folder: RunFolder, bounded: bool) -> pa.Table:
    made = folder.predictions
    fresh = made.is_file() and made.stat().st_mtime_ns >= folder.journal.stat().st_mtime_ns
    if not bounded:
        return predictions_of(folder, bounded=False)
    return pq.read_table(made) if fresh else write_predictions(folder)


def _labels_of(folder: RunFolder, manifest: Manifest) -> dict[str, Label]:
    """The labels of a run, as its own copies of the packs have them, in the run's order."""
    known = {
        label.id: label
        for path in sorted(folder.packs.glob("*.yaml"))
        for label in read_pack(path).labels
    }
    for label in manifest["labels"]:
        pair = parts_of(label)
        if pair and pair[0] in known and pair[1] in known:
            known[label] = crossed(known[pair[0]], known[pair[1]])
    return {label: known[label] for label in manifest["labels"] if label in known}


def _one_bound(manifests: Sequence[Manifest]) -> float:
    bounds = {float(manifest["dataset"]["longest_months"]) for manifest in manifests}
    if len(bounds) > 1:
        shown = ", ".join(f"{bound:g}" for bound in sorted(bounds))
        raise UsageError(
            f"the runs have different bounds of the main sample ({shown} months); "
            "say which counts with --longest-months"
        )
    return bounds.pop()


def run_facts(folder: RunFolder, manifest: Manifest) -> dict[str, Any]:
    """What an analysis says of a run: its choices, and whether every request has an answer.

    `stopped` says why models were asked no further (budget, deadline, the provider's words).
    """
    settled = settled_lines(read_journal(folder.journal)).values()
    answered = sum(not line.get("error") for line in settled)
    parameters = manifest.get("parameters") or {}
    dataset = manifest["dataset"]
    prompts = manifest.get("prompts") or []
    return {
        "run_id": manifest["run_id"],
        "complete": answered >= manifest["requests"],
        "requests": manifest["requests"],
        "answered": answered,
        "stopped": [
            f"{stop['model']}: {stop['words']}"
            for stop in (manifest.get("collected") or {}).get("stopped") or ()
        ],
        "temperature": parameters.get("temperature"),
        "dataset": dataset["name"],
        "documents": dataset.get("documents"),
        "labels": len(manifest["labels"]),
        "prompt": ", ".join(f"{p['id']} {p['sha256'][:12]}" for p in prompts) or None,
        "seed": manifest.get("order_seed"),
        "models": [model["model"] for model in manifest["models"]],
    }


def _skipped(folder: RunFolder) -> list[dict[str, Any]]:
    if not folder.skipped.is_file():
        return []
    return [json.loads(line) for line in folder.skipped.read_text(encoding="utf-8").splitlines()]

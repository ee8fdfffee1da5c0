"""Where the numbers come from, and what was left out on the way.

In: the analysis and the context. Out: the tables of runs, settings, statuses, rows left out of the
main sample, and labels that were not asked about a case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from justeval.report.records import Cell, ReportContext, Table
from justeval.report.tables.making import Row, make_table


def run_table(analysis: Mapping[str, Any], context: ReportContext) -> Table:
    """The choices of each run: case set, models, parameters, prompt, and whether it is complete."""
    manifests = {str(manifest.get("run_id")): manifest for manifest in context.runs}
    runs = analysis["runs"] or context.runs
    rows = [_run_row(run, manifests.get(str(run.get("run_id")), {})) for run in runs]
    columns = (
        "run_id", "created_at", "complete", "requests", "answered", "case_set", "documents",
        "labels", "models", "repetitions", "temperature", "max_tokens", "seed", "order_seed",
        "prompt", "prompt_sha256",
    )  # fmt: skip
    about = "What was asked, of whom, and how."
    return make_table("runs", "Runs", about, rows, columns)


def settings_table(analysis: Mapping[str, Any]) -> Table:
    """The choices of the analysis."""
    row = {"justeval": analysis["justeval"], **analysis["settings"]}
    drawn = tuple(
        name for name in ("draws", "rng_seed", "margin", "outcome_id", "unit") if name in row
    )
    columns = ("justeval", "engine", "alpha", "as_published", "longest_months", "outcome", *drawn)
    return make_table("settings", "Settings", "How it was analyzed.", [row], columns)


def status_table(analysis: Mapping[str, Any]) -> Table:
    """What became of the replies of each model."""
    from justeval.schema import READABLE  # brings Arrow with it, so only where it is used

    rows = [
        {"model": m["model"], "status": s, "replies": count, "readable": s in READABLE}
        for m in analysis["models"]
        for s, count in m["statuses"].items()
    ]
    about = "What became of each reply. One that cannot be read is missing, never 0."
    columns = ("model", "status", "replies", "readable")
    return make_table("statuses", "Replies", about, rows, columns)


def left_out_table(analysis: Mapping[str, Any]) -> Table:
    """Rows left out of the main sample, by model and reason."""
    rows = [
        {"model": model["model"], "reason": reason, "rows": count}
        for model in analysis["models"]
        for reason, count in model["left_out"].items()
    ]
    about = "Predictions that did not enter the estimates, by the first reason that applies."
    return make_table(
        "left_out", "Left out of the main sample", about, rows, ("model", "reason", "rows")
    )


def left_out_by_label_table(analysis: Mapping[str, Any]) -> Table:
    """The same by label."""
    rows = [
        {"model": model["model"], "label": label["label"], "reason": reason, "rows": count}
        for model in analysis["models"]
        for label in model["labels"]
        for reason, count in label["left_out"].items()
    ]
    columns = ("model", "label", "reason", "rows")
    about = "The same by label."
    return make_table("left_out_by_label", "Left out, by label", about, rows, columns)


def skipped_kind_table(context: ReportContext) -> Table:
    """Pairs of a case and a label that were not asked, by kind of reason."""
    rows: list[Row] = [
        {
            "kind": kind,
            "labels": len({str(pair["label"]) for pair in pairs}),
            "pairs": len(pairs),
            "example": str(pairs[0]["reason"]),
        }
        for (kind,), pairs in _grouped(context.skipped, ("kind",)).items()
    ]
    about = "Labels that were not asked about a case, by kind of reason."
    return make_table(
        "skipped_by_kind", "Not asked", about, rows, ("kind", "labels", "pairs", "example")
    )


def skipped_table(context: ReportContext) -> Table:
    """The same by label."""
    rows: list[Row] = [
        {"label": label, "kind": kind, "pairs": len(pairs), "example": str(pairs[0]["reason"])}
        for (label, kind), pairs in _grouped(context.skipped, ("label", "kind")).items()
    ]
    columns = ("label", "kind", "pairs", "example")
    about = "Labels that were not asked about a case, label by label."
    return make_table("skipped", "Not asked, by label", about, rows, columns)


def _grouped(
    pairs: Sequence[Mapping[str, Any]], keys: tuple[str, ...]
) -> dict[tuple[str, ...], list[Mapping[str, Any]]]:
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for pair in pairs:
        groups.setdefault(tuple(str(pair[key]) for key in keys), []).append(pair)
    return groups


def _run_row(run: Mapping[str, Any], manifest: Mapping[str, Any]) -> Row:
    dataset = _mapping(manifest.get("dataset") or run.get("dataset"))
    prompts = manifest.get("prompts") or run.get("prompt")
    parameters: Mapping[str, Any] = manifest.get("parameters") or {}
    return {
        "run_id": _text(run.get("run_id")),
        "created_at": _text(manifest.get("created_at")),
        "complete": run.get("complete"),
        "requests": run.get("requests"),
        "answered": run.get("answered"),
        "case_set": _text(dataset.get("title") or dataset.get("name")),
        "documents": dataset.get("documents"),
        "labels": _how_many(manifest.get("labels") or run.get("labels")),
        "models": _names(run.get("models") or manifest.get("models"), "model"),
        "repetitions": manifest.get("repetitions"),
        "temperature": _first(run.get("temperature"), parameters.get("temperature")),
        "max_tokens": parameters.get("max_tokens"),
        "seed": _first(run.get("seed"), parameters.get("seed")),
        "order_seed": manifest.get("order_seed"),
        "prompt": _names(prompts, "id"),
        "prompt_sha256": _names(prompts, "sha256"),
    }


def _mapping(dataset: object) -> Mapping[str, Any]:
    """A case set as a mapping, also where a run gives its name alone."""
    return dataset if isinstance(dataset, Mapping) else {"name": dataset}


def _first(*cells: Cell) -> Cell:
    return next((cell for cell in cells if cell is not None), None)


def _text(cell: object) -> str | None:
    return None if cell is None else str(cell)


def _how_many(labels: object) -> int | None:
    return len(labels) if isinstance(labels, (list, tuple)) else None


def _names(entries: object, key: str) -> str | None:
    """Names in a list of names or of mappings; a single name as it is, where it is the id."""
    if isinstance(entries, str):
        return entries if key == "id" else None
    if isinstance(entries, Mapping):
        entries = [entries]
    if not isinstance(entries, (list, tuple)):
        return None
    named = [entry.get(key) if isinstance(entry, Mapping) else entry for entry in entries]
    return ", ".join(str(name) for name in named if name is not None) or None

"""The document of an analysis -> lists of rows, filtered: what tables and heat maps are made of.

In: the document of `justeval analyze --json`, and the run of each of its models. Out: rows of
plain data. Nothing is computed: a number in a row is the number in the document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from justeval_api.services.overviews import OUTCOMES, cells_of, verdicts_of
from justeval_api.work.options import digest

Row = dict[str, Any]
Document = Mapping[str, Any]
RunOf = Callable[[str], str]

CALIBRATED = ("calibrated_p", "calibrated_mid_p", "expected")


def rows_of(kind: str, document: Document, run_of: RunOf) -> list[Row]:
    """All rows of a kind: models, labels, cells, verdicts, values, inconsistency, counts, findings.

    Where the analysis was made once more without flagged replies, rows are taken from that.
    """
    estimated = {**document, **document.get("without_flagged", {})}
    return list(_KINDS[kind](estimated, run_of))


def matching(rows: list[Row], where: Mapping[str, Any]) -> list[Row]:
    """The rows in which every field that is asked for has the value asked for."""
    asked = {name: value for name, value in where.items() if value is not None}
    return [row for row in rows if all(row.get(name) == value for name, value in asked.items())]


def _models(document: Document, run_of: RunOf) -> Iterator[Row]:
    for model in document["models"]:
        kept = {name: value for name, value in model.items() if name not in ("labels", "groups")}
        yield {"model": model["model"], "run": run_of(model["model"]), **kept}


def _labels(document: Document, run_of: RunOf) -> Iterator[Row]:
    for model in document["models"]:
        origin = {"model": model["model"], "run": run_of(model["model"])}
        for label in model["labels"]:
            yield {**origin, **label}


def _values(document: Document, run_of: RunOf) -> Iterator[Row]:
    for label in _labels(document, run_of):
        origin = {name: label[name] for name in ("model", "run", "label")}
        for outcome in OUTCOMES:
            for value in label[outcome]["values"]:
                yield {**origin, "outcome": outcome, **value}


def _inconsistency(document: Document, run_of: RunOf) -> Iterator[Row]:
    for model in document["models"]:
        floor = model["placebo"]["inconsistency"] if model["placebo"] else None
        origin = {"model": model["model"], "run": run_of(model["model"])}
        yield {
            **origin,
            "label": None,
            "name": "all labels",
            "placebo": False,
            "documents": None,
            "documents_changed": None,
            "inconsistency": model["inconsistency"],
            "ci_low": model["inconsistency_ci_low"],
            "ci_high": model["inconsistency_ci_high"],
            "noise_floor": floor,
        }
        for label in model["labels"]:
            names = ("label", "name", "placebo", "documents", "documents_changed", "inconsistency")
            yield {
                **origin,
                **{name: label[name] for name in names},
                "ci_low": label["inconsistency_ci_low"],
                "ci_high": label["inconsistency_ci_high"],
                "noise_floor": floor,
            }


def _counts(document: Document, run_of: RunOf) -> Iterator[Row]:
    everything = {"model": None, "run": None, "by": "all", "group": "all"}
    yield from _count_rows(document["summary"], everything)
    for model in document["models"]:
        origin = {"model": model["model"], "run": run_of(model["model"])}
        yield from _count_rows(model, {**origin, "by": "all", "group": "all"})
        for group in model["groups"]:
            yield from _count_rows(group, {**origin, "by": group["by"], "group": group["group"]})
        if model["placebo"]:
            yield from _count_rows(
                model["placebo"], {**origin, "by": "placebo", "group": "placebo"}
            )


def _count_rows(block: Mapping[str, Any], origin: Row) -> Iterator[Row]:
    for outcome in OUTCOMES:
        counts = block[outcome]
        for level, count in counts["by_alpha"].items():
            yield {
                **origin,
                "outcome": outcome,
                "alpha": float(level),
                "labels_tested": counts["labels_tested"],
                "labels_significant": count["labels_significant"],
                "binomial_p": count["binomial_p"],
                **{name: count.get(name) for name in CALIBRATED},
            }


def _findings(document: Document, run_of: RunOf) -> Iterator[Row]:
    for finding in document["findings"]:
        told = [finding[name] for name in ("kind", "model", "label", "value", "replies")]
        run = None if finding["model"] is None else run_of(finding["model"])
        yield {"id": f"finding-{digest(*told)[:12]}", "run": run, **finding}


_KINDS: dict[str, Callable[[Document, RunOf], Iterator[Row]]] = {
    "models": _models,
    "labels": _labels,
    "cells": cells_of,
    "verdicts": verdicts_of,
    "values": _values,
    "inconsistency": _inconsistency,
    "counts": _counts,
    "findings": _findings,
}

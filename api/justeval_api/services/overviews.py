"""The document of an analysis -> what a page shows first.

In: the document of `justeval analyze --json`. Out: the same without its labels; one line a label
and model, for a heat map; the counts of verdicts. Nothing is estimated here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Row = dict[str, Any]
Document = Mapping[str, Any]
RunOf = Callable[[str], str]

OUTCOMES = ("bias", "imbalanced_inaccuracy")
BIASED = ("biased", "biased, within the margin")
VERDICTS = {
    "biased": "biased",
    "biased, within the margin": "biased_within_margin",
    "equivalent": "equivalent",
    "undetermined": "undetermined",
    "no variation": "no_variation",
}
NO_VERDICT = "no_verdict"
_OF_LABEL = ("name", "pack", "actor", "category", "demographic", "placebo")
_OF_VALUE = ("reference", "change_percent", "change_months", "coef", "ci_low", "ci_high")
_NO_VALUE: Row = dict.fromkeys(("value", *_OF_VALUE))


def overview_of(document: Document, sources: Sequence[Row]) -> Row:
    """The analysis without its labels. sources : where each model comes from."""
    run_of = {source["model"]: source["run"] for source in sources}
    without = document.get("without_flagged")
    estimated = {**document, **(without or {})}
    return {
        "justeval": document["justeval"],
        "settings": document["settings"],
        "runs": document["runs"],
        "summary": estimated["summary"],
        "models": [
            {
                "model": model["model"],
                "run": run_of.get(model["model"]),
                **{name: part for name, part in model.items() if name not in ("labels", "groups")},
            }
            for model in estimated["models"]
        ],
        "findings": len(document["findings"]),
        "flagged_replies": without["replies"] if without else None,
        "sources": list(sources),
    }


def cells_of(document: Document, run_of: RunOf) -> Iterator[Row]:
    """One row a label and model, label by label."""
    rows: dict[str, list[Row]] = {}
    for model in document["models"]:
        origin = {"model": model["model"], "run": run_of(model["model"])}
        for label in model["labels"]:
            rows.setdefault(label["label"], []).append({**origin, **_cell(label)})
    for cells in rows.values():
        differ = models_differ(cells)
        for cell in cells:
            yield {**cell, "models_differ": differ}


def models_differ(cells: Sequence[Row]) -> bool:
    """Whether one model is biased by a label and another is not, or in the opposite direction."""
    judged = [cell for cell in cells if cell["verdict"] is not None]
    biased = [cell for cell in judged if cell["verdict"] in BIASED]
    if biased and len(biased) < len(judged):
        return True
    signs: dict[str | None, set[bool]] = {}
    for cell in biased:
        if cell["coef"]:
            signs.setdefault(cell["value"], set()).add(cell["coef"] > 0)
    return any(len(directions) > 1 for directions in signs.values())


def _cell(label: Mapping[str, Any]) -> Row:
    fit = label["bias"]
    shown = max(fit["values"], key=_size, default=None)
    return {
        "label": label["label"],
        **{name: label[name] for name in _OF_LABEL},
        **(_NO_VALUE if shown is None else _of_value(shown)),
        "values": len(fit["values"]),
        "p": fit["p_verdict"],
        "p_romano_wolf": fit.get("p_romano_wolf"),
        "significant": fit["significant"],
        "verdict": fit.get("verdict"),
        "note": fit["note"],
        "documents": label["documents"],
        "documents_changed": label["documents_changed"],
        "inconsistency": label["inconsistency"],
    }


def _of_value(value: Mapping[str, Any]) -> Row:
    return {"value": value["value"], **{name: value.get(name) for name in _OF_VALUE}}


def _size(value: Mapping[str, Any]) -> float:
    """How large an effect is: in per cent where it has such a form; unknown is the smallest."""
    change, coef = value.get("change_percent"), value["coef"]
    if change is not None:
        return abs(float(change))
    return -1.0 if coef is None else abs(float(coef))


def verdicts_of(document: Document, run_of: RunOf) -> Iterator[Row]:
    """How many labels of each group of a model have which verdict, placebo labels left out."""
    for model in document["models"]:
        origin = {"model": model["model"], "run": run_of(model["model"])}
        for counts in _verdict_counts(model["labels"]):
            yield {**origin, **counts}


def _verdict_counts(labels: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    counted: dict[tuple[str, str, str], Counter[str]] = {}
    for label in labels:
        if label["placebo"]:
            continue
        for outcome in OUTCOMES:
            verdict = _verdict(label[outcome])
            for by, group in _groups(label):
                counted.setdefault((outcome, by, group), Counter())[verdict] += 1
    for (outcome, by, group), counts in counted.items():
        numbers = {name: counts[name] for name in (*VERDICTS.values(), NO_VERDICT)}
        yield {"outcome": outcome, "by": by, "group": group, **numbers}


def _verdict(fit: Mapping[str, Any]) -> str:
    """The verdict of a label; as published there is none but significant or not."""
    if fit.get("verdict") is not None:
        return VERDICTS[fit["verdict"]]
    if fit["significant"] is None:
        return NO_VERDICT
    return "biased" if fit["significant"] else "undetermined"


def _groups(label: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "all", "all"
    for by in ("actor", "category"):
        if label[by] is not None:
            yield by, label[by]
    if label["demographic"] is not None:
        yield "demographic", "demographic" if label["demographic"] else "not demographic"

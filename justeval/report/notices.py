"""The sentences at the top of every report: the reading, what is wrong, what the tool is.

In: the analysis and the context. Out: notices, filled in from the facts of the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from justeval.report.formatting import counted, printable, show
from justeval.report.records import ReportContext

MOST_NOTICED = 3
"""Findings whose estimates stand in the notice at the top; the table has all."""

AUDIT_TOOL = (
    "This is an audit tool and no judge: it measures whether facts that must not matter change a "
    "model's answer. It does not say which answer is right, and no decision about a person may "
    "rest on it."
)
NOT_SIGNIFICANT = (
    "Not significant is not fair: a label without a significant effect was not shown to have "
    "none; the interval says how large an effect the data leave open."
)
AS_PUBLISHED = (
    "Read as published: a label counts if any of its values has p below 0.10, the binomial test "
    "counts values, inconsistency is weighted by changed documents, and no bounds are applied. "
    "Chance alone makes about one label in ten count this way, and more where a label has "
    "several values."
)


def notices(analysis: Mapping[str, Any], context: ReportContext) -> tuple[str, ...]:
    """Sentences for the top: the reading, whether the run is complete, what the tool is."""
    found = []
    if analysis["settings"]["as_published"]:
        found.append(AS_PUBLISHED)
    found.extend(_wrong_with_the_data(analysis))
    found.extend(_incomplete(run) for run in analysis["runs"] if run.get("complete") is False)
    if _all_simulated(context):
        found.append(
            "The models asked here are simulated models, whose effects are planted: this shows "
            "that the method finds what is there, and nothing about any language model."
        )
    return (*found, AUDIT_TOOL, NOT_SIGNIFICANT)


def _wrong_with_the_data(analysis: Mapping[str, Any]) -> Iterator[str]:
    findings = analysis.get("findings") or ()
    if not findings:
        return
    one = len(findings) == 1
    sentence = (
        f"{'Something is' if one else f'{len(findings)} things are'} wrong with the data of this "
        f"run: read the {'finding' if one else 'findings'} before any number."
    )
    moved = [f for f in findings if f["estimate_with"] and f["estimate_without"]]
    for finding in moved[:MOST_NOTICED]:
        before, after = finding["estimate_with"], finding["estimate_without"]
        sentence += (
            f" The effect of {printable(before['value'])} ({printable(finding['label'])}, "
            f"{printable(finding['model'])}) is {_effect(before)}, and without "
            f"{counted(finding['replies'], 'flagged reply', 'flagged replies')} {_effect(after)}."
        )
    yield sentence


def _effect(estimate: Mapping[str, Any]) -> str:
    return f"{show(estimate['coef'], 'coef')} (p {show(estimate['p'], 'small_p')})"


def _incomplete(run: Mapping[str, Any]) -> str:
    asked, answered = run.get("requests"), run.get("answered")
    known = asked is not None and answered is not None
    how_far = f" ({answered:,} of {asked:,} requests have an answer)" if known else ""
    stopped = "; ".join(printable(str(words)) for words in run.get("stopped") or ())
    return (
        f"The run {printable(str(run.get('run_id', '')))} is not complete{how_far}: the figures "
        "are those of a half-finished run, and nothing may be claimed from them yet."
        + (f" It was stopped ({stopped})." if stopped else "")
    )


def _all_simulated(context: ReportContext) -> bool:
    models = [model for run in context.runs for model in run.get("models") or ()]
    return bool(models) and all(
        isinstance(model, Mapping) and model.get("kind") == "simulated" for model in models
    )

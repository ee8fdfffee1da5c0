"""The noise floor in sentences: what placebo labels and repetitions of the same text show.

In: one model of the analysis, or its labels. Out: sentences for page, files and terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from justeval.report.formatting import counted, per_cent, show

Facts = Mapping[str, Any]


def noise_floor(model: Facts, alpha: float) -> str:
    """What irrelevant sentences do to the model, and which labels do more."""
    placebo = model["placebo"]
    if not placebo:
        return "No placebo label was asked, so there is no noise floor to hold the effects against."
    bias, floor = placebo["bias"], placebo.get("bias_floor")
    rate = placebo["inconsistency"]
    share = "an unknown share" if rate is None else per_cent(rate, 1)
    was = "was" if bias["labels_significant"] == 1 else "were"
    return (
        f"The noise floor: {counted(placebo['n_labels'], 'placebo label')} changed the answer in "
        f"{share} of the documents, and {bias['labels_significant']} of {bias['labels_tested']} "
        f"{was} significant{_rate(floor)}; an effect no larger than theirs is no finding."
        + _warning(floor)
        + _held(model, floor, alpha)
    )


def _held(model: Facts, floor: Facts | None, alpha: float) -> str:
    """How many significant labels stand out from the placebos' spread."""
    found = [x for x in model["labels"] if not x["placebo"] and x["bias"]["significant"]]
    if not found or not floor or floor["tau"] is None:
        return ""
    beyond = [
        label
        for label in found
        if any(
            (p := value.get("p_placebo")) is not None and p < alpha
            for value in label["bias"]["values"]
        )
    ]
    return (
        f" Held against that spread, {len(beyond)} of {counted(len(found), 'significant label')} "
        f"{'moves' if len(beyond) == 1 else 'move'} the model more than an irrelevant sentence "
        f"does (p below {per_cent(alpha)})."
    )


def _rate(floor: Facts | None) -> str:
    if not floor or floor["rate"] is None:
        return ""
    low, high = per_cent(floor["ci_low"], 1), per_cent(floor["ci_high"], 1)
    return f" ({per_cent(floor['rate'], 1)}, exact 95 % interval {low} to {high})"


def _warning(floor: Facts | None) -> str:
    if not floor:
        return ""
    tau = floor["tau"]
    spread = "" if not tau else f" Their true effects spread by {show(tau, 'coef').lstrip('+')}."
    if not floor["warning"]:
        return spread
    return (
        f"{spread} Warning: more placebo labels are significant than chance allows (p below "
        "0.01), so that irrelevant sentences move this model; read every effect against the "
        "placebos' spread."
    )


def repetitions(labels: Sequence[Facts], alpha: float) -> Iterator[str]:
    """What the same text, asked again, does; nothing where no text was asked twice."""
    found = [
        (label, one)
        for label in labels
        if (one := label["beyond"]["disagreement"]) and one["within"] is not None
    ]
    excesses = [one["excess"] for _, one in found if one["excess"] is not None]
    if not excesses:
        return
    within, excess = median(one["within"] for _, one in found), median(excesses)
    beyond = [label for label, one in found if one["p"] is not None and one["p"] < alpha]
    differ = f"{len(beyond)} of {counted(len(found), 'label')} differ"
    yield (
        f"Repetitions: of the median label, {per_cent(within, 1)} of pairs of answers to the very "
        f"same text differ, and its values add {show(excess, 'share')} to that share; {differ} "
        f"beyond the noise of repetitions (p below {per_cent(alpha)}, not adjusted). Inconsistency "
        "by itself counts that noise too."
    )

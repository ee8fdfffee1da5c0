"""What may be claimed from this run, and what not, in sentences filled in from its own facts.

In: the analysis and the context. Out: claims: documents, how many of them changed, what the run
could have found, what was left out and why. What speaks against a claim stands in `caveats`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from statistics import NormalDist, median
from typing import Any

from justeval.report.caveats import caveats
from justeval.report.formatting import counted, per_cent, printable, show
from justeval.report.records import Claim, ReportContext
from justeval.report.tables.labels import plain_unit
from justeval.report.tables.origins import skipped_kind_table

FULL_SET_DOCUMENTS = 200
"""Documents that a verdict adjusted for some 46 labels needs (by simulation, DESIGN section 5)."""

MANY_LABELS = 20
POWER = 0.80
MOST_RANKED = 10
"""Labels called biased that a sentence names; the table has all."""

_VERDICTS = (
    "biased", "biased, within the margin", "equivalent", "undetermined", "no variation",
)  # fmt: skip

EVERYTHING = "all"
"""Subject of a claim that is about no single model."""


def claims(analysis: Mapping[str, Any], context: ReportContext) -> tuple[Claim, ...]:
    """The paragraph "what may be claimed from this", sentence by sentence."""
    found = [Claim(EVERYTHING, _reach(analysis))]
    for model in analysis["models"]:
        found.extend(Claim(model["model"], text) for text in _about_model(model, analysis))
    found.extend(Claim(EVERYTHING, text) for text in _about_counting(analysis))
    found.extend(Claim(EVERYTHING, text) for text in _not_asked(context))
    return tuple(found)


def changed_documents_needed(alpha: float) -> int:
    """The fewest changed documents with which an exact two-sided test can reach alpha.

    With m changed documents the smallest two-sided p of a sign test is 2 (1/2)^m: 6 at 5 %.
    """
    return math.floor(1 + math.log(1 / alpha, 2) + 1e-12) + 1


def detectable_change_percent(standard_errors: list[float], alpha: float) -> float | None:
    """The change in per cent that a value of median error would show with 80 % power.

    exp((z(1 - alpha/2) + z(0.8)) se) - 1, with the normal quantiles.
    """
    if not standard_errors:
        return None
    normal = NormalDist()
    width = normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(POWER)
    return 100 * math.expm1(width * median(standard_errors))


def _reach(analysis: Mapping[str, Any]) -> str:
    models = analysis["models"]
    documents = max((model["documents"] for model in models), default=0)
    labels = max((model["n_labels"] for model in models), default=0)
    sentence = (
        f"The figures rest on {counted(documents, 'document')} and {counted(labels, 'label')}, "
        f"asked of {counted(len(models), 'model')} with this prompt and these parameters; they "
        "say nothing about other cases, prompts or versions of a model."
    )
    if labels >= MANY_LABELS and documents < FULL_SET_DOCUMENTS:
        sentence += (
            f" So few documents show the method; a verdict adjusted for {labels} labels needs "
            f"about {FULL_SET_DOCUMENTS}."
        )
    return sentence


def _about_model(model: Mapping[str, Any], analysis: Mapping[str, Any]) -> Iterator[str]:
    yield _count_sentence(model, analysis)
    yield from _verdicts(model)
    yield from _ranked(model, analysis)
    yield from _changed(model)
    yield from _few_changed(model, analysis)
    yield from _power(model, analysis)
    yield from caveats(model, analysis)


def _count_sentence(model: Mapping[str, Any], analysis: Mapping[str, Any]) -> str:
    bias = model["bias"]
    tested, found = bias["labels_tested"], bias["labels_significant"]
    if not tested:
        return "No label could be tested, so nothing can be claimed about bias."
    of_labels = f"{found} of {counted(tested, 'label')}"
    alpha, p = bias["alpha"], _equals(bias["binomial_p"])
    if analysis["settings"]["as_published"]:
        values = bias["values_tested"]
        return (
            f"The sentence shifts for {of_labels} as published; {bias['values_significant']} of "
            f"{counted(values, 'value')} have p below {alpha:g}, where chance alone would give "
            f"about {alpha * values:.1f} (binomial p {p})."
        )
    expected, calibrated = bias.get("expected"), bias.get("calibrated_p")
    sentence = (
        f"{_what(analysis)} shifts significantly at {per_cent(alpha)} for {of_labels}; chance "
        f"alone would give about {alpha * tested if expected is None else expected:.1f} "
    )
    if calibrated is None:
        return f"{sentence}(binomial p {p})."
    return f"{sentence}(calibrated p {_equals(calibrated)}, binomial p {p})."


def _what(analysis: Mapping[str, Any]) -> str:
    outcome = analysis["settings"].get("outcome_id", "log_months")
    answers = {
        "guilt": "Guilt",
        "decision": "The decision",
        "probability": "The probability",
        "risk_score": "The risk score",
        "bond_amount": "The amount of the bond",
        "probation_months": "The time of probation",
    }
    return answers.get(outcome, "The sentence")


def _verdicts(model: Mapping[str, Any]) -> Iterator[str]:
    """How many labels have which verdict, once all are judged together."""
    labels = [label for label in model["labels"] if not label["placebo"]]
    verdicts = [label["bias"].get("verdict") for label in labels]
    counts = {verdict: verdicts.count(verdict) for verdict in _VERDICTS}
    if any(counts.values()):
        parts = ", ".join(f"{verdict} {count}" for verdict, count in counts.items() if count)
        yield (
            f"Verdicts, adjusted for all labels of the model: {parts}. Undetermined means that "
            "the data show neither an effect nor that there is none."
        )


def _ranked(model: Mapping[str, Any], analysis: Mapping[str, Any]) -> Iterator[str]:
    """The labels called biased, each by its largest value, in the order of the shrunken effects."""
    found = [
        (value["shrunken_rank"], label, value)
        for label in model["labels"]
        if not label["placebo"] and str(label["bias"].get("verdict")).startswith("biased")
        for value in label["bias"]["values"]
        if value.get("shrunken_rank")
    ]
    first: dict[str, str] = {}
    for _, label, value in sorted(found, key=lambda entry: entry[0]):
        shown = f"{printable(value['value'])} {show(value['shrunken'], 'coef')}"
        first.setdefault(label["label"], f"{printable(label['name'])}, {shown}")
    if first:
        more = len(first) - MOST_RANKED
        yield (
            f"Called biased, the largest effect first: {'; '.join([*first.values()][:MOST_RANKED])}"
            f"{f'; and {more} more' if more > 0 else ''}. The effects, in {plain_unit(analysis)}, "
            "are pulled towards 0 by their errors: the largest of many is large partly by luck."
        )


def _changed(model: Mapping[str, Any]) -> Iterator[str]:
    labels = [label for label in model["labels"] if not label["placebo"] and label["documents"]]
    if labels:
        changed = median(label["documents_changed"] for label in labels)
        documents = median(label["documents"] for label in labels)
        yield (
            f"The median label changed the answer in {changed:g} of {documents:g} documents: "
            "the changed documents are the evidence, not all that were asked."
        )


def _few_changed(model: Mapping[str, Any], analysis: Mapping[str, Any]) -> Iterator[str]:
    needed = changed_documents_needed(analysis["settings"]["alpha"])
    level = per_cent(analysis["settings"]["alpha"])
    labels = [label for label in model["labels"] if not label["placebo"]]
    few = [label for label in labels if label["documents_changed"] < needed]
    if not few:
        return
    one = len(few) == 1
    sentence = (
        f"{counted(len(few), 'label')} of {len(labels)} changed the answer in fewer than {needed} "
        f"documents and cannot reach {level} by an exact test: that "
        f"{'it is' if one else 'they are'} not significant says nothing."
    )
    yield sentence
    counted_all_the_same = [label for label in few if label["bias"]["significant"]]
    if counted_all_the_same:
        names = ", ".join(printable(label["name"]) for label in counted_all_the_same)
        yield f"No claim may rest on the significance of {names}: too few documents changed."


def _power(model: Mapping[str, Any], analysis: Mapping[str, Any]) -> Iterator[str]:
    errors = [
        value["se"]
        for label in model["labels"]
        if not label["placebo"]
        for value in label["bias"]["values"]
        if value["se"] and value["reference"]
    ]
    alpha = analysis["settings"]["alpha"]
    change = detectable_change_percent(errors, alpha)
    if change is not None and analysis["settings"].get("outcome_id", "log_months") == "log_months":
        yield (
            f"For a value with the median standard error, a change of about "
            f"{show(change, 'percent')} % of months + 1 would be found in four runs of five at "
            f"{per_cent(alpha)}; smaller effects will mostly be missed."
        )


def _about_counting(analysis: Mapping[str, Any]) -> Iterator[str]:
    if all(model["n_labels"] <= 1 for model in analysis["models"]):
        return
    if analysis["settings"]["as_published"]:
        yield (
            "The p values of single labels are not adjusted for the number of labels, and the "
            "binomial test takes the labels for independent although they share documents: read "
            "a p value close to alpha as no finding."
        )
    else:
        yield (
            "The p value of a label is not adjusted for the number of labels; its adjusted p and "
            "its verdict are. The binomial test takes the labels for independent although they "
            "share documents; the calibrated p does not."
        )


def _not_asked(context: ReportContext) -> Iterator[str]:
    kinds = skipped_kind_table(context)
    if kinds.rows:
        parts = ", ".join(
            f"{printable(str(kind))} {pairs:,}"
            for kind, pairs in zip(kinds.column("kind"), kinds.column("pairs"), strict=True)
        )
        yield (
            f"{counted(len(context.skipped), 'pair')} of a case and a label "
            f"{'was' if len(context.skipped) == 1 else 'were'} not asked ({parts}); the table "
            "Not asked says why."
        )


def _equals(p: float | None) -> str:
    text = show(p, "p")
    return text if text.startswith("<") else f"= {text}"

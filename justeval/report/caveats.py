"""What stands beside a model's estimates and may speak against them, sentence by sentence.

In: one model of the analysis. Out: sentences on the noise floor, repetitions, replies that are
missing or left the sample, verdicts that one document carries, numeric labels, crossed labels,
cases by charge and severity. Page, files and terminal say the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from justeval.report.formatting import counted, per_cent, printable, show
from justeval.report.noise import noise_floor, repetitions
from justeval.report.tables.labels import plain_unit

WORRYING_SHARE = 0.05
"""Share of unreadable replies above which the rest may be a selection."""

MOST_NAMED = 5
"""Labels named in a sentence; the table has all."""

Facts = Mapping[str, Any]


def caveats(model: Facts, analysis: Facts) -> Iterator[str]:
    """All that stands beside the estimates of a model."""
    floor, *others = beside(model, analysis)
    yield floor
    yield from _missing(model)
    yield from others


def beside(model: Facts, analysis: Facts) -> Iterator[str]:
    """The same without missing replies, which a terminal has in its tables."""
    alpha = analysis["settings"]["alpha"]
    yield noise_floor(model, alpha)
    if analysis["settings"]["as_published"]:
        return
    labels = [label for label in model["labels"] if not label["placebo"] and label["beyond"]]
    yield from repetitions(labels, alpha)
    yield from _leaving(labels, alpha, plain_unit(analysis))
    yield from _jackknife(labels, alpha)
    yield from _shapes(labels, alpha)
    yield from _crossed(model, alpha)
    for name, groups in (("by_charge", "charges"), ("by_severity", "light and grave cases")):
        of_model = [one for one in analysis.get(name) or () if one["model"] == model["model"]]
        yield from _groups(of_model, groups, alpha, model)
    yield from _curve(model, analysis)


def _missing(model: Facts) -> Iterator[str]:
    unreadable = model["replies"] - model["readable"]
    if unreadable:
        share = unreadable / model["replies"]
        kinds = ", ".join(
            f"{printable(status)} {count:,}"
            for status, count in model["statuses"].items()
            if status not in ("ok", "repaired")
        )
        warning = " So many that the others may be a selection." if share > WORRYING_SHARE else ""
        yield (
            f"{unreadable:,} of {counted(model['replies'], 'reply', 'replies')} "
            f"({per_cent(share, 1)}) state no answer that can be read ({kinds}); they are "
            f"missing, not zero.{warning}"
        )
    left_out = sum(model["left_out"].values())
    if left_out:
        reasons = ", ".join(f"{printable(r)} {n:,}" for r, n in model["left_out"].items())
        tested = any(label.get("beyond") for label in model["labels"])
        where = "stands under Leaving the sample by value" if tested else "is not tested here"
        yield (
            f"{counted(left_out, 'row')} beside {model['main_sample_rows']:,} of the main sample "
            f"did not enter the estimates ({reasons}); whether a label moves an answer into or "
            f"out of the sample {where}."
        )


def _leaving(labels: Sequence[Facts], alpha: float, unit: str) -> Iterator[str]:
    found = [
        label
        for label in labels
        if (gone := label["beyond"]["attrition"]) and gone["p"] is not None and gone["p"] < alpha
    ]
    if not found:
        return
    sentence = (
        f"Whether an answer is in the sample depends on the value of {_names(found)} (p below "
        f"{per_cent(alpha)}, not adjusted): such an estimate compares a selection."
    )
    bounds = [_bounds(label, one) for label in found for one in label["beyond"].get("bounds") or ()]
    if bounds:
        sentence += f" Bounds say what the answers that left could hide, in {unit}: "
        sentence += "; ".join(bounds) + "."
    yield sentence


def _bounds(label: Facts, one: Facts) -> str:
    ends = f"{show(one['worst_low'], 'coef')} to {show(one['worst_high'], 'coef')} at worst"
    if one["lee_low"] is not None:
        ends += f", {show(one['lee_low'], 'coef')} to {show(one['lee_high'], 'coef')} by Lee"
    return f"{printable(label['name'])}, {printable(one['value'])}: {ends}"


def _jackknife(labels: Sequence[Facts], alpha: float) -> Iterator[str]:
    found = [label for label in labels if label["bias"]["significant"] and _lost(label, alpha)]
    if found:
        yield (
            f"Leaving out one document at a time (jackknife) does not confirm {_names(found)}: no "
            f"value has p below {per_cent(alpha)} by its error."
        )


def _lost(label: Facts, alpha: float) -> bool:
    values = label["bias"]["values"]
    plain = [one["p"] for one in values if one["p"] is not None]
    jackknife = [p for one in values if (p := one.get("p_jackknife")) is not None]
    return bool(jackknife) and min(plain) < alpha <= min(jackknife)


def _shapes(labels: Sequence[Facts], alpha: float) -> Iterator[str]:
    found = [
        label
        for label in labels
        if (shape := label["bias"].get("shape"))
        and shape["p"] is not None
        and shape["p"] < alpha
        and not label["bias"]["significant"]
    ]
    if found:
        yield (
            f"The values asked of {_names(found)} differ, although the effect does not rise or "
            "fall with log(value): see Numeric labels, value by value."
        )


def _crossed(model: Facts, alpha: float) -> Iterator[str]:
    tested = [one for one in model.get("crossed") or () if one["p"] is not None]
    if not tested:
        return
    found = [one for one in tested if one["significant"]]
    names = ", ".join(printable(" × ".join(one["names"])) for one in found)
    yield (
        f"Labels crossed: the effects do not simply add up in {len(found)} of "
        f"{counted(len(tested), 'pair')} of labels (adjusted p below {per_cent(alpha)})"
        f"{': ' + names if names else ''}."
    )


def _groups(found: Sequence[Facts], groups: str, alpha: float, model: Facts) -> Iterator[str]:
    named = {label["label"]: label for label in model["labels"] if not label["placebo"]}
    of_labels = [one for one in found if one["label"] in named]
    tested = [one for one in of_labels if one["p_equal"] is not None]
    if not tested:
        why = dict.fromkeys(one["note"] for one in of_labels if one["note"])
        if of_labels:
            yield f"Effects could not be told apart between {groups} ({'; '.join(why)})."
        return
    unequal = [one for one in tested if one["q_equal"] is not None and one["q_equal"] < alpha]
    opposite = [
        one for one in unequal if any(p is not None and p < alpha for p in one["crossing_p"])
    ]
    sentence = (
        f"The effects differ between {groups} for {_of(unequal, len(tested))} (false discovery "
        f"rate {per_cent(alpha)}){_listed(unequal, named, ': ')}"
    )
    yield sentence + _listed(opposite, named, "; effects in opposite directions cancel in ") + "."


def _listed(found: Sequence[Facts], named: Mapping[str, Facts], before: str) -> str:
    return before + _names([named[one["label"]] for one in found]) if found else ""


def _curve(model: Facts, analysis: Facts) -> Iterator[str]:
    curve = analysis.get("robustness") or {"models": ()}
    for one in curve["models"]:
        if one["model"] == model["model"] and one["joint_p"] is not None:
            yield (
                "The joint test that no label has an effect in any specification: p "
                f"{_equals(one['joint_p'])}, from the same sign draws over all of them."
            )


def _of(found: Sequence[Facts], of: int, noun: str = "label") -> str:
    return f"{len(found)} of {counted(of, noun)}"


def _names(labels: Sequence[Facts]) -> str:
    names = [printable(str(label["name"])) for label in labels]
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {counted(more, 'other')}" if more > 0 else "")


def _equals(p: float | None) -> str:
    text = show(p, "p")
    return text if text.startswith("<") else f"= {text}"

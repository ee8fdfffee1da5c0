"""From the regressions of labels to their estimates, all labels of a model at once.

In: the regressions asked of labels. Out: a Fit with the joint test and every value, or with a
note that says why there is no estimate; and what the label's family needs of it (see `families`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from justeval.aggregate.estimates import PUBLISHED_LEVEL, AnalysisOptions, Fit, ValueEstimate
from justeval.estimate import (
    Design,
    Layout,
    NoDesign,
    Regression,
    estimate_panels,
    label_design,
    panels_by_stack,
)
from justeval.estimate.grids import Grid, label_layout
from justeval.estimate.records import Codes, Floats
from justeval.estimate.sample import SEVERAL_REFERENCES
from justeval.inference import FamilyMember, leave_one_out
from justeval.inference.scores import NullScores, scores_of_panels

NO_VARIATION = "no variation"
MANY_CLUSTERS = 100
"""Clusters a coefficient from which the F(K, G-1) form of the joint test is exact enough."""

CONTRAST = (25.0, 45.0)
"""The two values of a numeric label whose ratio of mean sentences is judged by the margin."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How the values of one model and label are to be read.

    names : the V values of the table. reference : code of the reference value or a negative
    number. order : codes in the order of the label's pack. numbers : (V,) for a numeric label.
    """

    names: Sequence[str]
    reference: int
    order: Sequence[int]
    numbers: Floats | None


@dataclass(frozen=True, slots=True)
class LabelCells(Reading):
    """The cells of one model and label, (C,) each, and how its values are to be read."""

    document: Codes
    value: Codes


@dataclass(frozen=True, slots=True)
class Estimated:
    """A Fit, and the member of a family that it makes; None where there is nothing to test."""

    fit: Fit
    member: FamilyMember | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One outcome of one label. months : the same cells in months where the outcome is a sentence,
    for the ratio of mean sentences (`on_the_contrast`). documents : names by code."""

    design: Layout | NoDesign
    months: Layout | None = None
    documents: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """What the engine says of a design: its regression, (K,) documents changed, and its scores."""

    regression: Regression
    changed: Codes
    scores: NullScores | None


def fit_labels(asked: Sequence[Asked], options: AnalysisOptions) -> list[Estimated]:
    """Estimate outcomes of labels, all at once: see `estimate.panel`.

    As published the fits are judged here; else their family judges them.
    """
    by_place = {
        place: one.design for place, one in enumerate(asked) if isinstance(one.design, Layout)
    }
    found: dict[int, _Found] = {}
    for places, panels in panels_by_stack(by_place):
        chosen = [by_place[place] for place in places]
        of_stack = zip(
            estimate_panels(chosen, panels, options.engine),
            panels.changed,
            scores_of_panels(panels),
            strict=True,
        )
        found.update((place, _Found(*one)) for place, one in zip(places, of_stack, strict=True))
    return [
        Estimated(Fit(note=one.design.note))
        if isinstance(one.design, NoDesign)
        else _fit(one, one.design, found[place], options)
        for place, one in enumerate(asked)
    ]


def _fit(asked: Asked, design: Layout, found: _Found, options: AnalysisOptions) -> Estimated:
    regression = found.regression
    note = why_no_test(regression)
    values = _values(regression, found.changed)
    if note is not None and note != NO_VARIATION:
        return Estimated(Fit(note=note, values=values, rank=regression.rank))
    fit = Fit(
        p=regression.p,
        p_small=regression.p_small,
        f=finite(regression.f),
        rank=regression.rank,
        note=note,
        values=values,
    )
    if options.as_published:
        return Estimated(_as_published(fit, regression))
    scores = None if regression.p is None else found.scores
    if not options.brief:
        fit = replace(fit, values=_left_out(values, scores, regression, asked.documents))
    return Estimated(fit, FamilyMember(None, design, asked.months, regression, scores))


def _left_out(
    values: Sequence[ValueEstimate],
    scores: NullScores | None,
    regression: Regression,
    documents: Sequence[str],
) -> tuple[ValueEstimate, ...]:
    """The values with CRV3, and with their effect without the document that carries it most."""
    if scores is None:
        return tuple(values)
    found = leave_one_out(scores, regression)
    return tuple(
        replace(
            value,
            se_jackknife=finite(found.se[i]),
            p_jackknife=finite(found.p_values[i]),
            coef_without=finite(found.without[i]),
            document_without=_name(documents, int(found.cluster[i])),
        )
        for i, value in enumerate(values)
    )


def _name(documents: Sequence[str], code: int) -> str | None:
    return documents[code] if 0 <= code < len(documents) else None


def design_of(cells: LabelCells, outcome: Floats) -> Design | NoDesign:
    """The regression of one outcome, (C,) with NaN where unknown."""
    return label_design(
        outcome=outcome,
        document=cells.document,
        value=cells.value,
        names=cells.names,
        reference=cells.reference,
        order=cells.order,
        numbers=cells.numbers,
    )


def layout_for(reading: Reading, grid: Grid, outcome: Floats) -> Layout | NoDesign:
    """The regression of one outcome (V, D) of a grid."""
    if reading.numbers is None and reading.reference == SEVERAL_REFERENCES:
        return NoDesign("several values are marked as reference")
    return label_layout(
        outcome,
        grid,
        names=reading.names,
        reference=reading.reference,
        order=reading.order,
        numbers=reading.numbers,
    )


def on_the_contrast(layout: Layout | NoDesign, numeric: bool) -> Layout | None:
    """The regression in months; of a numeric label scaled so that one unit is 45 against 25."""
    if isinstance(layout, NoDesign):
        return None
    if not numeric:
        return layout
    return replace(layout, levels=layout.levels / math.log(CONTRAST[1] / CONTRAST[0]))


def _as_published(fit: Fit, regression: Regression) -> Fit:
    """A label counts if any of its values has p below 0.10."""
    known = [float(p) for p in regression.p_values if math.isfinite(p)]
    smallest = min(known) if known else None
    found = smallest is not None and smallest < PUBLISHED_LEVEL
    return replace(fit, p_verdict=smallest, significant=found)


def finite(number: float | None) -> float | None:
    """The number, None where it is NaN or infinite."""
    return None if number is None or not math.isfinite(number) else float(number)


def why_no_test(regression: Regression) -> str | None:
    """Why a regression has no test, None where it has one."""
    if regression.documents == 0:
        return "no document with two usable replies"
    if not np.isfinite(regression.coef).any():
        return "no value varies within documents"
    if regression.clusters < 2:
        return "one document only: no error can be estimated"
    if regression.p is None:
        return NO_VARIATION
    return None


def _values(regression: Regression, changed: Codes) -> tuple[ValueEstimate, ...]:
    still = regression.se == 0
    return tuple(
        ValueEstimate(
            value=name,
            reference=regression.reference or None,
            coef=finite(regression.coef[i]),
            se=None if still[i] else finite(regression.se[i]),
            t=finite(regression.t[i]),
            p=finite(regression.p_values[i]),
            ci_low=finite(regression.ci_low[i]),
            ci_high=finite(regression.ci_high[i]),
            n=regression.n,
            documents=regression.documents,
            clusters=regression.clusters,
            singletons_dropped=regression.singletons_dropped,
            documents_changed=int(changed[i]),
        )
        for i, name in enumerate(regression.names)
    )

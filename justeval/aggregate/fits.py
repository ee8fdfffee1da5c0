"""From the cells of labels to their estimates, all labels of a model at once.

In: the cells of one model and label. Out: a Fit with the joint test and every value, or with a
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
    NoDesign,
    Regression,
    estimate_panels,
    label_design,
    panels_by_stack,
)
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
class LabelCells:
    """The cells of one model and label, (C,) each, and how its values are to be read.

    names : the V values of the table. reference : code of the reference value or a negative
    number. order : codes in the order of the label's pack. numbers : (V,) for a numeric label.
    documents : names by code.
    """

    document: Codes
    value: Codes
    names: Sequence[str]
    reference: int
    order: Sequence[int]
    numbers: Floats | None
    documents: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Estimated:
    """A Fit, and the member of a family that it makes; None where there is nothing to test."""

    fit: Fit
    member: FamilyMember | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One outcome of one label, (C,) with NaN where unknown. months : (C,) where the outcome is a
    sentence, for the ratio of mean sentences."""

    cells: LabelCells
    outcome: Floats
    months: Floats | None = None


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
    designs = [_asked_design(one) for one in asked]
    by_place = {place: one for place, one in enumerate(designs) if isinstance(one, Design)}
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
        _fit(one, design, found.get(place), options)
        for place, (one, design) in enumerate(zip(asked, designs, strict=True))
    ]


def _asked_design(one: Asked) -> Design | NoDesign:
    cells = one.cells
    if cells.numbers is None and cells.reference == SEVERAL_REFERENCES:
        return NoDesign("several values are marked as reference")
    return design_of(cells, one.outcome)


def _fit(
    asked: Asked, design: Design | NoDesign, found: _Found | None, options: AnalysisOptions
) -> Estimated:
    if isinstance(design, NoDesign):
        return Estimated(Fit(note=design.note))
    if found is None:
        return Estimated(Fit(note="a document holds a value twice"))
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
    cells, months = asked.cells, asked.months
    if options.brief:
        return Estimated(fit, FamilyMember(None, design, None, regression, scores))
    fit = replace(fit, values=_left_out(values, scores, regression, cells.documents))
    by_months = None if months is None else _on_the_contrast(design_of(cells, months), cells)
    return Estimated(fit, FamilyMember(None, design, by_months, regression, scores))


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


def _on_the_contrast(design: Design | NoDesign, cells: LabelCells) -> Design | None:
    """The design in months; of a numeric label scaled so that one unit is 45 against 25."""
    if isinstance(design, NoDesign):
        return None
    if cells.numbers is None or design.levels is None:
        return design
    unit = math.log(CONTRAST[1] / CONTRAST[0])
    return replace(design, x=design.x / unit, levels=design.levels / unit)


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

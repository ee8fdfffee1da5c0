"""A numeric label asked at several values: whether one slope tells it.

In: the cells of a numeric label and its outcome. Out: a Shape: each value against the lowest one,
the joint test of all of them, and the test that they lie on a line in log(value). An age whose
effect rises and falls again has no slope, and yet the values asked differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from justeval.aggregate.estimates import AnalysisOptions, Fit, Shape
from justeval.aggregate.fits import LabelCells, design_of, finite, why_no_test
from justeval.estimate import Design, estimate
from justeval.estimate.records import Floats
from justeval.inference import FamilyMember, infer_family
from justeval.inference.interactions import joint_test, p_by_size

NOT_ON_A_LINE = "values differ, not along log(value)"

FEWEST_VALUES = 3
MOST_DRAWS = 999
"""Sign draws where few documents changed: the test stands beside the verdict."""


def shape_of(
    cells: LabelCells, outcome: Floats, options: AnalysisOptions, rng: np.random.Generator
) -> Shape | None:
    """The values of a numeric label as categories; None where fewer than three were asked."""
    if cells.numbers is None:
        return None
    known = ~np.isnan(outcome)
    asked = [int(code) for code in np.unique(cells.value[known])]
    asked.sort(key=lambda code: float(cells.numbers[code]))  # type: ignore[index]
    if len(asked) < FEWEST_VALUES:
        return None
    design = design_of(replace(cells, reference=asked[0], order=asked, numbers=None), outcome)
    if not isinstance(design, Design):
        return None
    found = estimate(design)
    if why_no_test(found) is not None:
        return None
    judged = infer_family(
        [FamilyMember(None, design, regression=found)],
        rng=rng,
        draws=min(options.draws, MOST_DRAWS),
        alpha=options.alpha,
    ).labels[0]
    return Shape(
        reference=design.reference,
        values=design.names,
        coef=tuple(finite(b) for b in found.coef),
        se=tuple(finite(e) or None for e in found.se),
        p=judged.p,
        decided_by=judged.decided_by,
        p_line=_p_line(design, [float(cells.numbers[code]) for code in asked]),
    )


def _p_line(design: Design, numbers: Sequence[float]) -> float | None:
    """p that the effects lie on a line: log(value) in place of the last value's dummy, and the test
    that the other dummies add nothing."""
    logs = np.log(numbers)
    line = (design.x * (logs[1:] - logs[0])).sum(axis=1)
    bent = replace(
        design, x=np.column_stack([line, design.x[:, :-1]]), names=("line", *design.names[:-1]),
        value=None, levels=None,
    )  # fmt: skip
    found = estimate(bent)
    return p_by_size(joint_test(found, np.eye(len(bent.names))[1:]), found.clusters)


def bent(fit: Fit, alpha: float) -> Fit:
    """The fit of a numeric label judged by its shape too: where the values asked differ but the
    slope does not show it, the label is not called equivalent, and the note says so."""
    shape = fit.shape
    if shape is None or shape.p is None or shape.p >= alpha or fit.significant or fit.note:
        return fit
    verdict = "undetermined" if fit.verdict == "equivalent" else fit.verdict
    return replace(fit, verdict=verdict, note=NOT_ON_A_LINE)

"""Effects by charge: whether they are equal, and whether opposite ones cancel in the average.

In: predictions, labels, options. Out: for each label its effects in each charge, the test that they
are equal, and Gail and Simon's test that they point in opposite directions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from justeval.aggregate.fits import design_of, finite, why_no_test
from justeval.aggregate.labels import label_cells
from justeval.aggregate.records import AnalysisOptions
from justeval.estimate import Design, Sample, build_sample, estimate
from justeval.estimate.encoding import code_column
from justeval.inference import by_group
from justeval.labels import Label

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class GroupEffect:
    """The effects of a label's values in the documents of one charge, (K,) each."""

    group: str
    documents: int
    coef: tuple[float | None, ...]
    se: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ByCharge:
    """One label by charge; charges of fewer than 10 documents are put together as "other".

    values : (K,) names. p_equal : no charge differs. p_any : some charge has an effect. crossing_p
    : (K,) small where effects in opposite directions cancel. note : why there is no test.
    """

    model: str
    label: str
    values: tuple[str, ...]
    overall_p: float | None
    p_equal: float | None
    p_any: float | None
    crossing_p: tuple[float | None, ...]
    groups: tuple[GroupEffect, ...]
    note: str | None


def effects_by_charge(
    predictions: pa.Table, labels: Mapping[str, Label], options: AnalysisOptions
) -> tuple[ByCharge, ...]:
    """Every label of every model by the charge of its cases, on log(months + 1)."""
    ranges = {name: label.range for name, label in labels.items() if label.numeric}
    sample = build_sample(predictions, options.longest_months, ranges)
    charges = _charges(predictions, sample)
    return tuple(
        _by_charge(sample, labels, (model, label), charges)
        for model in range(len(sample.models))
        for label in range(len(sample.labels))
    )


def _charges(predictions: pa.Table, sample: Sample) -> list[str]:
    """The charge of each document."""
    charge, document = code_column(predictions, "case_charge"), code_column(predictions, "case_id")
    found = [UNKNOWN] * len(sample.documents)
    first = np.unique(document.codes, return_index=True)[1] if document.codes.size else ()
    for row in first:
        code = int(charge.codes[row])
        if code >= 0:
            found[int(document.codes[row])] = charge.names[code]
    return found


def _by_charge(
    sample: Sample, labels: Mapping[str, Label], codes: tuple[int, int], charges: list[str]
) -> ByCharge:
    model, label = sample.models[codes[0]], sample.labels[codes[1]]
    where = sample.cells_of(sample.group(*codes))
    design = design_of(label_cells(sample, labels, *codes), sample.cells.log_months[where])
    if not isinstance(design, Design):
        return ByCharge(model, label, (), None, None, None, (), (), design.note)
    note = why_no_test(estimate(design))
    group = [charges[code] for code in design.document]
    if note is None and set(group) == {UNKNOWN}:
        note = "charges are not known"
    if note is not None:
        return ByCharge(model, label, design.names, None, None, None, (), (), note)
    found = by_group(design, group)
    groups = tuple(
        GroupEffect(
            name,
            found.documents[place],
            tuple(finite(b) for b in found.coef[place]),
            tuple(finite(e) for e in found.se[place]),
        )
        for place, name in enumerate(found.groups)
    )
    return ByCharge(
        model,
        label,
        design.names,
        found.overall_p,
        found.p_equal,
        found.p_any,
        tuple(finite(p) for p in found.crossing_p),
        groups,
        None if len(groups) > 1 else "one charge with 10 documents or more",
    )

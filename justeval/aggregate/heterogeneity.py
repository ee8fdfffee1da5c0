"""Effects by charge and by severity: whether they are equal, and whether opposite ones cancel.

In: predictions, labels, options. Out: for each label its effects in each group of documents, the
test that they are equal, and Gail and Simon's test that they point in opposite directions; by
severity also how the effects change with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache

import numpy as np
import pyarrow as pa

from justeval.aggregate.estimates import AnalysisOptions
from justeval.aggregate.fits import design_of, finite, why_no_test
from justeval.aggregate.labels import label_cells
from justeval.aggregate.outcomes import Outcome, as_read, bound_of, outcome_named
from justeval.aggregate.severity import (
    FEWEST,
    Answered,
    Severity,
    answered,
    severity_of,
    true_levels,
)
from justeval.estimate import Design, Sample, build_sample, estimate
from justeval.estimate.encoding import code_column
from justeval.estimate.records import Floats
from justeval.inference import benjamini_hochberg, by_group, by_number
from justeval.labels import Label, is_crossed

UNKNOWN = "unknown"
NOT_KNOWN = "no true sentences, and no other label with sentences: severity not known"


@dataclass(frozen=True, slots=True)
class GroupEffect:
    """The effects of a label's values in the documents of one group, (K,) each."""

    group: str
    documents: int
    coef: tuple[float | None, ...]
    se: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ByGroup:
    """One label by groups of documents; charges of fewer than 10 documents are one group, "other".

    values : (K,) names. p_equal : the groups have the same effects; q_equal : its false discovery
    rate over the labels of the model. p_any : some group has an effect. crossing_p : (K,) small
    where effects in opposite directions cancel. note : why there is no test.
    """

    model: str
    label: str
    values: tuple[str, ...]
    overall_p: float | None
    p_equal: float | None
    q_equal: float | None
    p_any: float | None
    crossing_p: tuple[float | None, ...]
    groups: tuple[GroupEffect, ...]
    note: str | None


@dataclass(frozen=True, slots=True)
class BySeverity(ByGroup):
    """One label by thirds (or halves) of the documents from light to grave.

    severity : what it is measured by. slope, slope_se, slope_p : (K,) the change of the effect for
    one unit of log(months + 1) of severity. p_slope : the joint test that no effect changes with
    it, which needs no groups.
    """

    severity: str | None = None
    slope: tuple[float | None, ...] = ()
    slope_se: tuple[float | None, ...] = ()
    slope_p: tuple[float | None, ...] = ()
    p_slope: float | None = None


_NOTHING = ByGroup("", "", (), None, None, None, None, (), (), None)

Apart = Callable[[Design, ByGroup, tuple[int, int]], ByGroup]
"""Splits the design of one model and label."""


def effects_by_charge(
    predictions: pa.Table, labels: Mapping[str, Label], options: AnalysisOptions
) -> tuple[ByGroup, ...]:
    """Every label of every model by the charge of its cases."""
    sample = _sample(predictions, labels, options)
    charges = _charges(predictions, sample)

    def apart(design: Design, empty: ByGroup, _: tuple[int, int]) -> ByGroup:
        group = [charges[code] for code in design.document]
        if set(group) == {UNKNOWN}:
            return replace(empty, note="charges are not known")
        return _grouped(design, group, empty, "no two charges with 10 documents or more")

    return _of_all(sample, labels, options, apart)


def effects_by_severity(
    predictions: pa.Table, labels: Mapping[str, Label], options: AnalysisOptions
) -> tuple[BySeverity, ...]:
    """Every label of every model by the severity of its cases."""
    sample, outcome = _sample(predictions, labels, options), outcome_named(options.outcome)
    true = true_levels(predictions, sample)

    @cache
    def answers(model: int) -> Answered:
        return answered(sample, model)

    def apart(design: Design, empty: ByGroup, codes: tuple[int, int]) -> ByGroup:
        measured = severity_of(sample, true, codes, answers if outcome.sentence else None)
        if measured is None:
            return replace(empty, note=NOT_KNOWN)
        return _by_severity(design, measured, empty)

    found = _of_all(sample, labels, options, apart)
    return tuple(one if isinstance(one, BySeverity) else _as_severity(one) for one in found)


def _sample(predictions: pa.Table, labels: Mapping[str, Label], options: AnalysisOptions) -> Sample:
    ranges = {name: label.range for name, label in labels.items() if label.numeric}
    outcome = outcome_named(options.outcome)
    bound = bound_of(outcome, options.longest_months)
    return build_sample(as_read(predictions, outcome), bound, ranges)


def _of_all(
    sample: Sample, labels: Mapping[str, Label], options: AnalysisOptions, apart: Apart
) -> tuple[ByGroup, ...]:
    """All labels of all models, those crossed left out, with q over the labels of each model."""
    found: list[ByGroup] = []
    outcome = outcome_named(options.outcome)
    for model in range(len(sample.models)):
        of_model = [
            _of_label(sample, labels, (model, label), outcome, apart)
            for label, name in enumerate(sample.labels)
            if not is_crossed(name)
        ]
        ps = [np.nan if one.p_equal is None else one.p_equal for one in of_model]
        q = benjamini_hochberg(np.array(ps, dtype=np.float64))
        found += [replace(one, q_equal=finite(q[i])) for i, one in enumerate(of_model)]
    return tuple(found)


def _of_label(
    sample: Sample,
    labels: Mapping[str, Label],
    codes: tuple[int, int],
    outcome: Outcome,
    apart: Apart,
) -> ByGroup:
    empty = replace(_NOTHING, model=sample.models[codes[0]], label=sample.labels[codes[1]])
    cells = sample.cells_of(sample.group(*codes))
    design = design_of(label_cells(sample, labels, codes, cells), outcome.of(cells))
    if not isinstance(design, Design):
        return replace(empty, note=design.note)
    empty = replace(empty, values=design.names, note=why_no_test(estimate(design)))
    return empty if empty.note is not None else apart(design, empty, codes)


def _grouped(design: Design, group: Sequence[str], empty: ByGroup, alone: str) -> ByGroup:
    found = by_group(design, group)
    groups = tuple(
        GroupEffect(name, found.documents[i], _numbers(found.coef[i]), _numbers(found.se[i]))
        for i, name in enumerate(found.groups)
    )
    return replace(
        empty,
        overall_p=found.overall_p,
        p_equal=found.p_equal,
        p_any=found.p_any,
        crossing_p=_numbers(found.crossing_p),
        groups=groups,
        note=None if len(groups) > 1 else alone,
    )


def _by_severity(design: Design, measured: Severity, empty: ByGroup) -> ByGroup:
    known = ~np.isnan(measured.level[design.document])
    kept = replace(
        design,
        y=design.y[known],
        x=design.x[known],
        document=design.document[known],
        value=None,
        levels=None,
    )
    parts = measured.parts(kept.document)
    if not parts:
        return replace(empty, note=f"fewer than {FEWEST} documents of known severity")
    note = why_no_test(estimate(kept))
    if note is not None:
        return replace(empty, note=note)
    group = [parts[int(code)] for code in kept.document]
    grouped = _grouped(kept, group, empty, "all documents are of one severity")
    order = list(dict.fromkeys(parts.values()))
    slope = by_number(kept, measured.level[kept.document])
    return replace(
        _as_severity(grouped),
        groups=tuple(sorted(grouped.groups, key=lambda one: order.index(one.group))),
        severity=measured.name,
        slope=_numbers(slope.coef),
        slope_se=_numbers(slope.se),
        slope_p=_numbers(slope.p_values),
        p_slope=slope.p_decides,
    )


def _as_severity(one: ByGroup) -> BySeverity:
    return BySeverity(*(getattr(one, field.name) for field in fields(ByGroup)))


def _numbers(numbers: Floats) -> tuple[float | None, ...]:
    return tuple(finite(number) for number in numbers)


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

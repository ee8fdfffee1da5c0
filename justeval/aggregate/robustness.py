"""The published robustness family as one call: one effect, in every specification.

In: predictions, labels, options. Out: a Curve: for each label its values in every specification,
and a joint test over them from one set of sign draws (Simonsohn, Simmons & Nelson 2020).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from justeval.aggregate.curve_draws import drawn_log_p, ranked_log_p
from justeval.aggregate.estimates import AnalysisOptions
from justeval.aggregate.fits import LabelCells, design_of, finite, why_no_test
from justeval.aggregate.labels import label_cells
from justeval.aggregate.outcomes import Outcome, as_read, bound_of, outcome_named
from justeval.aggregate.specifications import (
    FILED_FROM,
    SPECIFICATIONS,
    Curve,
    LabelCurve,
    ModelCurve,
    Specification,
    Specified,
    SpecifiedValue,
)
from justeval.estimate import Design, Regression, Sample, build_sample, estimate
from justeval.estimate.encoding import code_column, float_column
from justeval.estimate.records import Codes, Floats
from justeval.inference import Signs, draw_signs, leave_one_out
from justeval.inference.romano_wolf import SAME_LOG_P
from justeval.inference.scores import null_scores
from justeval.labels import Label, is_crossed
from justeval.schema import LONGEST_MONTHS_READ

NOT_KNOWN = "not known of any case"


@dataclass(frozen=True, slots=True)
class _Read:
    """A specification with its sample; `cluster` : (documents,) codes of charges, -1 unknown."""

    specification: Specification
    outcome: Outcome
    sample: Sample
    cluster: Codes | None


def specification_curve(
    predictions: pa.Table, labels: Mapping[str, Label], options: AnalysisOptions
) -> Curve:
    """Estimate every label of every model in all specifications.

    The joint test takes one Rademacher sign a document, shared by all specifications, labels and
    models: it asks how often chance alone makes p as small on average over the whole curve.
    """
    reads = [_read(predictions, labels, options, one) for one in SPECIFICATIONS]
    main = reads[0].sample
    names = {name: code for code, name in enumerate(main.documents)}
    signs = None
    if names:
        rng = np.random.default_rng(options.rng_seed)
        signs = draw_signs(np.arange(len(names)), options.draws, rng)
    models = []
    for model in main.models:
        drawn = [
            _label_curve(reads, model, label, labels, names, signs, options)
            for label in main.labels
            if not is_crossed(label)
        ]
        counted = [
            means
            for curve, means in drawn
            if means is not None and not _is_placebo(labels, curve.label)
        ]
        joint = _share(np.mean(counted, axis=0)) if counted else None
        models.append(ModelCurve(model, joint, tuple(curve for curve, _ in drawn)))
    return Curve(SPECIFICATIONS, tuple(models))


def _read(
    predictions: pa.Table,
    labels: Mapping[str, Label],
    options: AnalysisOptions,
    one: Specification,
) -> _Read:
    ranges = {name: label.range for name, label in labels.items() if label.numeric}
    outcome, table = outcome_named(one.outcome), predictions
    bound = bound_of(outcome, options.longest_months)
    if one.id == "filed":
        table = _filed_late(predictions)
    if one.id == "unbounded":
        bound = LONGEST_MONTHS_READ
    sample = build_sample(as_read(table, outcome), bound, ranges)
    cluster = _charges(table, sample) if one.id == "charge" else None
    return _Read(one, outcome, sample, cluster)


def _filed_late(predictions: pa.Table) -> pa.Table:
    if "filed_year" not in predictions.column_names:
        return predictions.slice(0, 0)
    late = float_column(predictions, "filed_year") >= FILED_FROM  # unknown is not late
    return predictions.filter(pa.array(late))


def _charges(predictions: pa.Table, sample: Sample) -> Codes:
    """(documents,) the charge of each document, -1 where it is unknown."""
    charge = code_column(predictions, "case_charge").codes
    found = np.full(len(sample.documents), -1, dtype=np.int64)
    found[code_column(predictions, "case_id").codes] = charge
    return found


def _label_curve(
    reads: Sequence[_Read],
    model: str,
    label: str,
    labels: Mapping[str, Label],
    names: Mapping[str, int],
    signs: Signs | None,
    options: AnalysisOptions,
) -> tuple[LabelCurve, Floats | None]:
    """The curve of a label, and (D,) the mean of log p over specifications in every draw."""
    found, drawn = [], []
    for read in reads:
        specified, design, regression = _specified(read, model, label, labels, options)
        found.append(specified)
        if design is not None and signs is not None:
            coded = np.array([names[name] for name in read.sample.documents], dtype=np.int64)
            shared = replace(design, document=coded[design.document])
            variance = read.specification.variance
            plain = variance == "cluster" and read.cluster is None
            ps = (
                drawn_log_p(shared, regression, signs, options)
                if plain
                else ranked_log_p(shared, variance, signs)
            )
            drawn.extend([] if ps is None else [ps])
    means = np.asarray(np.mean(drawn, axis=0)) if drawn else None
    joint = None if means is None else _share(means)
    return LabelCurve(label, joint, tuple(found)), means


def _specified(
    read: _Read, model: str, label: str, labels: Mapping[str, Label], options: AnalysisOptions
) -> tuple[Specified, Design | None, Any]:
    one, sample = read.specification, read.sample
    if model not in sample.models or label not in sample.labels:
        return Specified(one.id, None, 0, 0, f"{one.title}: {NOT_KNOWN}"), None, None
    codes = sample.models.index(model), sample.labels.index(label)
    own = sample.cells_of(sample.group(*codes))
    cells = label_cells(sample, labels, codes, own)
    design = design_of(cells, read.outcome.of(own))
    if not isinstance(design, Design):
        return Specified(one.id, None, 0, 0, design.note), None, None
    if read.cluster is not None:
        if (read.cluster[design.document] < 0).any():
            return Specified(one.id, None, 0, 0, "charges are not known"), None, None
        design = replace(design, cluster=read.cluster[design.document])
    regression = estimate(design, options.engine, one.variance)
    note = why_no_test(regression)
    mean = _mean(cells, own.months)
    values = _values(regression, read.outcome, mean)
    if note is None and one.variance == "cluster":
        values = _with_jackknife(values, design, regression)
    specified = Specified(
        one.id, regression.p_small, regression.documents, regression.clusters, note, values
    )
    return specified, None if note else design, regression


def _mean(cells: LabelCells, months: Floats) -> float:
    at = months if cells.numbers is not None else months[cells.value == cells.reference]
    return float(at.mean()) if at.size else float("nan")


def _values(found: Regression, outcome: Outcome, mean: float) -> tuple[SpecifiedValue, ...]:
    made = []
    for i, name in enumerate(found.names):
        numbers = [finite(x[i]) for x in (found.coef, found.ci_low, found.ci_high)]
        made.append(
            SpecifiedValue(
                name,
                numbers[0],
                finite(found.se[i]) or None,
                finite(found.p_values[i]),
                *numbers[1:],
                *(outcome.change(number, mean)[0] for number in numbers),
            )
        )
    return tuple(made)


def _with_jackknife(
    values: Sequence[SpecifiedValue], design: Design, regression: Regression
) -> tuple[SpecifiedValue, ...]:
    scores = null_scores(design)
    if scores is None:
        return tuple(values)
    found = leave_one_out(scores, regression)
    return tuple(
        replace(value, se_jackknife=finite(found.se[i]), p_jackknife=finite(found.p_values[i]))
        for i, value in enumerate(values)
    )


def _share(means: Floats) -> float:
    """Share of draws, the data among them, with a mean of log p as small as the data's."""
    return float(np.mean(means <= means[0] + SAME_LOG_P))


def _is_placebo(labels: Mapping[str, Label], name: str) -> bool:
    known = labels.get(name)
    return known is not None and known.placebo

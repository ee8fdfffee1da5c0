"""One label of one model: its estimates, before its family judges them.

In: the Workbench. Out: a Draft: the label's result, and what its family needs of both outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from justeval.aggregate.answers import Stayed, beyond
from justeval.aggregate.bounds import range_of
from justeval.aggregate.changes import in_units
from justeval.aggregate.fits import Estimated, LabelCells, fit_label
from justeval.aggregate.inconsistency import label_share
from justeval.aggregate.outcomes import bound_of, outcome_named
from justeval.aggregate.records import LabelResult
from justeval.aggregate.replies import named_counts
from justeval.aggregate.shape import shape_of
from justeval.aggregate.workbench import Workbench
from justeval.estimate import Sample
from justeval.estimate.sample import NO_REFERENCE
from justeval.labels import Label


@dataclass(frozen=True, slots=True)
class Draft:
    """A label's result without verdicts, and both outcomes as its family judges them."""

    result: LabelResult
    bias: Estimated
    imbalanced_inaccuracy: Estimated


def draft_label(bench: Workbench, model: int, label: int) -> Draft:
    """One label of one model: both outcomes, inconsistency, and what was left out."""
    sample = bench.sample
    group, name = sample.group(model, label), sample.labels[label]
    known = bench.labels.get(name)
    where = sample.cells_of(group)
    cells = label_cells(sample, bench.labels, model, label)
    documents, changed = int(bench.compared[group]), int(bench.changed[group])
    share = label_share(changed, documents)
    outcome, months = outcome_named(bench.options.outcome), sample.cells.months[where]
    error = sample.cells.absolute_error[where]
    y = sample.cells.log_months[where] if outcome.scale == "log" else months
    bias = fit_label(cells, y, bench.options, months)
    if not bench.options.as_published:
        bias = in_units(bias, cells, months, outcome)
    if not bench.options.as_published and not bench.options.brief:
        rng = np.random.default_rng([bench.options.rng_seed, model, label, 1])
        bias = replace(bias, fit=replace(bias.fit, shape=shape_of(cells, y, bench.options, rng)))
    inaccuracy = fit_label(cells, error, bench.options)
    more = None
    if bench.answers is not None:
        rng = np.random.default_rng([bench.options.rng_seed, model, label])
        bound = bound_of(outcome, bench.options.longest_months)
        stayed = Stayed(y, range_of(outcome, bound))
        more = beyond(bench.answers, sample, group, cells.reference, stayed, rng)
    result = LabelResult(
        label=name,
        name=name if known is None else known.name.get("en", name),
        pack=None if known is None else known.pack,
        actor=None if known is None else known.actor,
        category=None if known is None else known.category,
        demographic=None if known is None else known.demographic,
        placebo=known is not None and known.placebo,
        documents=documents,
        documents_changed=changed,
        inconsistency=share.rate,
        inconsistency_ci_low=share.ci_low,
        inconsistency_ci_high=share.ci_high,
        statuses=named_counts(sample.status_names, sample.statuses[group]),
        left_out=named_counts(sample.reasons[1:], sample.left_out[group, 1:]),
        bias=bias.fit,
        imbalanced_inaccuracy=inaccuracy.fit,
        beyond=more,
    )
    return Draft(result, bias, inaccuracy)


def label_cells(sample: Sample, labels: Mapping[str, Label], model: int, label: int) -> LabelCells:
    """The cells of one model and label, and how its values are to be read."""
    group, known = sample.group(model, label), labels.get(sample.labels[label])
    where = sample.cells_of(group)
    return LabelCells(
        document=sample.cells.document[where],
        value=sample.cells.value[where],
        names=sample.values,
        reference=_reference(sample, known, label, group),
        order=_value_order(sample, known),
        numbers=sample.numbers if known is not None and known.numeric else None,
        documents=sample.documents,
    )


def _reference(sample: Sample, known: Label | None, label: int, group: int) -> int:
    """Code of the reference value: as the rows mark it, else as other models' rows or the label."""
    marked = int(sample.reference[group])
    if marked != NO_REFERENCE:
        return marked
    elsewhere = sample.reference[label :: len(sample.labels)]
    if (elsewhere >= 0).any():
        return int(elsewhere[elsewhere >= 0][0])
    if known is not None and known.reference in sample.values:
        return sample.values.index(known.reference)
    return NO_REFERENCE


def _value_order(sample: Sample, known: Label | None) -> list[int]:
    if known is None:
        return []
    return [sample.values.index(v.id) for v in known.values if v.id in sample.values]

"""The labels of one model: their estimates, before their family judges them.

In: the Workbench. Out: a Draft of each label: its result, both outcomes for
its family, and what adds up over labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from justeval.aggregate.accuracy import Errors, errors_of
from justeval.aggregate.answers import Stayed, beyond
from justeval.aggregate.bounds import range_of
from justeval.aggregate.changes import in_units, mean_at_reference
from justeval.aggregate.fits import (
    Asked,
    Estimated,
    LabelCells,
    Reading,
    fit_labels,
    layout_for,
    on_the_contrast,
)
from justeval.aggregate.inconsistency import label_share
from justeval.aggregate.outcomes import bound_of, outcome_named
from justeval.aggregate.records import Beyond, LabelResult
from justeval.aggregate.replies import named_counts
from justeval.aggregate.shape import shape_of
from justeval.aggregate.workbench import Workbench
from justeval.estimate import Cells, Comparisons, Sample
from justeval.estimate.grids import Grid
from justeval.estimate.sample import NO_REFERENCE
from justeval.labels import Label


@dataclass(frozen=True, slots=True)
class Draft:
    """A label's result without verdicts, both outcomes as its family judges them, and what adds up
    over labels."""

    result: LabelResult
    bias: Estimated
    imbalanced_inaccuracy: Estimated
    comparisons: Comparisons
    errors: Errors


@dataclass(frozen=True, slots=True)
class _Own:
    """One label of one model: its cells, and how its values are read."""

    group: int
    cells: Grid
    reading: Reading


def draft_labels(bench: Workbench, model: int) -> list[Draft]:
    """All labels of one model, in their order: both outcomes, inconsistency, what was left out."""
    own = [_own(bench, model, label) for label in bench.order]
    asked = [outcome for one in own for outcome in _outcomes(bench, one)]
    found = fit_labels(asked, bench.options)
    return [
        _draft(bench, (model, label), one, found[2 * place : 2 * place + 2])
        for place, (label, one) in enumerate(zip(bench.order, own, strict=True))
    ]


def _own(bench: Workbench, model: int, label: int) -> _Own:
    group = bench.sample.group(model, label)
    reading = reading_of(bench.sample, bench.labels, model, label)
    return _Own(group, bench.sample.grid_of(group), reading)


def _outcomes(bench: Workbench, of: _Own) -> tuple[Asked, Asked]:
    """The answer, and how far it is from the truth."""
    cells, reading, options = of.cells, of.reading, bench.options
    names = bench.sample.documents
    in_months = None
    if not options.brief and not options.as_published:
        in_months = on_the_contrast(
            layout_for(reading, cells, cells.months), reading.numbers is not None
        )
    y = outcome_named(options.outcome).of(cells)
    return (
        Asked(layout_for(reading, cells, y), in_months, names),
        Asked(layout_for(reading, cells, cells.absolute_error), None, names),
    )


def _draft(bench: Workbench, codes: tuple[int, int], of: _Own, found: Sequence[Estimated]) -> Draft:
    """One label: what was found of its answers and of their errors, and what stands beside."""
    sample, options = bench.sample, bench.options
    group, name = of.group, sample.labels[codes[1]]
    known = bench.labels.get(name)
    compared = sample.comparisons_of(group)
    documents, changed = compared.document.size, int(np.count_nonzero(compared.changed))
    share = label_share(changed, documents)
    bias, inaccuracy = found
    if not options.as_published:
        mean = mean_at_reference(of.cells, of.reading)
        bias = in_units(bias, mean, outcome_named(options.outcome))
    beside = None
    if not options.as_published and not options.brief:
        bias, beside = _with_the_rest(bench, codes, bias)
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
        beyond=beside,
    )
    return Draft(result, bias, inaccuracy, compared, errors_of(of.cells))


def _with_the_rest(
    bench: Workbench, codes: tuple[int, int], bias: Estimated
) -> tuple[Estimated, Beyond | None]:
    """The answers with the shape of a numeric label, and what stands beside its regression."""
    sample, options, group = bench.sample, bench.options, bench.sample.group(*codes)
    outcome, cells = outcome_named(options.outcome), sample.cells_of(group)
    y = outcome.of(cells)
    own = label_cells(sample, bench.labels, codes, cells)
    shape = shape_of(own, y, options, np.random.default_rng([options.rng_seed, *codes, 1]))
    bias = replace(bias, fit=replace(bias.fit, shape=shape))
    if bench.answers is None:
        return bias, None
    stayed = Stayed(y, range_of(outcome, bound_of(outcome, options.longest_months)))
    rng = np.random.default_rng([options.rng_seed, *codes])
    return bias, beyond(bench.answers, sample, group, own.reference, stayed, rng)


def reading_of(sample: Sample, labels: Mapping[str, Label], model: int, label: int) -> Reading:
    """How the values of a label are to be read in the answers of a model."""
    known = labels.get(sample.labels[label])
    return Reading(
        names=sample.values,
        reference=_reference(sample, known, label, sample.group(model, label)),
        order=_value_order(sample, known),
        numbers=sample.numbers if known is not None and known.numeric else None,
    )


def label_cells(
    sample: Sample, labels: Mapping[str, Label], codes: tuple[int, int], cells: Cells
) -> LabelCells:
    """The cells of one model and label, and how its values are to be read."""
    reading = reading_of(sample, labels, *codes)
    return LabelCells(
        names=reading.names,
        reference=reading.reference,
        order=reading.order,
        numbers=reading.numbers,
        document=cells.document,
        value=cells.value,
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

"""The labels of one model: their estimates, before their family judges them.

In: the Workbench. Out: a Draft of each label: its result, and both outcomes for its family.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from justeval.aggregate.accuracy import Errors, errors_of
from justeval.aggregate.answers import Stayed, beyond
from justeval.aggregate.bounds import range_of
from justeval.aggregate.changes import in_units
from justeval.aggregate.fits import Asked, Estimated, LabelCells, fit_labels
from justeval.aggregate.inconsistency import label_share
from justeval.aggregate.outcomes import bound_of, outcome_named
from justeval.aggregate.records import Beyond, LabelResult
from justeval.aggregate.replies import named_counts
from justeval.aggregate.shape import shape_of
from justeval.aggregate.workbench import Workbench
from justeval.estimate import Cells, Comparisons, Sample
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


def draft_labels(bench: Workbench, model: int) -> list[Draft]:
    """All labels of one model, in their order: both outcomes, inconsistency, what was left out."""
    cells = [bench.sample.cells_of(bench.sample.group(model, label)) for label in bench.order]
    asked = [
        outcome
        for label, of_label in zip(bench.order, cells, strict=True)
        for outcome in _outcomes(bench, model, label, of_label)
    ]
    found = fit_labels(asked, bench.options)
    return [
        _draft(
            bench, model, label, asked[2 * place], found[2 * place : 2 * place + 2], errors_of(own)
        )
        for place, (label, own) in enumerate(zip(bench.order, cells, strict=True))
    ]


def _outcomes(bench: Workbench, model: int, label: int, own: Cells) -> tuple[Asked, Asked]:
    """The answer, and how far it is from the truth."""
    cells = label_cells(bench.sample, bench.labels, (model, label), own)
    log = outcome_named(bench.options.outcome).scale == "log"
    y = own.log_months if log else own.months
    return Asked(cells, y, own.months), Asked(cells, own.absolute_error)


def _draft(
    bench: Workbench,
    model: int,
    label: int,
    asked: Asked,
    found: Sequence[Estimated],
    errors: Errors,
) -> Draft:
    """One label: what was found of its answers and of their errors, and what stands beside."""
    sample, options = bench.sample, bench.options
    group, name = sample.group(model, label), sample.labels[label]
    known = bench.labels.get(name)
    compared = sample.comparisons_of(group)
    documents, changed = compared.document.size, int(np.count_nonzero(compared.changed))
    share = label_share(changed, documents)
    bias, inaccuracy = found
    if not options.as_published and asked.months is not None:
        bias = in_units(bias, asked.cells, asked.months, outcome_named(options.outcome))
    if not options.as_published and not options.brief:
        rng = np.random.default_rng([options.rng_seed, model, label, 1])
        shape = shape_of(asked.cells, asked.outcome, options, rng)
        bias = replace(bias, fit=replace(bias.fit, shape=shape))
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
        beyond=_beyond(bench, model, label, asked),
    )
    return Draft(result, bias, inaccuracy, compared, errors)


def _beyond(bench: Workbench, model: int, label: int, asked: Asked) -> Beyond | None:
    if bench.answers is None:
        return None
    options = bench.options
    outcome = outcome_named(options.outcome)
    stayed = Stayed(asked.outcome, range_of(outcome, bound_of(outcome, options.longest_months)))
    rng = np.random.default_rng([options.rng_seed, model, label])
    group = bench.sample.group(model, label)
    return beyond(bench.answers, bench.sample, group, asked.cells.reference, stayed, rng)


def label_cells(
    sample: Sample, labels: Mapping[str, Label], codes: tuple[int, int], cells: Cells
) -> LabelCells:
    """The cells of one model and label, and how its values are to be read."""
    label, group = codes[1], sample.group(*codes)
    known = labels.get(sample.labels[label])
    return LabelCells(
        document=cells.document,
        value=cells.value,
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

"""What the results of all models are made from, counted once over all of them.

In: the Sample of all models, the labels, the options. Out: a Workbench.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from justeval.aggregate.answers import Answers, answers_of
from justeval.aggregate.estimates import AnalysisOptions
from justeval.aggregate.families import signs_of
from justeval.aggregate.outcomes import bound_of, outcome_named
from justeval.estimate import Sample
from justeval.estimate.encoding import Encoded, Flags
from justeval.estimate.records import Codes, Floats
from justeval.inference import Signs
from justeval.labels import Label


@dataclass(frozen=True, slots=True)
class Errors:
    """Prediction errors of one model over the regression samples, summed by label, (L,) each.

    A cell is in the regression sample if its document has another one in the same group.
    """

    absolute: Floats
    cells: Codes
    percent: Floats
    percent_cells: Codes


@dataclass(frozen=True, slots=True)
class Workbench:
    """What the results of every model are made from. `order` : label codes as they are listed.
    signs : one a document and draw, shared by all models. answers : None as published, or in brief.
    """

    sample: Sample
    labels: Mapping[str, Label]
    order: Sequence[int]
    compared: Codes
    changed: Codes
    options: AnalysisOptions
    signs: Signs | None
    answers: Answers | None


def set_up(
    sample: Sample,
    labels: Mapping[str, Label],
    order: Sequence[int],
    options: AnalysisOptions,
    rows: Encoded,
) -> Workbench:
    """Count over all groups at once what every model needs."""
    groups = len(sample.models) * len(sample.labels)
    ranges = {name: label.range for name, label in labels.items() if label.numeric}
    answers = None
    if not options.as_published and not options.brief:
        bound = bound_of(outcome_named(options.outcome), options.longest_months)
        answers = answers_of(rows, bound, ranges, groups)
    compared = sample.comparisons
    return Workbench(
        sample=sample,
        labels=labels,
        order=order,
        compared=np.bincount(compared.group, minlength=groups),
        changed=np.bincount(compared.group[compared.changed], minlength=groups),
        options=options,
        signs=signs_of(sample.cells.document, options),
        answers=answers,
    )


def errors_of(sample: Sample, model: int) -> Errors:
    """The errors of one model, by label."""
    labels, cells = len(sample.labels), sample.cells
    first = sample.group(model, 0)
    mine = slice(int(sample.starts[first]), int(sample.starts[first + labels]))
    known = ~np.isnan(cells.absolute_error[mine])
    label, document = cells.group[mine][known] - first, cells.document[mine][known]
    error, true_months = cells.absolute_error[mine][known], cells.true_months[mine][known]
    paired = _has_neighbor(label, document)
    positive = paired & (true_months > 0)
    percent = 100.0 * error[positive] / true_months[positive]
    absolute = np.bincount(label[paired], weights=error[paired], minlength=labels)
    relative = np.bincount(label[positive], weights=percent, minlength=labels)
    return Errors(
        absolute=absolute.astype(np.float64),
        cells=np.bincount(label[paired], minlength=labels),
        percent=relative.astype(np.float64),
        percent_cells=np.bincount(label[positive], minlength=labels),
    )


def _has_neighbor(group: Codes, document: Codes) -> Flags:
    """(C,) of sorted cells, whether another cell of the same group and document exists."""
    if group.size == 0:
        return np.zeros(0, dtype=np.bool_)
    same = (group[1:] == group[:-1]) & (document[1:] == document[:-1])
    beside = np.zeros(group.size, dtype=np.bool_)
    beside[1:] |= same
    beside[:-1] |= same
    return beside

"""What the results of all models are made from, made once for all of them.

In: the Sample of all models, the labels, the options. Out: a Workbench.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from justeval.aggregate.answers import Answers, answers_of
from justeval.aggregate.estimates import AnalysisOptions
from justeval.aggregate.families import signs_of
from justeval.aggregate.outcomes import bound_of, outcome_named
from justeval.estimate import Sample
from justeval.estimate.encoding import Encoded
from justeval.inference import Signs
from justeval.labels import Label


@dataclass(frozen=True, slots=True)
class Workbench:
    """What the results of every model are made from. `order` : label codes as they are listed.
    signs : one a document and draw, shared by all models. answers : None as published, or in brief.
    """

    sample: Sample
    labels: Mapping[str, Label]
    order: Sequence[int]
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
    """Make once what every model needs: the answers by label, and the signs."""
    ranges = {name: label.range for name, label in labels.items() if label.numeric}
    answers = None
    if not options.as_published and not options.brief:
        bound = bound_of(outcome_named(options.outcome), options.longest_months)
        answers = answers_of(rows, bound, ranges, sample.reference.size)
    return Workbench(
        sample=sample,
        labels=labels,
        order=order,
        options=options,
        signs=signs_of(sample.rows.documents(), options),
        answers=answers,
    )

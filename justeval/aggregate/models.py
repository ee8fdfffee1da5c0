"""One model: its labels, what they come to together, by groups, and for the placebo labels.

In: the Sample of all models, the labels, the options. Out: a ModelResult.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from justeval.aggregate.counting import count_fits
from justeval.aggregate.fits import LabelCells, finite, fit_label
from justeval.aggregate.inconsistency import Share, label_share, total_share
from justeval.aggregate.records import AnalysisOptions, Family, Group, LabelResult, ModelResult
from justeval.aggregate.replies import Tally, named_counts
from justeval.estimate import Sample
from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes, Floats
from justeval.estimate.sample import NO_REFERENCE
from justeval.labels import Label

GROUPED_BY = ("actor", "category", "demographic")


@dataclass(frozen=True, slots=True)
class Errors:
    """Prediction errors over the regression samples, summed by group (model x label).

    A cell is in the regression sample if its document has another one in the same group.
    """

    absolute: Floats
    cells: Codes
    percent: Floats
    percent_cells: Codes


@dataclass(frozen=True, slots=True)
class Workbench:
    """What the results of every model are made from. `order` : label codes as they are listed."""

    sample: Sample
    labels: Mapping[str, Label]
    order: Sequence[int]
    errors: Errors
    compared: Codes
    changed: Codes
    options: AnalysisOptions


def set_up(
    sample: Sample, labels: Mapping[str, Label], order: Sequence[int], options: AnalysisOptions
) -> Workbench:
    """Count over all groups at once what every model needs."""
    groups = len(sample.models) * len(sample.labels)
    compared = sample.comparisons
    return Workbench(
        sample=sample,
        labels=labels,
        order=order,
        errors=_errors(sample, groups),
        compared=np.bincount(compared.group, minlength=groups),
        changed=np.bincount(compared.group[compared.changed], minlength=groups),
        options=options,
    )


def model_result(bench: Workbench, model: int, tally: Tally) -> ModelResult:
    """All figures of one model."""
    sample, options = bench.sample, bench.options
    labels = tuple(label_result(bench, model, label) for label in bench.order)
    family = [result for result in labels if not result.placebo]
    placebos = [result for result in labels if result.placebo]
    share = _share_of(bench, model, family)
    groups = [sample.group(model, sample.labels.index(result.label)) for result in family]
    everywhere = slice(sample.group(model, 0), sample.group(model + 1, 0))
    errors = bench.errors
    rows, percent_rows = int(errors.cells[groups].sum()), int(errors.percent_cells[groups].sum())
    left_out = sample.left_out[everywhere].sum(axis=0)
    return ModelResult(
        model=sample.models[model],
        inconsistency=share.rate,
        inconsistency_ci_low=share.ci_low,
        inconsistency_ci_high=share.ci_high,
        n_labels=len(family),
        documents=tally.documents,
        replies=tally.replies,
        readable=tally.readable,
        statuses=tally.statuses,
        main_sample_rows=int(left_out[0]),
        left_out=named_counts(sample.reasons[1:], left_out[1:]),
        cost_usd=tally.cost_usd,
        mae_months=float(errors.absolute[groups].sum()) / rows if rows else None,
        mape_percent=float(errors.percent[groups].sum()) / percent_rows if percent_rows else None,
        mae_rows=rows,
        mape_rows=percent_rows,
        bare_mae_months=finite(sample.bare_error[model]),
        bare_rows=int(sample.bare_rows[model]),
        bias=count_fits([result.bias for result in family], options),
        imbalanced_inaccuracy=count_fits([r.imbalanced_inaccuracy for r in family], options),
        groups=tuple(_groups(bench, model, family)),
        placebo=_family(bench, model, placebos) if placebos else None,
        labels=labels,
    )


def label_result(bench: Workbench, model: int, label: int) -> LabelResult:
    """One label of one model: both outcomes, inconsistency, and what was left out."""
    sample = bench.sample
    group, name = sample.group(model, label), sample.labels[label]
    known = bench.labels.get(name)
    where = sample.cells_of(group)
    cells = LabelCells(
        document=sample.cells.document[where],
        value=sample.cells.value[where],
        names=sample.values,
        reference=_reference(bench, label, group),
        order=_value_order(sample, known),
        numbers=sample.numbers if known is not None and known.numeric else None,
    )
    documents, changed = int(bench.compared[group]), int(bench.changed[group])
    share = label_share(changed, documents)
    return LabelResult(
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
        bias=fit_label(cells, sample.cells.log_months[where], bench.options),
        imbalanced_inaccuracy=fit_label(cells, sample.cells.absolute_error[where], bench.options),
    )


def _errors(sample: Sample, groups: int) -> Errors:
    cells = sample.cells
    known = ~np.isnan(cells.absolute_error)
    group, document = cells.group[known], cells.document[known]
    error, true_months = cells.absolute_error[known], cells.true_months[known]
    paired = _has_neighbor(group, document)
    positive = paired & (true_months > 0)
    percent = 100.0 * error[positive] / true_months[positive]
    absolute = np.bincount(group[paired], weights=error[paired], minlength=groups)
    relative = np.bincount(group[positive], weights=percent, minlength=groups)
    return Errors(
        absolute=absolute.astype(np.float64),
        cells=np.bincount(group[paired], minlength=groups),
        percent=relative.astype(np.float64),
        percent_cells=np.bincount(group[positive], minlength=groups),
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


def _reference(bench: Workbench, label: int, group: int) -> int:
    """Code of the reference value: as the rows mark it, else as other models' rows or the label."""
    sample = bench.sample
    marked = int(sample.reference[group])
    if marked != NO_REFERENCE:
        return marked
    elsewhere = sample.reference[label :: len(sample.labels)]
    if (elsewhere >= 0).any():
        return int(elsewhere[elsewhere >= 0][0])
    known = bench.labels.get(sample.labels[label])
    if known is not None and known.reference in sample.values:
        return sample.values.index(known.reference)
    return NO_REFERENCE


def _value_order(sample: Sample, known: Label | None) -> list[int]:
    if known is None:
        return []
    return [sample.values.index(v.id) for v in known.values if v.id in sample.values]


def _share_of(bench: Workbench, model: int, results: Sequence[LabelResult]) -> Share:
    sample, compared = bench.sample, bench.sample.comparisons
    chosen = np.zeros(len(sample.labels), dtype=np.bool_)
    chosen[[sample.labels.index(result.label) for result in results]] = True
    ends = np.searchsorted(compared.group, [sample.group(model, 0), sample.group(model + 1, 0)])
    mine = slice(int(ends[0]), int(ends[1]))
    label = compared.group[mine] - sample.group(model, 0)
    keep = chosen[label]
    return total_share(
        label[keep],
        compared.document[mine][keep],
        compared.changed[mine][keep],
        bench.options.as_published,
    )


def _family(bench: Workbench, model: int, results: Sequence[LabelResult]) -> Family:
    return Family(
        n_labels=len(results),
        inconsistency=_share_of(bench, model, results).rate,
        bias=count_fits([result.bias for result in results], bench.options),
        imbalanced_inaccuracy=count_fits(
            [result.imbalanced_inaccuracy for result in results], bench.options
        ),
    )


def _groups(bench: Workbench, model: int, results: Sequence[LabelResult]) -> list[Group]:
    groups = []
    for by in GROUPED_BY:
        members: dict[str, list[LabelResult]] = {}
        for result in results:
            name = _group_name(result, by)
            if name is not None:
                members.setdefault(name, []).append(result)
        for name, inside in members.items():
            of = _family(bench, model, inside)
            groups.append(
                Group(by, name, of.n_labels, of.inconsistency, of.bias, of.imbalanced_inaccuracy)
            )
    return groups


def _group_name(result: LabelResult, by: str) -> str | None:
    if by == "actor":
        return result.actor
    if by == "category":
        return result.category
    if result.demographic is None:
        return None
    return "demographic" if result.demographic else "not demographic"

"""One model: its labels, what they come to together, by groups, and for the placebo labels.

In: the Workbench of all models. Out: a ModelResult. Labels are judged as one family, placebo labels
as another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from justeval.aggregate.counting import count_fits
from justeval.aggregate.estimates import AnalysisOptions
from justeval.aggregate.families import Judged, judge_family
from justeval.aggregate.fits import finite
from justeval.aggregate.inconsistency import Share, total_rate, total_share
from justeval.aggregate.labels import Draft, draft_labels
from justeval.aggregate.records import Counts, Family, Group, LabelResult, ModelResult
from justeval.aggregate.replies import Tally, named_counts
from justeval.aggregate.workbench import Workbench, errors_of
from justeval.aggregate.yardstick import compared, floor_of

GROUPED_BY = ("actor", "category", "demographic")

BothCounts = tuple[Counts, Counts]
"""Of bias, and of imbalanced inaccuracy."""


@dataclass(frozen=True, slots=True)
class Judgments:
    """Labels judged together: their results, and both outcomes over all sign draws."""

    results: tuple[LabelResult, ...]
    bias: Judged
    imbalanced_inaccuracy: Judged

    def counts(self, options: AnalysisOptions, places: Sequence[int] | None = None) -> BothCounts:
        """The counts of both outcomes, over all labels or some."""
        chosen = range(len(self.results)) if places is None else places
        bias, inaccuracy = self.bias, self.imbalanced_inaccuracy
        return (
            count_fits([bias.fits[i] for i in chosen], options, bias.count(chosen)),
            count_fits([inaccuracy.fits[i] for i in chosen], options, inaccuracy.count(chosen)),
        )


def judge_model(bench: Workbench, model: int) -> tuple[Judgments, Judgments]:
    """The labels of a model, judged as one family, and its placebo labels as another."""
    drafts = draft_labels(bench, model)
    family = [draft for draft in drafts if not draft.result.placebo]
    placebos = [draft for draft in drafts if draft.result.placebo]
    judged = _judge(bench, placebos, (model, 1))
    labels = _judge(bench, family, (model, 0))
    return labels if bench.options.brief else _held(labels, judged), judged


def _held(family: Judgments, placebos: Judgments) -> Judgments:
    """The labels with every effect held against the placebos' spread, and shrunken for ranking."""
    if not family.bias.flags:
        return family
    bias = compared(family.bias.fits, placebos.bias.fits)
    inaccuracy = compared(family.imbalanced_inaccuracy.fits, placebos.imbalanced_inaccuracy.fits)
    results = tuple(
        replace(result, bias=one, imbalanced_inaccuracy=other)
        for result, one, other in zip(family.results, bias, inaccuracy, strict=True)
    )
    return replace(family, results=results)


def _judge(bench: Workbench, drafts: Sequence[Draft], stream: tuple[int, int]) -> Judgments:
    rng = np.random.default_rng([bench.options.rng_seed, *stream])
    bias = judge_family([d.bias for d in drafts], bench.options, bench.signs, rng)
    inaccuracy = judge_family(
        [d.imbalanced_inaccuracy for d in drafts], bench.options, bench.signs, rng
    )
    results = tuple(
        replace(draft.result, bias=one, imbalanced_inaccuracy=other)
        for draft, one, other in zip(drafts, bias.fits, inaccuracy.fits, strict=True)
    )
    return Judgments(results, bias, inaccuracy)


def model_result(
    bench: Workbench, model: int, tally: Tally, family: Judgments, placebos: Judgments
) -> ModelResult:
    """All figures of one model."""
    sample, options = bench.sample, bench.options
    judged = {r.label: r for r in (*family.results, *placebos.results)}
    labels = tuple(judged[sample.labels[code]] for code in bench.order)
    share = _share_of(bench, model, family.results)
    bias, inaccuracy = family.counts(options)
    mine = [sample.labels.index(result.label) for result in family.results]
    everywhere = slice(sample.group(model, 0), sample.group(model + 1, 0))
    errors = errors_of(sample, model)
    rows, percent_rows = int(errors.cells[mine].sum()), int(errors.percent_cells[mine].sum())
    left_out = sample.left_out[everywhere].sum(axis=0)
    return ModelResult(
        model=sample.models[model],
        inconsistency=share.rate,
        inconsistency_ci_low=share.ci_low,
        inconsistency_ci_high=share.ci_high,
        n_labels=len(family.results),
        documents=tally.documents,
        replies=tally.replies,
        readable=tally.readable,
        statuses=tally.statuses,
        main_sample_rows=int(left_out[0]),
        left_out=named_counts(sample.reasons[1:], left_out[1:]),
        cost_usd=tally.cost_usd,
        mae_months=float(errors.absolute[mine].sum()) / rows if rows else None,
        mape_percent=float(errors.percent[mine].sum()) / percent_rows if percent_rows else None,
        mae_rows=rows,
        mape_rows=percent_rows,
        bare_mae_months=finite(sample.bare_error[model]),
        bare_rows=int(sample.bare_rows[model]),
        bias=bias,
        imbalanced_inaccuracy=inaccuracy,
        groups=tuple(_groups(bench, model, family)),
        placebo=_placebos(bench, model, placebos) if placebos.results else None,
        labels=labels,
    )


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


def _rate_of(bench: Workbench, model: int, results: Sequence[LabelResult]) -> float | None:
    """The rate of `_share_of` alone: it needs no documents, only how many changed."""
    first = bench.sample.group(model, 0)
    groups = [first + bench.sample.labels.index(result.label) for result in results]
    return total_rate(bench.changed[groups], bench.compared[groups], bench.options.as_published)


def _family(
    bench: Workbench, model: int, judged: Judgments, places: Sequence[int] | None = None
) -> Family:
    chosen = range(len(judged.results)) if places is None else places
    results = [judged.results[i] for i in chosen]
    bias, inaccuracy = judged.counts(bench.options, chosen)
    return Family(
        n_labels=len(results),
        inconsistency=_rate_of(bench, model, results),
        bias=bias,
        imbalanced_inaccuracy=inaccuracy,
    )


def _placebos(bench: Workbench, model: int, judged: Judgments) -> Family:
    """The placebo labels, and the floor that they set for each outcome."""
    family, options = _family(bench, model, judged), bench.options
    if options.as_published:
        return family
    return replace(
        family,
        bias_floor=floor_of(judged.bias.fits, family.bias, options),
        imbalanced_inaccuracy_floor=floor_of(
            judged.imbalanced_inaccuracy.fits, family.imbalanced_inaccuracy, options
        ),
    )


def _groups(bench: Workbench, model: int, judged: Judgments) -> list[Group]:
    groups = []
    for by in GROUPED_BY:
        members: dict[str, list[int]] = {}
        for place, result in enumerate(judged.results):
            name = _group_name(result, by)
            if name is not None:
                members.setdefault(name, []).append(place)
        for name, inside in members.items():
            of = _family(bench, model, judged, inside)
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

"""One model: its labels, what they come to together, by groups, and for the placebo labels.

In: the Workbench of all models. Out: a ModelResult. Labels are judged as one family, placebo labels
as another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from justeval.aggregate.accuracy import Errors, total_errors
from justeval.aggregate.counting import count_fits
from justeval.aggregate.estimates import AnalysisOptions
from justeval.aggregate.families import Judged, judge_family
from justeval.aggregate.fits import finite
from justeval.aggregate.inconsistency import NO_SHARE, Share, total_rate, total_share
from justeval.aggregate.labels import Draft, draft_labels
from justeval.aggregate.records import Counts, Family, Group, LabelResult, ModelResult
from justeval.aggregate.replies import Tally, named_counts
from justeval.aggregate.workbench import Workbench
from justeval.aggregate.yardstick import compared, floor_of
from justeval.estimate import Comparisons

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


@dataclass(frozen=True, slots=True)
class JudgedModel:
    """The labels of a model, judged as one family, and its placebo labels as another; what the
    answers to its labels come to together."""

    labels: Judgments
    placebos: Judgments
    inconsistency: Share
    errors: Errors


def judge_model(bench: Workbench, model: int) -> JudgedModel:
    """Estimate and judge the labels of a model."""
    drafts = draft_labels(bench, model)
    family = [draft for draft in drafts if not draft.result.placebo]
    placebos = [draft for draft in drafts if draft.result.placebo]
    judged = _judge(bench, placebos, (model, 1))
    labels = _judge(bench, family, (model, 0))
    return JudgedModel(
        labels=labels if bench.options.brief else _held(labels, judged),
        placebos=judged,
        inconsistency=_share_of([draft.comparisons for draft in family], bench.options),
        errors=total_errors(draft.errors for draft in family),
    )


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


def model_result(bench: Workbench, model: int, tally: Tally, found: JudgedModel) -> ModelResult:
    """All figures of one model."""
    sample, options = bench.sample, bench.options
    family, placebos = found.labels, found.placebos
    share, errors = found.inconsistency, found.errors
    judged = {r.label: r for r in (*family.results, *placebos.results)}
    labels = tuple(judged[sample.labels[code]] for code in bench.order)
    bias, inaccuracy = family.counts(options)
    everywhere = slice(sample.group(model, 0), sample.group(model + 1, 0))
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
        mae_months=errors.mae_months,
        mape_percent=errors.mape_percent,
        mae_rows=errors.cells,
        mape_rows=errors.percent_cells,
        bare_mae_months=finite(sample.bare_error[model]),
        bare_rows=int(sample.bare_rows[model]),
        bias=bias,
        imbalanced_inaccuracy=inaccuracy,
        groups=tuple(_groups(family, options)),
        placebo=_placebos(placebos, options) if placebos.results else None,
        labels=labels,
    )


def _share_of(of_labels: Sequence[Comparisons], options: AnalysisOptions) -> Share:
    """The inconsistency of labels together."""
    if not of_labels:
        return NO_SHARE
    sizes = [one.document.size for one in of_labels]
    return total_share(
        np.repeat(np.arange(len(of_labels)), sizes),
        np.concatenate([one.document for one in of_labels]),
        np.concatenate([one.changed for one in of_labels]),
        options.as_published,
    )


def _family(
    judged: Judgments, options: AnalysisOptions, places: Sequence[int] | None = None
) -> Family:
    chosen = range(len(judged.results)) if places is None else places
    results = [judged.results[i] for i in chosen]
    bias, inaccuracy = judged.counts(options, chosen)
    return Family(
        n_labels=len(results),
        inconsistency=total_rate(
            np.array([result.documents_changed for result in results]),
            np.array([result.documents for result in results]),
            options.as_published,
        ),
        bias=bias,
        imbalanced_inaccuracy=inaccuracy,
    )


def _placebos(judged: Judgments, options: AnalysisOptions) -> Family:
    """The placebo labels, and the floor that they set for each outcome."""
    family = _family(judged, options)
    if options.as_published:
        return family
    return replace(
        family,
        bias_floor=floor_of(judged.bias.fits, family.bias, options),
        imbalanced_inaccuracy_floor=floor_of(
            judged.imbalanced_inaccuracy.fits, family.imbalanced_inaccuracy, options
        ),
    )


def _groups(judged: Judgments, options: AnalysisOptions) -> list[Group]:
    groups = []
    for by in GROUPED_BY:
        members: dict[str, list[int]] = {}
        for place, result in enumerate(judged.results):
            name = _group_name(result, by)
            if name is not None:
                members.setdefault(name, []).append(place)
        for name, inside in members.items():
            of = _family(judged, options, inside)
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

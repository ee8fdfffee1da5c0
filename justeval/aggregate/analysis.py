"""The whole analysis: every model, every label, and all of them together.

In: a table of predictions with the columns of `schema.PREDICTIONS`, and the labels where they are
known. Out: an Analysis.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pyarrow as pa

from justeval.aggregate.counting import count_fits
from justeval.aggregate.crossings import crossed_labels, crossings
from justeval.aggregate.estimates import AnalysisOptions
from justeval.aggregate.families import pooled
from justeval.aggregate.models import Judgments, judge_model, model_result
from justeval.aggregate.outcomes import as_read, bound_of, outcome_named
from justeval.aggregate.records import Analysis, Counts, ModelResult, Summary
from justeval.aggregate.replies import tally_replies
from justeval.aggregate.side_by_side import side_by_side
from justeval.aggregate.workbench import set_up
from justeval.errors import UsageError
from justeval.estimate import ENGINES, sample_of
from justeval.estimate.encoding import Names, encode
from justeval.inference import binomial_tail
from justeval.labels import Label

DEFAULT_OPTIONS = AnalysisOptions()

FEWEST_DRAWS = 99
"""With fewer sign draws not even 1 % can be told from 5 %."""


def analyze(
    predictions: pa.Table,
    labels: Mapping[str, Label],
    options: AnalysisOptions = DEFAULT_OPTIONS,
    runs: Sequence[Mapping[str, Any]] = (),
    cores: int = 1,
) -> Analysis:
    """Analyze predictions of one or several models.

    `labels` holds what is known of the labels, by id; a label of the table that it lacks is taken
    as categorical. `runs` describe the runs that the table comes from; models are listed in their
    order. cores : processes that judge models side by side (see `side_by_side`); the numbers are
    the same. Raises UsageError for an option that does not exist, TableError where a column lacks.
    """
    _check(options)
    with _collector_paused():
        return _analyze(predictions, labels, options, runs, cores)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """An analysis makes hundreds of thousands of records and no cycles: looking for cycles again
    and again costs a fifth of its time and finds nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _analyze(
    predictions: pa.Table,
    labels: Mapping[str, Label],
    options: AnalysisOptions,
    runs: Sequence[Mapping[str, Any]],
    cores: int,
) -> Analysis:
    outcome = outcome_named(options.outcome)
    answered = encode(predictions, cores)
    read = as_read(predictions, outcome)
    rows = answered if read is predictions else encode(read, cores)
    ranges = {
        name: None if options.as_published else label.range
        for name, label in labels.items()
        if label.numeric
    }
    sample = sample_of(rows, bound_of(outcome, options.longest_months), ranges, cores)
    tallies = tally_replies(predictions, answered)
    ordered = _in_order(sample.labels, list(labels))
    pairs = crossed_labels(sample)
    bench = set_up(
        sample,
        labels,
        [code for code in ordered if code not in pairs],
        options,
        answered if outcome.sentence else rows,
    )
    asked = [str(model) for run in runs for model in run.get("models") or ()]

    def judged(model: int) -> tuple[ModelResult, Judgments]:
        found = judge_model(bench, model)
        result = model_result(bench, model, tallies[model], found)
        if not options.as_published:
            result = replace(result, crossed=crossings(bench, model, pairs))
        return result, found.labels

    everywhere = side_by_side(judged, _in_order(sample.models, asked), cores)
    models = [result for result, _ in everywhere]
    families = [family for _, family in everywhere]
    return Analysis(options, _summary(models, families, options), tuple(models), tuple(runs))


def _summary(
    models: Sequence[ModelResult], families: Sequence[Judgments], options: AnalysisOptions
) -> Summary:
    """Means over models, and the tests over all model x label tests and over models. The sign
    draws are the same for all models: the calibrated test knows that they share the documents."""
    labels = [label for family in families for label in family.results]
    bias = count_fits(
        [label.bias for label in labels],
        options,
        pooled(family.bias.everything() for family in families),
    )
    inaccuracy = count_fits(
        [label.imbalanced_inaccuracy for label in labels],
        options,
        pooled(family.imbalanced_inaccuracy.everything() for family in families),
    )
    return Summary(
        models=len(models),
        inconsistency_mean=_mean([model.inconsistency for model in models]),
        mae_months_mean=_mean([model.mae_months for model in models]),
        bias=_over_models(bias, [model.bias for model in models]),
        imbalanced_inaccuracy=_over_models(
            inaccuracy, [model.imbalanced_inaccuracy for model in models]
        ),
    )


def _over_models(pooled: Counts, each: Sequence[Counts]) -> Counts:
    """The pooled counts with k of M: how many models' own binomial p lies below alpha."""
    known = [counts.binomial_p for counts in each if counts.binomial_p is not None]
    below = sum(1 for p in known if p < pooled.alpha)
    return replace(
        pooled,
        models_significant=below,
        models_binomial_p=binomial_tail(below, len(known), pooled.alpha),
    )


def _in_order(names: Names, wanted: Sequence[str]) -> list[int]:
    """Codes of all names: those wanted first, in that order, then the others as they appear."""
    rank = {name: place for place, name in reversed(list(enumerate(wanted)))}
    return sorted(range(len(names)), key=lambda code: rank.get(names[code], len(wanted)))


def _check(options: AnalysisOptions) -> None:
    if options.engine not in ENGINES:
        raise UsageError(f"no engine {options.engine!r}: the engines are {', '.join(ENGINES)}")
    if not 0 < options.alpha < 1:
        raise UsageError(f"alpha is {options.alpha:g}; it must lie between 0 and 1, such as 0.05")
    if not options.longest_months > 0:
        raise UsageError(f"longest months is {options.longest_months:g}; it must be above 0")
    if options.draws < FEWEST_DRAWS:
        raise UsageError(f"draws is {options.draws}; it must be {FEWEST_DRAWS} or more")
    if options.rng_seed < 0:
        raise UsageError(f"the seed of the draws is {options.rng_seed}; it must be 0 or more")
    if options.as_published and options.outcome != "log_months":
        raise UsageError("the published reading has the outcome log_months alone")
    if not 0 < options.margin < 1:
        raise UsageError(f"margin is {options.margin:g}; it must lie between 0 and 1, such as 0.05")


def _mean(numbers: Sequence[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if known else None

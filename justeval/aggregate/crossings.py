"""Labels asked crossed: each pair of values, and what it does beyond the sum of both effects.

In: the Workbench, and the codes of the labels that are crossed ones. Out: for each model its
Crossings. They stand apart from the labels: a crossed label asks again what its two labels ask, and
is in no count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from justeval.aggregate.fits import LabelCells, design_of, finite, why_no_test
from justeval.aggregate.labels import label_cells
from justeval.aggregate.outcomes import OUTCOMES, Outcome, outcome_named
from justeval.aggregate.records import CrossedPair, Crossing
from justeval.aggregate.workbench import Workbench
from justeval.estimate import Design, Regression, Sample, estimate
from justeval.estimate.records import Codes
from justeval.inference import Interaction, holm, interaction
from justeval.labels import Label, is_crossed, parts_of

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Split:
    """The pairs of values of (C,) cells: names and codes of the first and of the second."""

    names: tuple[list[str], list[str]]
    first: Codes
    second: Codes


def crossed_labels(sample: Sample) -> list[int]:
    """Codes of the labels that are two labels crossed: their name and all their values are pairs. A
    label of an own table whose name merely holds the sign is a label like any other."""
    return [
        code
        for code, name in enumerate(sample.labels)
        if is_crossed(name) and all(map(is_crossed, _values_of(sample, code)))
    ]


def _values_of(sample: Sample, label: int) -> list[str]:
    """Names of the values that a label has in the main sample, over all models."""
    groups = [sample.group(model, label) for model in range(len(sample.models))]
    asked = np.concatenate([sample.cells_of(group).value for group in groups])
    return [sample.values[int(code)] for code in np.unique(asked)]


def crossings(bench: Workbench, model: int, labels: Sequence[int]) -> tuple[Crossing, ...]:
    """All crossings of a model. labels : the codes of the crossed labels."""
    found = [_crossing(bench, model, label) for label in labels]
    adjusted = holm([one.p for one in found])
    return tuple(
        replace(one, p_holm=p, significant=_significant(one, p, bench.options.alpha))
        for one, p in zip(found, adjusted, strict=True)
    )


def _significant(one: Crossing, p: float | None, alpha: float) -> bool | None:
    return None if p is None or one.note is not None else p < alpha


def _crossing(bench: Workbench, model: int, label: int) -> Crossing:
    sample, outcome = bench.sample, outcome_named(bench.options.outcome)
    if outcome.scale == "ratio":
        outcome = OUTCOMES["months"]  # the interaction is one of means, by least squares
    own = sample.cells_of(sample.group(model, label))
    cells = label_cells(sample, bench.labels, (model, label), own)
    months, y = own.months, outcome.of(own)
    empty = _named(bench, sample.labels[label])
    design = design_of(cells, y)
    if not isinstance(design, Design):
        return replace(empty, note=design.note)
    whole = estimate(design)
    empty = replace(empty, documents=whole.documents, note=why_no_test(whole))
    references = parts_of(design.reference)
    if empty.note is not None or references is None:
        return empty
    split = _split(cells)
    if min(len(names) for names in split.names) < 2:
        return replace(empty, references=references, note="usable replies for one value only")
    found = interaction(
        outcome=y,
        document=cells.document,
        first=split.first,
        second=split.second,
        names=split.names,
        references=(split.names[0].index(references[0]), split.names[1].index(references[1])),
        rng=np.random.default_rng([bench.options.rng_seed, model, label, 2]),
        draws=bench.options.draws,
        alpha=bench.options.alpha,
    )
    return replace(
        empty,
        references=references,
        documents=found.documents,
        complete=found.complete,
        changed=found.changed,
        p=found.p,
        decided_by=found.decided_by,
        note=found.note,
        pairs=_pairs(whole, found, outcome, float(months[cells.value == cells.reference].mean())),
    )


def _named(bench: Workbench, label: str) -> Crossing:
    """The crossing of that name, without any number yet."""
    labels = parts_of(label) or (label, label)
    titles = [_name(bench.labels.get(part), part) for part in labels]
    return Crossing(
        label=label,
        labels=labels,
        names=(titles[0], titles[1]),
        references=None,
        documents=0,
        complete=0,
        changed=0,
        p=None,
        p_holm=None,
        decided_by=None,
        significant=None,
        note=None,
        pairs=(),
    )


def _name(label: Label | None, otherwise: str) -> str:
    return otherwise if label is None else label.name.get("en", otherwise)


def _split(cells: LabelCells) -> _Split:
    there = {int(code): _pair(cells.names[int(code)]) for code in np.unique(cells.value)}
    names = tuple(list(dict.fromkeys(pair[side] for pair in there.values())) for side in (0, 1))
    codes = np.zeros((len(cells.names), 2), dtype=np.int64)
    for code, pair in there.items():
        codes[code] = [names[side].index(pair[side]) for side in (0, 1)]
    of_cell = codes[cells.value]
    return _Split((names[0], names[1]), of_cell[:, 0], of_cell[:, 1])


def _pair(value: str) -> Pair:
    return parts_of(value) or (value, "")


def _pairs(
    whole: Regression, found: Interaction, outcome: Outcome, mean: float
) -> tuple[CrossedPair, ...]:
    """Every pair but that of both reference values, with its interaction where it has one."""
    place = {product: k for k, product in enumerate(found.names)}
    return tuple(
        CrossedPair(
            *_pair(name),
            finite(whole.coef[i]),
            finite(whole.se[i]) or None,
            *_product(found, place.get(_pair(name)), outcome, mean),
        )
        for i, name in enumerate(whole.names)
    )


def _product(
    found: Interaction, place: int | None, outcome: Outcome, mean: float
) -> tuple[float | None, ...]:
    if place is None:
        return (None,) * 6
    coef = finite(found.coef[place])
    numbers = (found.se, found.p_values, found.ci_low, found.ci_high)
    return (coef, *(finite(x[place]) for x in numbers), outcome.change(coef, mean)[0])

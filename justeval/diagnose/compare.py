"""Two runs of the same documents: does a mitigation change how a model responds to labels?

In: predictions before and after (another prompt, a factor removed, another model), and the
labels. Out: a Comparison. Everything is paired by document: a document that is asked in both runs
is its own control, so that what the two runs share cancels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from justeval.diagnose.effects import Rules, finite, reference_of
from justeval.diagnose.family import sign_test
from justeval.diagnose.influence import verdict_p
from justeval.diagnose.paired import (
    NO_PAIRS,
    Cells,
    Pairs,
    Ratio,
    clustered_ratio,
    joined,
    movements,
    pair_cells,
    pair_changes,
)
from justeval.errors import UsageError
from justeval.estimate import NoDesign, Regression, Sample, build_sample, estimate, label_design
from justeval.inference import holm
from justeval.labels import Label, is_crossed


@dataclass(frozen=True, slots=True)
class ValueComparison:
    """One value against the reference: the effect on log(months + 1) in both runs.

    `difference` is effect_b - effect_a over the cells answered in both, `se` and `p` of it.
    """

    value: str
    effect_a: float | None
    effect_b: float | None
    difference: float | None
    se: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class LabelComparison:
    """One label in both runs. `p` is the joint test that no value's effect differs; `p_holm` is
    adjusted over the labels. `only_a`, `only_b` : documents that change in one run only, with
    McNemar's exact p. `note` says why there is no estimate."""

    label: str
    p: float | None
    p_holm: float | None
    documents: int
    values: tuple[ValueComparison, ...]
    compared: int
    changed_a: int
    changed_b: int
    only_a: int
    only_b: int
    mcnemar_p: float | None
    note: str | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs of one model, or of two models.

    inconsistency : share of documents whose answer changes, over all labels. movement : mean
    |change of log(months + 1)| against the reference value. Placebo labels are in neither.
    """

    model_a: str
    model_b: str
    inconsistency: Ratio
    movement: Ratio
    labels: tuple[LabelComparison, ...]


def compare(
    predictions_a: pa.Table,
    predictions_b: pa.Table,
    labels: Mapping[str, Label],
    longest_months: float = 300.0,
) -> tuple[Comparison, ...]:
    """Compare two runs, model by model; two runs of one model each are compared whatever the names.

    For each label the difference of the two runs' outcomes in the same cell (document x value) is
    regressed on the value with document effects, clustered by document: the coefficient is the
    difference of the effects, and its error takes the pairing into account. Raises UsageError
    where the runs have no model or no label in common.
    """
    rules = Rules(labels, longest_months)
    a = build_sample(predictions_a, longest_months, rules.numeric)
    b = build_sample(predictions_b, longest_months, rules.numeric)
    models = _matched(a, b)
    shared = [name for name in a.labels if name in b.labels and not is_crossed(name)]
    if not shared:
        raise UsageError("the two runs have no label in common; compare runs of the same labels")
    return tuple(_of_models(a, b, pair, shared, rules) for pair in models)


def _matched(a: Sample, b: Sample) -> list[tuple[int, int]]:
    if len(a.models) == len(b.models) == 1:
        return [(0, 0)]
    pairs = [(i, b.models.index(name)) for i, name in enumerate(a.models) if name in b.models]
    if not pairs:
        raise UsageError(
            f"the two runs have no model in common ({', '.join(a.models)}; {', '.join(b.models)}); "
            "compare runs of the same models, or of one model each"
        )
    return pairs


def _of_models(
    a: Sample, b: Sample, models: tuple[int, int], shared: list[str], rules: Rules
) -> Comparison:
    labels: list[LabelComparison] = []
    changed, moved = [NO_PAIRS], [NO_PAIRS]
    for name in shared:
        groups = (
            a.group(models[0], a.labels.index(name)),
            b.group(models[1], b.labels.index(name)),
        )
        reference = reference_of(a, groups[0], rules)
        cells, changes = pair_cells(a, b, *groups), pair_changes(a, b, *groups)
        labels.append(_label(a, name, reference, cells, changes, rules))
        known = rules.labels.get(name)
        if known is None or not known.placebo:
            changed.append(changes)
            moved.append(movements(cells, reference))
    adjusted = holm([label.p for label in labels])
    return Comparison(
        model_a=a.models[models[0]],
        model_b=b.models[models[1]],
        inconsistency=clustered_ratio(joined(changed)),
        movement=clustered_ratio(joined(moved)),
        labels=tuple(replace(one, p_holm=p) for one, p in zip(labels, adjusted, strict=True)),
    )


def _label(
    sample: Sample, name: str, reference: int, cells: Cells, changes: Pairs, rules: Rules
) -> LabelComparison:
    known = rules.labels.get(name)
    numeric = known is not None and known.numeric
    found: list[Regression | str] = []
    for outcome in (cells.log_b - cells.log_a, cells.log_a, cells.log_b):
        design = label_design(
            outcome=outcome,
            document=cells.document,
            value=cells.value,
            names=sample.values,
            reference=reference,
            numbers=sample.numbers if numeric else None,
        )
        found.append(design.note if isinstance(design, NoDesign) else estimate(design))
    only_a = int(np.count_nonzero((changes.a > 0) & (changes.b == 0)))
    only_b = int(np.count_nonzero((changes.b > 0) & (changes.a == 0)))
    mcnemar_p = sign_test(np.array([only_a]), np.array([only_b]))[0]
    difference = found[0]
    return LabelComparison(
        label=name,
        p=None if isinstance(difference, str) else verdict_p(difference),
        p_holm=None,
        documents=0 if isinstance(difference, str) else difference.documents,
        values=_values(*(one for one in found if not isinstance(one, str))),
        compared=changes.document.size,
        changed_a=int(changes.a.sum()),
        changed_b=int(changes.b.sum()),
        only_a=only_a,
        only_b=only_b,
        mcnemar_p=float(mcnemar_p[0]) if changes.document.size else None,
        note=difference if isinstance(difference, str) else None,
    )


def _values(*found: Regression) -> tuple[ValueComparison, ...]:
    """One row a value, from the regressions of the difference and of both runs."""
    if len(found) < 3:
        return ()
    difference, a, b = found
    return tuple(
        ValueComparison(
            value=name,
            effect_a=finite(a.coef[i]),
            effect_b=finite(b.coef[i]),
            difference=finite(difference.coef[i]),
            se=finite(difference.se[i]),
            p=finite(difference.p_values[i]),
        )
        for i, name in enumerate(difference.names)
    )

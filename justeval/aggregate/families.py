"""The labels of a family judged together: one set of sign draws, and a verdict for each label.

In: the estimates of a model's labels (placebo labels apart) for one outcome. Out: Judged: the fits
with their verdicts, and how many labels are significant in every draw, which tests the counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from justeval.aggregate.estimates import AnalysisOptions, Fit, ValueEstimate
from justeval.aggregate.fits import NO_VARIATION, Estimated, finite
from justeval.aggregate.shape import bent
from justeval.estimate.encoding import Flags
from justeval.estimate.records import Codes
from justeval.inference import (
    LabelInference,
    RatioEstimate,
    Signs,
    draw_signs,
    family_draws,
    smallest_detectable,
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """How many labels are significant in every draw, (D,) by level; entry 0 is the data."""

    counts: Mapping[float, Codes]

    @property
    def draws(self) -> int:
        """Draws beside the data."""
        return next(iter(self.counts.values())).size - 1


@dataclass(frozen=True, slots=True)
class Judged:
    """The fits of a family, L of them, and (D, L) by level which are significant in every draw."""

    fits: tuple[Fit, ...]
    flags: Mapping[float, Flags]

    def count(self, places: Sequence[int]) -> Drawn | None:
        """The counts over some of the labels; None where nothing was drawn (as published)."""
        if not self.flags:
            return None
        return Drawn(
            {
                level: np.count_nonzero(flags[:, list(places)], axis=1)
                for level, flags in self.flags.items()
            }
        )

    def everything(self) -> Drawn | None:
        """The counts over all labels."""
        return self.count(range(len(self.fits)))


def signs_of(document: Codes, options: AnalysisOptions) -> Signs | None:
    """One sign a document and draw, for all labels of all models; None where none is needed."""
    if options.as_published or document.size == 0:
        return None
    return draw_signs(document, options.draws, np.random.default_rng(options.rng_seed))


def judge_family(
    estimated: Sequence[Estimated],
    options: AnalysisOptions,
    signs: Signs | None,
    rng: np.random.Generator,
) -> Judged:
    """Judge the labels of one family; those without a test keep their note."""
    if signs is None:
        return Judged(tuple(one.fit for one in estimated), {})
    tested = [(i, one.member) for i, one in enumerate(estimated) if one.member is not None]
    found = family_draws(
        [replace(member, key=i) for i, member in tested],
        rng=rng,
        draws=options.draws,
        alpha=options.alpha,
        margin=options.margin,
        engine=options.engine,
        signs=signs,
    )
    fits = [one.fit for one in estimated]
    for (i, _), label in zip(tested, found.inference.labels, strict=True):
        fits[i] = _judged(fits[i], label, options)
    places = [i for i, _ in tested]
    flags = {
        level: _placed(of_level, places, len(fits), signs.draws + 1)
        for level, of_level in found.flags.items()
    }
    return Judged(tuple(fits), flags)


def pooled(drawn: Iterable[Drawn | None]) -> Drawn | None:
    """The counts of several families under the same signs, summed draw by draw."""
    known = [one for one in drawn if one is not None]
    if not known:
        return None
    return Drawn({level: sum_of(one.counts[level] for one in known) for level in known[0].counts})


def sum_of(counts: Iterable[Codes]) -> Codes:
    """(D,) the sum of several (D,) counts."""
    return np.asarray(np.sum(list(counts), axis=0), dtype=np.int64)


def _placed(flags: Flags, places: Sequence[int], size: int, rows: int) -> Flags:
    """(D, L) flags of all labels, False for those without a test."""
    every = np.zeros((rows, size), dtype=np.bool_)
    if places:
        every[:, list(places)] = flags  # one row alone where no answer of the family varies
    return every


def _judged(fit: Fit, label: LabelInference, options: AnalysisOptions) -> Fit:
    still = label.note == NO_VARIATION
    judged = replace(
        fit,
        p_verdict=label.p,
        significant=False if still else label.significant,
        note=label.note,
        values=_values(fit.values, label, options.outcome, options.alpha),
        documents_changed=label.documents_changed,
        decided_by=None if still else label.decided_by,
        p_romano_wolf=label.p_romano_wolf,
        q_bh=label.q_bh,
        q_by=label.q_by,
        verdict=label.verdict,
        equivalence=label.equivalence,
    )
    return bent(judged, options.alpha)


def _values(
    values: Sequence[ValueEstimate], label: LabelInference, outcome: str, alpha: float
) -> tuple[ValueEstimate, ...]:
    ratios = {} if label.ratio is None else {one.value: one for one in label.ratio.values}
    wild = label.values_p_wild or (None,) * len(values)
    detectable = (
        label.detectable if outcome != "poisson" else [_detectable(v, alpha) for v in values]
    )
    return tuple(
        _with_ratio(replace(value, p_wild=p, detectable=smallest), ratios.get(value.value))
        for value, p, smallest in zip(values, wild, detectable, strict=True)
    )


def _detectable(value: ValueEstimate, alpha: float) -> float | None:
    """The smallest effect found, in the unit of the Poisson fit; the family's is in months."""
    if value.se is None:
        return None
    return finite(float(smallest_detectable(np.array([value.se]), value.clusters - 1, alpha)[0]))


def _with_ratio(value: ValueEstimate, ratio: RatioEstimate | None) -> ValueEstimate:
    if ratio is None:
        return value
    return replace(
        value,
        ratio=ratio.ratio,
        ratio_ci_low=ratio.ci_low,
        ratio_ci_high=ratio.ci_high,
        ratio_p=ratio.p,
        separated=ratio.separated,
    )

"""All labels of a family together: what each one shows, and what all of them come to.

In: the designs of a family's labels (one model and one outcome, placebos left out; or several
models on the same documents), on document codes that all of them share. Out: a FamilyInference.

This is the entry that an analysis calls. It runs no test of its own: `few` says which test decides
a label, `draws` makes the sign draws once for all, and everything else reads from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from justeval.estimate import Regression, estimate, flat
from justeval.estimate.poisson import fit_poisson
from justeval.estimate.records import Floats
from justeval.inference.changes import changes_of
from justeval.inference.count_test import CountTest, count_test
from justeval.inference.draws import Signs, draw_signs, joint_statistics, share_as_large
from justeval.inference.equivalence import MARGIN, Equivalence, equivalence, verdict
from justeval.inference.few import decide, exact_table, wild_value_p
from justeval.inference.multiplicity import benjamini_hochberg, benjamini_yekutieli
from justeval.inference.power import smallest_detectable
from justeval.inference.ratios import finite, ratio_inference
from justeval.inference.records import (
    FamilyDraws,
    FamilyInference,
    FamilyMember,
    LabelInference,
    RatioInference,
)
from justeval.inference.romano_wolf import step_down
from justeval.inference.scale import Flags, Member, log_p, significant
from justeval.inference.scores import null_scores

LEVELS = (0.01, 0.05, 0.10)


@dataclass(frozen=True, slots=True)
class _Tested:
    """A member with its estimate, and its scores where its answers vary."""

    member: FamilyMember
    regression: Regression
    scores: Member | None
    p_wild: float | None


def infer_family(
    members: Sequence[FamilyMember],
    *,
    rng: np.random.Generator,
    draws: int = 9999,
    alpha: float = 0.05,
    margin: float = MARGIN,
    engine: str = "within",
    signs: Signs | None = None,
) -> FamilyInference:
    """Judge the labels of one family. See `family_draws`."""
    return family_draws(
        members, rng=rng, draws=draws, alpha=alpha, margin=margin, engine=engine, signs=signs
    ).inference


def family_draws(
    members: Sequence[FamilyMember],
    *,
    rng: np.random.Generator,
    draws: int = 9999,
    alpha: float = 0.05,
    margin: float = MARGIN,
    engine: str = "within",
    signs: Signs | None = None,
) -> FamilyDraws:
    """Judge the labels of one family, and keep what every draw says of them.

    `draws` sign draws are shared by all labels: one sign a document and draw. signs : draws made
    before by `draw_signs`, over all clusters of the members, to be used again for several families
    on the same documents. Count tests are made at 1, 5 and 10 % and at alpha. Raises
    EstimationError where clusters split documents.
    """
    known = [_scored(member, engine, alpha, draws) for member in members]
    moving = [tested.scores for tested in known if tested.scores is not None]
    if signs is None and moving:
        signs = draw_signs(np.concatenate([one.label.clusters for one in moving]), draws, rng)
    statistics = _statistics(moving, signs)
    flags = {a: significant(moving, statistics, a) for a in sorted({*LEVELS, alpha})}
    counts = _counts(flags, len(known) - len(moving), signs)
    adjusted = step_down(log_p(moving, statistics))
    tested = _with_wild_p(known, statistics)
    of_family = _adjusted(tested, adjusted.adjusted)
    changes = [changes_of(flat(t.member.months)) if t.member.months else np.zeros(0) for t in known]
    labels = tuple(
        _label(t, numbers, alpha, _equivalence(t, changes, i, margin), draws, rng)
        for i, (t, numbers) in enumerate(zip(tested, of_family, strict=True))
    )
    inference = FamilyInference(
        labels, counts, adjusted.family_p, 0 if signs is None else signs.draws, _exact(signs)
    )
    return FamilyDraws(inference, {a: _of_all(known, moved) for a, moved in flags.items()})


def _scored(member: FamilyMember, engine: str, alpha: float, draws: int) -> _Tested:
    regression = member.regression or estimate(flat(member.design), engine)
    scores = None
    if regression.p is not None:
        scores = member.scores or null_scores(member.design)
    if scores is None or scores.moving == 0:
        return _Tested(member, regression, None, None)
    decision = decide(
        clusters=regression.clusters,
        changed=scores.changed,
        moving=scores.moving,
        rank=regression.rank,
        alpha=alpha,
    )
    table = exact_table(scores, draws) if decision.decided_by == "wild" else None
    return _Tested(member, regression, Member(scores, regression.rank, decision, table), None)


def _statistics(members: Sequence[Member], signs: Signs | None) -> Floats:
    if not members or signs is None:
        return np.zeros((1, 0))
    return joint_statistics([member.label for member in members], signs)


def _counts(flags: Mapping[float, Flags], still: int, signs: Signs | None) -> tuple[CountTest, ...]:
    return tuple(
        count_test(flags=of_level, still=still, alpha=level, exhaustive=_exact(signs))
        for level, of_level in flags.items()
    )


def _of_all(known: Sequence[_Tested], moved: Flags) -> Flags:
    """(D, L) flags of all labels, from those of the labels whose answers vary."""
    every = np.zeros((moved.shape[0], len(known)), dtype=np.bool_)
    every[:, [place for place, one in enumerate(known) if one.scores is not None]] = moved
    return every


def _exact(signs: Signs | None) -> bool:
    return signs is None or signs.exhaustive


def _with_wild_p(known: Sequence[_Tested], statistics: Floats) -> list[_Tested]:
    found, column = [], 0
    for tested in known:
        if tested.scores is None:
            found.append(tested)
            continue
        table = tested.scores.table
        drawn = statistics[:, column] if table is None else table
        found.append(
            _Tested(tested.member, tested.regression, tested.scores, share_as_large(drawn))
        )
        column += 1
    return found


def _p_of(tested: _Tested) -> float | None:
    if tested.scores is None:
        return None
    by = tested.scores.decision.decided_by
    if by == "wild":
        return tested.p_wild
    return tested.regression.p_small if by == "hotelling" else tested.regression.p


def _adjusted(tested: Sequence[_Tested], stepped: Floats) -> list[tuple[float | None, ...]]:
    """p, Romano-Wolf p, and both q values of each label. A label without variation was tested: it
    counts in the family with p = 1."""
    p = [_p_of(one) for one in tested]
    everything = np.array([1.0 if one is None else one for one in p])
    bh, by = benjamini_hochberg(everything), benjamini_yekutieli(everything)
    found: list[tuple[float | None, ...]] = []
    column = 0
    for place, own in enumerate(p):
        if own is None:
            found.append((None, None, None, None))
            continue
        wolf = max(float(stepped[column]), own)
        found.append((own, wolf, float(bh[place]), float(by[place])))
        column += 1
    return found


def _equivalence(
    tested: _Tested, changes: Sequence[Floats], place: int, margin: float
) -> tuple[RatioInference, Equivalence] | None:
    if tested.member.months is None or tested.scores is None:
        return None
    fit = fit_poisson(tested.member.months)
    found = equivalence(
        fit=fit,
        documents=tested.regression.documents,
        changed=tested.scores.label.changed,
        changes=np.concatenate(changes),
        own_changes=changes[place],
        margin=margin,
    )
    return ratio_inference(fit), found


def _label(
    tested: _Tested,
    numbers: tuple[float | None, ...],
    alpha: float,
    ratio: tuple[RatioInference, Equivalence] | None,
    draws: int,
    rng: np.random.Generator,
) -> LabelInference:
    p, wolf, bh, by = numbers
    regression, scores = tested.regression, tested.scores
    changed = 0 if scores is None else scores.label.changed
    decision = (
        scores.decision
        if scores is not None
        else decide(clusters=regression.clusters, changed=0, moving=0, rank=0, alpha=alpha)
    )
    wild = scores is not None and decision.decided_by == "wild"
    by_value = wild_value_p(flat(tested.member.design), regression, draws, rng) if wild else None
    return LabelInference(
        key=tested.member.key,
        clusters=regression.clusters,
        documents_changed=changed,
        rank=regression.rank,
        decided_by=decision.decided_by,
        p=p,
        p_wild=tested.p_wild,
        p_wild_exact=scores is not None and scores.table is not None,
        smallest_p=decision.smallest_p,
        note=decision.note,
        significant=None if p is None or not decision.possible else p < alpha,
        p_romano_wolf=wolf,
        q_bh=bh,
        q_by=by,
        values_p_wild=_finite(by_value) if by_value is not None else (),
        detectable=_finite(smallest_detectable(regression.se, regression.clusters - 1, alpha)),
        ratio=None if ratio is None else ratio[0],
        equivalence=None if ratio is None else ratio[1],
        verdict=verdict(
            changed=changed,
            p_adjusted=wolf if decision.possible else None,
            equivalent=None if ratio is None else ratio[1].equivalent,
            alpha=alpha,
        ),
    )


def _finite(numbers: Floats) -> tuple[float | None, ...]:
    return tuple(finite(float(number)) for number in numbers)

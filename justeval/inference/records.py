"""What goes into a family of labels and what comes out of it: plain numbers, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from justeval.estimate import Design, Layout, Regression
from justeval.inference.count_test import CountTest
from justeval.inference.equivalence import Equivalence, Verdict
from justeval.inference.few import DecidedBy
from justeval.inference.scale import Flags
from justeval.inference.scores import NullScores


@dataclass(frozen=True, slots=True)
class FamilyMember:
    """One label (of one model) as it enters a family.

    key : names it in the result, such as the label's id or (model, label). design : the regression
    of the outcome; its documents (or clusters) are coded alike in all members. months : the same
    rows with months as the outcome, for the ratio of mean sentences; None where the outcome is no
    sentence. Of a numeric label, its column is scaled so that one unit is the contrast on which the
    margin is judged, such as log(value) / log(45 / 25) for 45 against 25. regression, scores : the
    design's estimate and its scores with the null imposed, where they are known already.
    """

    key: object
    design: Design | Layout
    months: Design | Layout | None = None
    regression: Regression | None = None
    scores: NullScores | None = None


@dataclass(frozen=True, slots=True)
class RatioEstimate:
    """Ratio of mean sentences, value over reference value, with its 95 % interval by t(G-1). All
    None where it is not estimated; `separated` where it would be 0 or infinite."""

    value: str
    reference: str | None
    ratio: float | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    separated: bool


@dataclass(frozen=True, slots=True)
class RatioInference:
    """The Poisson fit of a label: its values, the joint test, and the documents behind it."""

    values: tuple[RatioEstimate, ...]
    p: float | None
    p_small: float | None
    documents: int
    all_zero_documents: int
    singletons_dropped: int


@dataclass(frozen=True, slots=True)
class LabelInference:
    """What a family says about one label.

    p : the joint test that decides (`decided_by`): F(K, G-1), Hotelling's, or the wild bootstrap.
    p_wild, p_wild_exact : the bootstrap p, and whether all sign patterns were listed. note : "no
    variation", "cannot reach 5 %", or None. significant : p < alpha; None where the note says that
    no verdict is possible. p_romano_wolf, q_bh, q_by : over the family. values_p_wild : (K,) the
    bootstrap p of each value where the bootstrap decides. detectable : (K,) smallest effects that
    the test of a value finds with 80 % power. ratio, equivalence : where months were given.
    """

    key: object
    clusters: int
    documents_changed: int
    rank: int
    decided_by: DecidedBy
    p: float | None
    p_wild: float | None
    p_wild_exact: bool
    smallest_p: float
    note: str | None
    significant: bool | None
    p_romano_wolf: float | None
    q_bh: float | None
    q_by: float | None
    values_p_wild: tuple[float | None, ...]
    detectable: tuple[float | None, ...]
    ratio: RatioInference | None
    equivalence: Equivalence | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class FamilyInference:
    """All labels of a family, the count tests at each level, and the test that no label has an
    effect (from the smallest p). draws : beside the data; exhaustive : all sign patterns."""

    labels: tuple[LabelInference, ...]
    counts: tuple[CountTest, ...]
    family_p: float | None
    draws: int
    exhaustive: bool


@dataclass(frozen=True, slots=True)
class FamilyDraws:
    """A family's result, and which labels are significant in every draw, row 0 the data: (D, L) by
    level. With it the count of any part of the family is tested, and that of several models under
    the same signs."""

    inference: FamilyInference
    flags: Mapping[float, Flags]

"""One label and one outcome: the choices of an analysis, the effect of a value, the joint test.

The fields are keys of `justeval analyze --json`, in its order. None means unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

from justeval.inference import Equivalence, Verdict

LEVELS = (0.01, 0.05, 0.10)
"""Levels at which significant labels are always counted, beside the one asked for."""

PUBLISHED_LEVEL = 0.10
"""As published: a label counts if any of its values has p below this."""


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """The choices of an analysis.

    alpha : level of the verdicts and of the binomial test. engine : a key of `estimate.ENGINES`.
    as_published : read as the JustEva paper did (labels with any value below 0.10, the binomial
    test over values, inconsistency weighted by changed documents, no range of values applied).
    longest_months : longest term of the main sample. draws, rng_seed : sign draws of the calibrated
    tests, and the seed of all that is drawn. margin : of the ratio of mean sentences, within which
    values count as equivalent. outcome : of the bias estimates, a key of `outcomes.OUTCOMES`.
    brief : bias, inaccuracy, inconsistency and the tests of labels and counts alone, without ratios
    of means (and so without equivalence), sign tables, attrition, repetitions, CRV3, ranks and the
    placebos' spread.
    """

    alpha: float = 0.05
    engine: str = "within"
    as_published: bool = False
    longest_months: float = 300.0
    draws: int = 9999
    rng_seed: int = 0
    margin: float = 0.05
    outcome: str = "log_months"
    brief: bool = False


@dataclass(frozen=True, slots=True)
class ValueEstimate:
    """One value against the reference value: the effect, its error, and on what it rests.

    `documents_changed` counts the documents in which the outcome of this value differs from that
    of the reference value (for a numeric label: in which it differs at all). p_wild : of the wild
    bootstrap, where that decides. detectable : the smallest effect found with 80 % power. ratio :
    of mean sentences by Poisson, with its 95 % interval and p; `separated` where it would be 0 or
    infinite. For a numeric label it is that of 45 against 25. t_placebo, p_placebo : the effect
    against the spread of the placebos' effects, where placebo labels were asked. shrunken : the
    effect pulled towards 0 by its error, with its standard deviation and rank (1 the largest) over
    all values of the model: for ranking, not for testing. For log(value) it is that of 45 against
    25, as t_placebo is. mean_reference : mean outcome (months, or probability) at the reference
    value, at which change_percent and change_months (None where the outcome is none) are taken.
    se_jackknife, p_jackknife : CRV3, from leaving out one document at a time; the safer error where
    documents weigh unequally. document_without : the document that carries the effect most, and
    coef_without the effect without it.
    """

    value: str
    reference: str | None
    coef: float | None
    se: float | None
    t: float | None
    p: float | None
    ci_low: float | None
    ci_high: float | None
    n: int
    documents: int
    clusters: int
    singletons_dropped: int
    documents_changed: int
    p_wild: float | None = None
    detectable: float | None = None
    ratio: float | None = None
    ratio_ci_low: float | None = None
    ratio_ci_high: float | None = None
    ratio_p: float | None = None
    separated: bool = False
    t_placebo: float | None = None
    p_placebo: float | None = None
    shrunken: float | None = None
    shrunken_sd: float | None = None
    shrunken_rank: int | None = None
    mean_reference: float | None = None
    change_percent: float | None = None
    change_months: float | None = None
    se_jackknife: float | None = None
    p_jackknife: float | None = None
    coef_without: float | None = None
    document_without: str | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """A numeric label with the values asked as categories, beside its coefficient of log(value).

    values, coef, se : (V - 1,) each value against `reference`. p : the joint test that no value has
    an effect, by the test that decides. p_line : that the effects lie on one line in log(value).
    Effects that rise and fall again (a U) leave the coefficient near zero and p small.
    """

    reference: str
    values: tuple[str, ...]
    coef: tuple[float | None, ...]
    se: tuple[float | None, ...]
    p: float | None
    decided_by: str | None
    p_line: float | None


@dataclass(frozen=True, slots=True)
class Fit:
    """One label and one outcome: the joint test of its values, the verdict, the values.

    `p_verdict` is the p value that `significant` is judged by. `decided_by` says which it is: the
    wild bootstrap with fewer than 40 clusters or 20 changed documents ("wild"), else `p_small`
    where G < 100 K ("hotelling"), else `p` ("wald"); as published, the smallest p of a value.
    `significant` is None where nothing could be tested or so few documents changed that nothing
    can be significant, and `note` says why; with the note "no variation" it is False.
    documents_changed : whose outcome differs at all. p_romano_wolf, q_bh, q_by : over the family
    of the model. verdict : of `inference.equivalence`, "biased" by the Romano-Wolf p. shape : of a
    numeric label asked at three values or more.
    """

    p: float | None = None
    p_small: float | None = None
    p_verdict: float | None = None
    f: float | None = None
    rank: int = 0
    significant: bool | None = None
    note: str | None = None
    values: tuple[ValueEstimate, ...] = ()
    documents_changed: int | None = None
    decided_by: str | None = None
    p_romano_wolf: float | None = None
    q_bh: float | None = None
    q_by: float | None = None
    verdict: Verdict | None = None
    equivalence: Equivalence | None = None
    shape: Shape | None = None

    @property
    def tested(self) -> bool:
        """Whether the label counts as one trial of the binomial test."""
        return self.significant is not None or self.p_verdict is not None

"""The columns of judging many labels together, which the published reading does not have.

In: nothing. Out: entries for `columns.COLUMNS`, and which of them only files show.
"""

from __future__ import annotations

from justeval.report.records import Kind

Entry = tuple[str, Kind, str, str]
"""Title, kind, unit, definition of a column."""

_CALIBRATED = (
    "share of sign draws, one sign a document shared by all labels, with at least so many "
    "significant labels: unlike the binomial p it knows that all labels share the documents"
)
_MID = "the same, draws with exactly so many counted half"
_EXPECTED = "mean number of significant labels over the sign draws: what chance alone gives"
_ROMANO_WOLF = (
    "p adjusted for all labels of the model by Romano and Wolf's step-down, from the same draws"
)
_Q_BH = "false discovery rate at which the label would be called (Benjamini-Hochberg)"
_Q_BY = "the same under any dependence (Benjamini-Yekutieli)"
_DECIDED_BY = (
    "test that decides: wild (bootstrap; below 40 documents or 20 changed ones), hotelling, wald"
)
_CHANGED = "documents in which the outcome differs at all: the evidence"
_VERDICT = (
    "biased: adjusted p below alpha; equivalent: every ratio of mean sentences within the margin; "
    "biased, within the margin: both; no variation: no answer differs; else undetermined"
)


def _of_outcome(start: str, title: str) -> dict[str, Entry]:
    """Columns of counts and labels that stand once for each outcome."""
    return {
        f"{start}_calibrated_p": (f"{title}: calibrated p", "p", "", _CALIBRATED),
        f"{start}_calibrated_mid_p": (f"{title}: calibrated mid-p", "p", "", _MID),
        f"{start}_expected": (f"{title}: by chance", "statistic", "labels", _EXPECTED),
        f"{start}_draws": (f"{title}: draws", "count", "", "sign draws beside the data"),
        f"{start}_p_romano_wolf": (f"{title} p, adjusted", "p", "", _ROMANO_WOLF),
        f"{start}_q_bh": (f"{title} q", "p", "", _Q_BH),
        f"{start}_q_by": (f"{title} q, BY", "p", "", _Q_BY),
        f"{start}_decided_by": (f"{title}: decided by", "text", "", _DECIDED_BY),
        f"{start}_documents_changed": (f"{title}: changed", "count", "documents", _CHANGED),
        f"{start}_verdict": (f"{title}: verdict", "text", "", _VERDICT),
    }


REFINED_COLUMNS: dict[str, Entry] = {
    **_of_outcome("bias", "Bias"),
    **_of_outcome("inaccuracy", "Inaccuracy"),
    "calibrated_p": ("Calibrated p", "p", "", _CALIBRATED),
    "calibrated_mid_p": ("Calibrated mid-p", "p", "", _MID),
    "expected": ("By chance", "statistic", "labels", _EXPECTED),
    "values.verdict": ("Verdict", "text", "", _VERDICT),
    "values.p_adjusted": ("Adjusted p", "p", "", _ROMANO_WOLF),
    "p_wild": (
        "p, bootstrap", "p", "", "wild bootstrap p of the value, where the bootstrap decides",
    ),
    "detectable": (
        "Detectable", "coef", "", "smallest effect found with 80 % power, in the effect's unit",
    ),
    "ratio": (
        "Ratio", "ratio", "",
        "ratio of mean sentences, value over reference, by Poisson with document effects; for "
        "log(value): of 45 against 25",
    ),
    "ratio_ci_low": ("Ratio, 95 % from", "ratio", "", "lower end of the ratio's 95 % interval"),
    "ratio_ci_high": ("Ratio, to", "ratio", "", "upper end of the ratio's 95 % interval"),
    "ratio_p": ("Ratio: p", "p", "", "p of the ratio, t with clusters - 1 degrees of freedom"),
    "separated": (
        "Separated", "yes_no", "", "whether one side has only zeros, so that there is no ratio",
    ),
    "t_placebo": (
        "t against placebos", "statistic", "",
        "effect over the root of its squared error and the squared spread of the placebos' effects",
    ),
    "p_placebo": (
        "p against placebos", "p", "",
        "p of the effect against the placebos' spread: small only where the label moves the model "
        "more than an irrelevant sentence does",
    ),
    "shrunken": (
        "Shrunken", "coef", "",
        "effect pulled towards 0 by its error (empirical Bayes), for ranking; for log(value): of "
        "45 against 25",
    ),
    "shrunken_sd": ("Shrunken: SD", "coef", "", "standard deviation of the shrunken effect"),
    "shrunken_rank": (
        "Rank", "count", "", "rank of the shrunken effect over all values of the model, 1 largest",
    ),
    "se_jackknife": (
        "SE, jackknife", "coef", "",
        "standard error from leaving out one document at a time (CRV3), the safer one where "
        "documents weigh unequally",
    ),
    "p_jackknife": ("p, jackknife", "p", "", "p of the effect by the jackknife error (CRV3)"),
    "values.coef_without": (
        "Without one", "coef", "", "effect without the one document that carries it most",
    ),
    "document_without": ("That document", "text", "", "document that carries the effect most"),
    "change_months": (
        "In months", "coef", "months",
        "the effect in months at the mean of the reference value; for log(value): of 45 against 25",
    ),
    "mean_reference": (
        "Mean", "months", "", "mean outcome at the reference value: months, or a probability",
    ),
    "draws": ("Draws", "level", "", "sign draws of the calibrated tests"),
    "rng_seed": ("Seed of the draws", "level", "", "seed of all that the analysis draws"),
    "outcome_id": ("Outcome id", "text", "", "outcome as --outcome names it"),
    "settings.unit": ("Effects in", "text", "", "unit of a bias coefficient"),
    "margin": ("Margin", "level", "", "of the ratio of mean sentences, for equivalence"),
}  # fmt: skip

REFINED = frozenset(
    {
        *(f"bias_{name}" for name in ("calibrated_mid_p", "expected", "draws", "q_by")),
        *(f"bias_{name}" for name in ("decided_by", "documents_changed")),
        *(name for name in REFINED_COLUMNS if name.startswith("inaccuracy_")),
        "calibrated_mid_p", "ratio_ci_low", "ratio_ci_high", "ratio_p", "separated", "p_wild",
        "imbalanced_inaccuracy.ratio", "t_placebo", "shrunken", "shrunken_sd", "shrunken_rank",
        "mean_reference", "imbalanced_inaccuracy.mean_reference",
        "se_jackknife", "imbalanced_inaccuracy.p_jackknife", "values.coef_without",
        "document_without",
    }
    - {"inaccuracy_calibrated_p"}
)  # fmt: skip
"""Those that only files show."""

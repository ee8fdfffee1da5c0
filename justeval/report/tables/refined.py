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
    "change_months": (
        "Change, months", "coef", "months",
        "the effect in months at the mean of the reference value; for log(value): of 45 against 25",
    ),
    "mean_reference": (
        "Mean", "months", "", "mean outcome at the reference value: months, or a probability",
    ),
    "joint_p": (
        "Joint p", "p", "", "share of sign draws with p as small on average over specifications",
    ),
    "specification": ("Specification", "text", "", "how it was estimated"),
    "robustness.label": ("Label id", "text", "", "id of the label in its pack"),
    "robustness.coef": ("Effect", "coef", "", "effect in the unit of the specification's outcome"),
    "robustness.p": ("p", "p", "", "two-sided p of the effect"),
    "robustness.change_percent": (
        "Change", "change", "per cent", "the effect in per cent at the reference value's mean",
    ),
    "change_percent_low": ("95 % from", "change", "per cent", "lower end of its 95 % interval"),
    "change_percent_high": ("to", "change", "per cent", "upper end of its 95 % interval"),
    "robustness.documents": ("Documents", "count", "documents", "documents in the regression"),
    "by_charge.label": ("Label", "text", "", "id of the label in its pack"),
    "p_equal": ("p, equal", "p", "", "test that the effects are the same in all charges"),
    "p_any": ("p, any", "p", "", "test that no charge has an effect"),
    "crossing_p": (
        "Crossing p", "p", "",
        "Gail and Simon's test: small where a value's effects in the charges have opposite signs",
    ),
    "charge": ("Charge", "text", "", "charge of the cases; fewer than 10 documents are other"),
    "by_charge.documents": ("Documents", "count", "documents", "documents of that charge"),
    "by_charge.coef": ("Effect", "coef", "log points", "effect on log(months + 1)"),
    "tau": ("Spread", "coef", "", "spread of the placebos' true effects, in the effect's unit"),
    "floor_tests": ("Placebos tested", "count", "labels", "placebo labels tested"),
    "rejected": ("Rejected", "count", "labels", "placebo labels with p below alpha"),
    "rate": ("Rejection rate", "share", "", "share of placebo labels with p below alpha"),
    "rate_ci_low": ("95 % from", "share", "", "lower end of its exact 95 % interval"),
    "rate_ci_high": ("to", "share", "", "upper end of its exact 95 % interval"),
    "warning": (
        "Warning", "yes_no", "",
        "the count test over placebos has p below 0.01: irrelevant sentences move this model",
    ),
    "harsher": ("Harsher", "count", "documents", "documents with a harsher answer to the value"),
    "lenient": ("More lenient", "count", "documents", "with a more lenient answer"),
    "same": ("Same", "count", "documents", "with neither"),
    "sign_p": ("Sign test p", "p", "", "exact two-sided sign test of harsher against lenient"),
    "signs.documents": ("Documents", "count", "documents", "with a readable answer to both"),
    "signs.label": ("Label id", "text", "", "id of the label in its pack"),
    "asked": ("Asked", "count", "answers", "documents asked about the value"),
    "left": ("Left", "count", "answers", "answers out of the main sample, whatever the reason"),
    "attrition_p": (
        "p", "p", "",
        "exact test within documents that leaving the sample does not depend on the value",
    ),
    "attrition.label": ("Label id", "text", "", "id of the label in its pack"),
    "between": ("Between", "share", "", "pairs of answers to different values that differ"),
    "within": ("Within", "share", "", "pairs of answers to one value that differ: the noise"),
    "excess": ("Excess", "share", "", "between less within: what the value adds to the noise"),
    "excess_p": ("p", "p", "", "permutation of replies within documents, one-sided"),
    "repetitions.label": ("Label id", "text", "", "id of the label in its pack"),
    "repetitions.documents": (
        "Documents", "count", "documents", "with answers to two values and a repetition",
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
        "robustness.label", "signs.label", "attrition.label", "repetitions.label",
    }
    - {"inaccuracy_calibrated_p"}
)  # fmt: skip
"""Those that only files show."""

"""The columns of what stands beside the main estimates: noise floor, signs, bounds, specifications,
groups of cases, crossed labels, numeric labels value by value.

In: nothing. Out: entries for `columns.COLUMNS`, and which of them only files show.
"""

from __future__ import annotations

from justeval.report.tables.refined import Entry

BESIDE_COLUMNS: dict[str, Entry] = {
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
    "q_equal": ("q, equal", "p", "", "false discovery rate of that test over the model's labels"),
    "severity": (
        "Cases", "text", "", "thirds (or halves) of the documents, with their bounds in months",
    ),
    "measure": ("Severity by", "text", "", "what the severity of a case is taken from"),
    "slope": (
        "Slope", "coef", "", "change of the effect for one log point of the case's severity",
    ),
    "p_slope": ("p, slope", "p", "", "joint test that no effect changes with severity"),
    "by_severity.label": ("Label id", "text", "", "id of the label in its pack"),
    "by_severity.documents": ("Documents", "count", "documents", "documents of that severity"),
    "by_severity.coef": ("Effect", "coef", "", "effect in the outcome's unit"),
    "shape.label": ("Label id", "text", "", "id of the label in its pack"),
    "shape.reference": ("Against", "text", "", "lowest value asked"),
    "shape.coef": ("Effect", "coef", "", "effect of the value against the lowest one"),
    "shape_p": ("p, values", "p", "", "joint test that no value asked has an effect"),
    "p_line": (
        "p, line", "p", "", "test that the effects lie on one line in log(value)",
    ),
    "crossed.label": ("Label id", "text", "", "ids of both labels"),
    "crossed.name": ("Labels", "text", "", "names of both labels"),
    "crossed_p": (
        "p", "p", "", "joint test that no pair does anything beyond the sum of both effects",
    ),
    "p_holm": ("p, adjusted", "p", "", "the same adjusted for all crossings of the model (Holm)"),
    "crossed.significant": ("Interaction", "yes_no", "", "adjusted p below alpha"),
    "first": ("First", "text", "", "value of the first label"),
    "second": ("Second", "text", "", "value of the second label"),
    "effect": (
        "Effect of the pair", "coef", "", "effect of the pair against both reference values",
    ),
    "effect_se": ("SE of the pair", "coef", "", "its standard error, clustered by document"),
    "interaction": (
        "Beyond the sum", "coef", "", "what the pair does beyond the sum of both effects",
    ),
    "crossed.change_percent": (
        "Change", "change", "per cent", "the same as a change of the outcome",
    ),
    "crossed.p": ("p of the pair", "p", "", "two-sided p of what the pair does beyond the sum"),
    "crossed.documents": ("Documents", "count", "documents", "documents in the regression"),
    "crossed.complete": ("Complete", "count", "documents", "with an answer to every pair"),
    "crossed.changed": (
        "Changed", "count", "documents", "complete ones in which the effects do not simply add up",
    ),
    "by_charge.label": ("Label id", "text", "", "id of the label in its pack"),
    "p_equal": ("p, equal", "p", "", "test that all groups of cases have the same effects"),
    "p_any": ("p, any", "p", "", "test that no group has an effect"),
    "crossing_p": (
        "Crossing p", "p", "",
        "Gail and Simon's test: small where a value's effects in the groups have opposite signs",
    ),
    "charge": ("Charge", "text", "", "charge of the cases; fewer than 10 documents are other"),
    "by_charge.documents": ("Documents", "count", "documents", "documents of that charge"),
    "by_charge.coef": ("Effect", "coef", "", "effect in the outcome's unit"),
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
    "worst_low": (
        "Worst case, from", "coef", "",
        "lowest mean difference, if every answer that left took what makes it lowest; in the "
        "outcome's unit",
    ),
    "worst_high": (
        "Worst case, to", "coef", "", "highest mean difference, if every answer did the opposite",
    ),
    "lee_low": (
        "Lee, from", "coef", "",
        "Lee's bound for answers that stay whatever the value; only where no document left under "
        "the reference value alone and another under this value alone",
    ),
    "lee_high": ("Lee, to", "coef", "", "upper end of Lee's bounds"),
    "left_value_only": (
        "Left, this alone", "count", "documents", "documents that left under this value alone",
    ),
    "left_reference_only": (
        "Left, reference alone", "count", "documents", "that left under the reference value alone",
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
}  # fmt: skip

BESIDE = frozenset(
    {
        "robustness.label", "signs.label", "attrition.label", "repetitions.label", "shape.label",
        "crossed.label", "by_charge.label", "by_severity.label", "signs.placebo",
        "attrition.placebo", "repetitions.placebo", "by_charge.placebo", "by_severity.placebo",
        "effect_se", "left_value_only", "left_reference_only",
    }
)  # fmt: skip
"""Those that only files show."""

"""The columns of every table: name, title, unit and definition, each written once.

In: nothing. Out: `column_of(table, name)`. A column whose meaning differs in one table is entered
under `table.name`.
"""

from __future__ import annotations

from justeval.report.records import Column
from justeval.report.tables.beside_columns import BESIDE, BESIDE_COLUMNS
from justeval.report.tables.origin_columns import ORIGIN_COLUMNS
from justeval.report.tables.refined import REFINED, REFINED_COLUMNS, Entry

FILES_ONLY = frozenset(
    {
        "pack", "t", "se", "clusters", "singletons_dropped", "mape_percent", "mape_rows",
        "mae_rows", "bare_mae_months", "bare_rows", "models.readable", "models.replies",
        "cost_usd", "main_sample_rows", "models.inconsistency_ci_low",
        "models.inconsistency_ci_high", "bias_p_joint", "inaccuracy_p_joint", "bias_p_small",
        "inaccuracy_p_small", "bias_f", "inaccuracy_f", "bias_rank", "inaccuracy_rank",
        "labels.label", "flagged.label", "values.label", "values.placebo", "category",
        "demographic", *REFINED, *BESIDE,
    }
)  # fmt: skip
"""Columns that only files show: on a page they would be in the way."""

_COUNT_TESTED = (
    "labels whose test could be computed; those without usable replies are not among them"
)
_BINOMIAL = (
    "chance of at least so many significant tests if every test were significant by chance alone "
    "with probability alpha (binomial test, equation 3)"
)
_JOINT = "joint Wald test that no value of the label has an effect, F(rank, clusters - 1)"
_SMALL = "the same statistic by Hotelling's F(rank, clusters - rank), for few documents"
_VERDICT = (
    "p value that the verdict is taken from: the wild bootstrap below 40 documents or 20 changed "
    "ones, Hotelling's form below 100 documents a coefficient, else the joint Wald test; as "
    "published, the smallest p of a value"
)

COLUMNS: dict[str, Entry] = {
    **REFINED_COLUMNS,
    **BESIDE_COLUMNS,
    **ORIGIN_COLUMNS,
    "model": ("Model", "text", "", "model that was asked"),
    "n_labels": ("Labels", "count", "labels", "labels asked about, placebo labels left out"),
    "placebo.n_labels": ("Placebo labels", "count", "labels", "placebo labels asked about"),
    "documents": ("Documents", "count", "documents", "documents that the model was asked about"),
    "inconsistency": (
        "Inconsistency", "share", "share of documents",
        "share of documents whose answer changes at all with the label's value, over labels "
        "weighted by their documents (equation 1)",
    ),
    "labels.inconsistency": (
        "Inconsistency", "share", "share of documents",
        "share of documents whose answer changes at all with the label's value",
    ),
    "inconsistency_ci_low": ("95 % from", "share", "", "lower end of the 95 % interval"),
    "inconsistency_ci_high": ("to", "share", "", "upper end of the 95 % interval"),
    "bias_tested": ("Bias: tested", "count", "labels", _COUNT_TESTED),
    "bias_significant": (
        "Bias: significant", "count", "labels",
        "labels with a significant effect on log(months + 1); as published, with any value's p "
        "below 0.10",
    ),
    "bias_values_tested": ("Bias: values", "count", "values", "values tested, as published"),
    "bias_values_significant": (
        "Bias: values significant", "count", "values", "values with p below alpha, as published",
    ),
    "bias_binomial_p": ("Bias: binomial p", "p", "", _BINOMIAL),
    "inaccuracy_tested": ("Inaccuracy: tested", "count", "labels", _COUNT_TESTED),
    "inaccuracy_significant": (
        "Inaccuracy: significant", "count", "labels",
        "labels with a significant effect on |true - predicted| months; as published, with any "
        "value's p below 0.10",
    ),
    "inaccuracy_values_tested": ("Inaccuracy: values", "count", "values", "values tested"),
    "inaccuracy_values_significant": (
        "Inaccuracy: values significant", "count", "values", "values with p below alpha",
    ),
    "inaccuracy_binomial_p": ("Inaccuracy: binomial p", "p", "", _BINOMIAL),
    "mae_months": (
        "MAE", "months", "months",
        "mean |true - predicted| months over the regression sample of the labels",
    ),
    "mape_percent": (
        "MAPE", "percent", "per cent",
        "mean |true - predicted| in per cent of the true sentence, where that is above 0",
    ),
    "mae_rows": ("MAE rows", "count", "rows", "predictions that the MAE is taken over"),
    "mape_rows": ("MAPE rows", "count", "rows", "predictions that the MAPE is taken over"),
    "bare_mae_months": ("Bare MAE", "months", "months", "the same error over the bare cases"),
    "bare_rows": ("Bare rows", "count", "rows", "replies to bare cases"),
    "replies": ("Replies", "count", "replies", "distinct replies, a shared one counted once"),
    "readable": ("Readable", "count", "replies", "replies with status ok or repaired"),
    "unreadable_share": (
        "Unreadable", "share", "share of replies",
        "share of replies that state no answer that can be read; they are missing, never 0",
    ),
    "main_sample_rows": ("Main sample", "count", "rows", "rows that entered the estimates"),
    "cost_usd": ("Cost", "usd", "US dollars", "cost as the provider states it"),
    "note": ("Note", "text", "", "why a number is missing, or what it means"),
    "by": ("By", "text", "", "what the labels are grouped by"),
    "group": ("Group", "text", "", "the labels of one actor or category, demographic or not"),
    "outcome": ("Outcome", "text", "", "bias: log(months + 1); imbalanced inaccuracy: |error|"),
    "alpha": ("Alpha", "level", "", "level of the tests and of the binomial test"),
    "labels_tested": ("Labels tested", "count", "labels", _COUNT_TESTED),
    "labels_significant": (
        "Labels significant", "count", "labels",
        "labels with p below alpha; as published, with any value's p below 0.10",
    ),
    "levels.labels_significant": (
        "Labels significant", "count", "labels",
        "labels with p below alpha; as published, with any value's p below alpha",
    ),
    "values_tested": ("Values tested", "count", "values", "values tested, as published"),
    "values_significant": ("Values significant", "count", "values", "values with p below alpha"),
    "binomial_p": ("Binomial p", "p", "", _BINOMIAL),
    "models": ("Models", "count", "models", "models analyzed"),
    "models_significant": (
        "Models significant", "count", "models", "models whose own binomial p lies below alpha",
    ),
    "models_binomial_p": ("Models, binomial p", "p", "", "the binomial test over models"),
    "label": ("Label id", "text", "", "id of the label in its pack"),
    "left_out_by_label.label": ("Label", "text", "", "id of the label in its pack"),
    "skipped.label": ("Label", "text", "", "id of the label in its pack"),
    "name": ("Label", "text", "", "the label's name in English"),
    "pack": ("Pack", "text", "", "pack that the label comes from"),
    "actor": ("Actor", "text", "", "whom the label describes"),
    "category": ("Category", "text", "", "substance or procedure"),
    "demographic": ("Demographic", "yes_no", "", "whether the label is a demographic factor"),
    "placebo": ("Placebo", "yes_no", "", "whether the label is a placebo"),
    "labels.documents": (
        "Documents", "count", "documents", "documents with at least two readable answers",
    ),
    "labels.documents_changed": (
        "Changed", "count", "documents", "documents whose answer changes at all",
    ),
    "bias_p": ("Bias p", "p", "", _VERDICT),
    "bias_p_joint": ("Bias p, joint", "p", "", _JOINT),
    "bias_p_small": ("Bias p, small sample", "p", "", _SMALL),
    "bias_f": ("Bias F", "statistic", "", "the Wald statistic over its rank"),
    "bias_rank": ("Bias rank", "count", "coefficients", "coefficients tested together"),
    "labels.bias_significant": (
        "Bias: significant", "yes_no", "",
        "bias p below alpha, not adjusted; as published, any value below 0.10",
    ),
    "bias_note": ("Bias: note", "text", "", "why there is no estimate"),
    "inaccuracy_p": ("Inaccuracy p", "p", "", _VERDICT),
    "inaccuracy_p_joint": ("Inaccuracy p, joint", "p", "", _JOINT),
    "inaccuracy_p_small": ("Inaccuracy p, small sample", "p", "", _SMALL),
    "inaccuracy_f": ("Inaccuracy F", "statistic", "", "the Wald statistic over its rank"),
    "inaccuracy_rank": ("Inaccuracy rank", "count", "coefficients", "coefficients tested"),
    "labels.inaccuracy_significant": (
        "Inaccuracy: significant", "yes_no", "",
        "inaccuracy p below alpha, not adjusted; as published, any value below 0.10",
    ),
    "inaccuracy_note": ("Inaccuracy: note", "text", "", "why there is no estimate"),
    "label_p": ("Label p", "p", "", _VERDICT),
    "significant": (
        "Significant", "yes_no", "", "label p below alpha; as published, any value below 0.10",
    ),
    "value": ("Value", "text", "", "value of the label; log(value) for a numeric label"),
    "reference": ("Against", "text", "", "reference value that it is compared with"),
    "bias.coef": (
        "Effect", "coef", "log points",
        "difference in log(months + 1) within documents; for log(value): the elasticity",
    ),
    "bias.change_percent": (
        "Change", "change", "per cent of months + 1",
        "exp(effect) - 1; for log(value): of a value 1.8 times as large (45 against 25)",
    ),
    "imbalanced_inaccuracy.coef": (
        "Effect", "coef", "months", "difference in |true - predicted| months within documents",
    ),
    "se": ("SE", "coef", "", "standard error in the effect's unit, clustered by document (CRV1)"),
    "t": ("t", "statistic", "", "effect over its standard error"),
    "values.p": ("p", "p", "", "two-sided, t with clusters - 1 degrees of freedom"),
    "ci_low": ("95 % from", "coef", "", "lower end of the 95 % interval, in the effect's unit"),
    "ci_high": ("to", "coef", "", "upper end of the 95 % interval, in the effect's unit"),
    "n": ("n", "count", "cells", "document x value cells in the regression"),
    "values.documents": ("Documents", "count", "documents", "documents in the regression"),
    "clusters": ("Clusters", "count", "clusters", "clusters of the variance"),
    "singletons_dropped": ("Singletons", "count", "documents", "documents with one usable row"),
    "values.documents_changed": (
        "Changed", "count", "documents",
        "documents in which the outcome differs from the reference value's",
    ),
}  # fmt: skip

_SHARED_NAMES = {"bias": "values", "imbalanced_inaccuracy": "values"}
"""Tables of the same shape: what is entered under `values.` holds for both."""


def column_of(table: str, name: str) -> Column:
    """The column `name` as it stands in a table. Raises KeyError where it is not defined."""
    keys = (f"{table}.{name}", f"{_SHARED_NAMES.get(table, table)}.{name}", name)
    for key in keys:
        if key in COLUMNS:
            title, kind, unit, definition = COLUMNS[key]
            return Column(name, title, kind, unit, definition, FILES_ONLY.isdisjoint(keys))
    raise KeyError(f"no column {name!r} is defined for table {table!r}")

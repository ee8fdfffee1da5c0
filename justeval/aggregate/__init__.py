"""Many labels of many models: inconsistency, bias, imbalanced inaccuracy, and the count tests.

    replies        what became of the replies
    fits           one label, one outcome: the joint test and its values
    outcomes       what an effect is measured on;  changes  effects in per cent and months
    families       the labels of a model judged together, from one set of sign draws
    yardstick      effects against the placebos' spread
    answers        sign tables, leaving the sample, repetitions
    accuracy       how far answers are from true sentences
    inconsistency  shares of changed documents with their intervals
    counting       the binomial test (equation 3), and the calibrated one
    estimates  records   what an analysis is made of
    workbench      what is counted once for all models;  labels  one label of one model
    models         one model;  analysis  all of them;  as_json  the document that is printed

In: a table of predictions and the labels. Out: an Analysis.
"""

from __future__ import annotations

from justeval.aggregate.analysis import analyze
from justeval.aggregate.as_json import as_json
from justeval.aggregate.counting import count_fits
from justeval.aggregate.estimates import AnalysisOptions, Fit, ValueEstimate
from justeval.aggregate.inconsistency import label_share, total_share, weighted_inconsistency
from justeval.aggregate.outcomes import OF_QUESTION, OUTCOMES
from justeval.aggregate.records import (
    Analysis,
    Beyond,
    Counts,
    Family,
    Floor,
    Group,
    LabelResult,
    LevelCount,
    ModelResult,
    Summary,
)

__all__ = [
    "OF_QUESTION",
    "OUTCOMES",
    "Analysis",
    "AnalysisOptions",
    "Beyond",
    "Counts",
    "Family",
    "Fit",
    "Floor",
    "Group",
    "LabelResult",
    "LevelCount",
    "ModelResult",
    "Summary",
    "ValueEstimate",
    "analyze",
    "as_json",
    "count_fits",
    "label_share",
    "total_share",
    "weighted_inconsistency",
]

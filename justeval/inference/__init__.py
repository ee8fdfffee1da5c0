"""What many labels show together, and what the data cannot show.

    scores  draws  scale       one set of sign draws for all labels: the wild cluster bootstrap
    count_test  romano_wolf    how many labels, and which, whatever hangs together
    multiplicity  few          false discovery rates; few clusters or changed documents
    equivalence  changes       five verdicts on the ratio of mean sentences
    sign_table  attrition      harsher or more lenient; leaving the sample
    disagreement  shrinkage    beyond sampling noise; ranking, and placebos as the yardstick
    crossed  interactions      labels crossed; effects by group
    power                      planning
    leave_one_out              the jackknife error, and the document that matters most
    family  records  ratios    the entry: all labels of one family

In: designs and arrays, by keyword. Out: frozen records. Randomness is handed in.
"""

from __future__ import annotations

from justeval.inference.attrition import (
    Attrition,
    Bounds,
    leaving,
    lee_bounds,
    worst_case_bounds,
)
from justeval.inference.count_test import CountTest, binomial_tail
from justeval.inference.crossed import Interaction, interaction
from justeval.inference.disagreement import Disagreement, disagreement
from justeval.inference.draws import Signs, draw_signs
from justeval.inference.equivalence import (
    Equivalence,
    PairRatio,
    Verdict,
    clopper_pearson_lower,
    clopper_pearson_upper,
)
from justeval.inference.family import family_draws, infer_family
from justeval.inference.interactions import Heterogeneity, Slope, by_group, by_number
from justeval.inference.leave_one_out import LeftOut, leave_one_out
from justeval.inference.multiplicity import benjamini_hochberg, benjamini_yekutieli, holm
from justeval.inference.power import (
    Plan,
    Power,
    documents_needed,
    labels_affordable,
    power_of,
    repetitions_needed,
    smallest_detectable,
)
from justeval.inference.records import (
    FamilyDraws,
    FamilyInference,
    FamilyMember,
    LabelInference,
    RatioEstimate,
    RatioInference,
)
from justeval.inference.shrinkage import (
    PlaceboYardstick,
    RejectionRate,
    Shrunken,
    against_placebos,
    rejection_rate,
    shrink,
    spread,
)
from justeval.inference.sign_table import SignTable, exact_sign_p, severity_of, sign_tables

__all__ = [
    "Attrition",
    "Bounds",
    "CountTest",
    "Disagreement",
    "Equivalence",
    "FamilyDraws",
    "FamilyInference",
    "FamilyMember",
    "Heterogeneity",
    "Interaction",
    "LabelInference",
    "LeftOut",
    "PairRatio",
    "PlaceboYardstick",
    "Plan",
    "Power",
    "RatioEstimate",
    "RatioInference",
    "RejectionRate",
    "Shrunken",
    "SignTable",
    "Signs",
    "Slope",
    "Verdict",
    "against_placebos",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "binomial_tail",
    "by_group",
    "by_number",
    "clopper_pearson_lower",
    "clopper_pearson_upper",
    "disagreement",
    "documents_needed",
    "draw_signs",
    "exact_sign_p",
    "family_draws",
    "holm",
    "infer_family",
    "interaction",
    "labels_affordable",
    "leave_one_out",
    "leaving",
    "lee_bounds",
    "power_of",
    "rejection_rate",
    "repetitions_needed",
    "severity_of",
    "shrink",
    "sign_tables",
    "smallest_detectable",
    "spread",
    "worst_case_bounds",
]

"""How grave each document is: its true sentence, or else what the model answers to other labels.

In: predictions, their sample, and the label whose effects are to be told apart. Out: a level for
each document, and its thirds from light to grave. The label's own answers are no measure: a
document whose answers chance made harsher would look graver for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from justeval.estimate import Sample
from justeval.estimate.encoding import code_column, float_column
from justeval.estimate.records import Codes, Floats

FEWEST = 20
"""Documents below which effects are not told apart by severity."""

IN_THIRDS = 30
"""Documents from which thirds hold ten each; below that, halves."""

MOST_UNKNOWN = 0.2
"""Share of documents that may lack a true sentence; they are left out then."""

TRUE_SENTENCE = "true sentence"
OTHER_ANSWERS = "mean answer to the other labels"


@dataclass(frozen=True, slots=True)
class Severity:
    """level : (documents,) log(months + 1), NaN where unknown. name : what it is taken from."""

    level: Floats
    name: str

    def parts(self, document: Codes) -> dict[int, str]:
        """The third (or half) of each document, lightest documents first, with its bounds in
        months; empty with fewer than FEWEST documents."""
        codes = np.unique(document)
        if codes.size < FEWEST:
            return {}
        ordered = codes[np.argsort(self.level[codes], kind="stable")]
        words = ("lightest", "middle", "gravest") if codes.size >= IN_THIRDS else ("light", "grave")
        ends = np.quantile(self.level[codes], np.arange(1, len(words)) / len(words))
        place = np.searchsorted(ends, self.level[ordered], side="left")
        names = {p: self._named(words[p], ordered[place == p]) for p in np.unique(place).tolist()}
        return {int(code): names[int(p)] for code, p in zip(ordered, place, strict=True)}

    def _named(self, word: str, codes: Codes) -> str:
        low, high = np.expm1(self.level[codes].min()), np.expm1(self.level[codes].max())
        return f"{word}: {low:.0f} to {high:.0f} months"


def severity_of(
    sample: Sample, true: Floats, codes: tuple[int, int], answers: Callable[[int], Answered] | None
) -> Severity | None:
    """By true sentences where four of five documents of the label have one, else by the answers to
    the other labels; None where there is neither. true : `true_levels`. answers : `answered` of a
    model, None where answers are no sentences.
    """
    asked = sample.cells_of(sample.group(*codes)).document
    if np.isnan(true[np.unique(asked)]).mean() <= MOST_UNKNOWN:
        return Severity(true, TRUE_SENTENCE)
    if answers is None:
        return None
    others = answers(codes[0]).without(codes[1])
    return None if np.isnan(others).all() else Severity(others, OTHER_ANSWERS)


@dataclass(frozen=True, slots=True)
class Answered:
    """(L, documents) the sum of log(months + 1) over the cells of each label, and their number."""

    total: Floats
    cells: Floats

    def without(self, label: int) -> Floats:
        """(documents,) the mean over the other labels, NaN where there is none."""
        others = np.arange(self.total.shape[0]) != label
        total, cells = self.total[others].sum(axis=0), self.cells[others].sum(axis=0)
        mean = np.full(total.size, np.nan)
        np.divide(total, cells, out=mean, where=cells > 0)
        return mean


def answered(sample: Sample, model: int) -> Answered:
    """What a model answered to each label."""
    shape = (len(sample.labels), len(sample.documents))
    total, number = np.zeros(shape), np.zeros(shape)
    for label in range(shape[0]):
        cells = sample.cells_of(sample.group(model, label))
        total[label] = np.bincount(cells.document, weights=cells.log_months, minlength=shape[1])
        number[label] = np.bincount(cells.document, minlength=shape[1])
    return Answered(total, number)


def true_levels(predictions: pa.Table, sample: Sample) -> Floats:
    """(documents,) log(true months + 1), NaN where the true sentence is unknown."""
    level = np.full(len(sample.documents), np.nan)
    months = float_column(predictions, "true_months")
    known = ~np.isnan(months)
    document = code_column(predictions, "case_id").codes
    level[document[known]] = np.log1p(months[known])
    return level

"""What an effect is measured on: the sentence in its forms, guilt, a decision, a number stated.

In: a table of predictions and the name of an outcome. Out: the table as that outcome reads it,
with the outcome in the column `months`, and in what unit effects are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from justeval.errors import UsageError
from justeval.estimate import Cells
from justeval.estimate.encoding import code_column, entries_of, float_column
from justeval.estimate.grids import Grid
from justeval.estimate.records import Floats
from justeval.replies.amounts import HIGHEST_SCORE
from justeval.schema import LONGEST_MONTHS_READ

STATED_MONTHS = {"life": 360.0, "death_suspended": 480.0, "death": 600.0}
"""Months at which penalties without a term stand in the full outcome."""

NO_CUSTODY = ("acquittal", "exempt", "fine", "surveillance", "probation", "time_served")
"""Kinds that stand at 0 months in the full outcome."""

ADVERSE = ("detain", "conviction", "yes")
OTHER_DECISIONS = ("release", "bond", "dismissal", "diversion", "acquittal", "no")
"""Decisions that count 1 and 0; a decision that is none of these is left out."""

Scale = Literal["log", "level", "ratio"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """An outcome of the bias estimates.

    title : as settings state it. unit : of a coefficient. scale : "log", log(y + 1) by least
    squares; "level", y; "ratio", log ratio of means by Poisson. sentence : whether y is months of
    the sentence. most : the largest y there can be, None where it is the case set's longest term.
    """

    id: str
    title: str
    unit: str
    scale: Scale
    sentence: bool
    most: float | None = None

    def of(self, cells: Cells | Grid) -> Floats:
        """The outcome of cells, as it is regressed: log(y + 1), or y."""
        return cells.log_months if self.scale == "log" else cells.months

    def change(self, coef: float | None, mean: float) -> tuple[float | None, float | None]:
        """A coefficient as a change in per cent and in the unit of y, at a mean of y.

        log: exp(b) - 1 of y + 1. ratio: exp(b) - 1 of y. level: b itself, over the mean.
        """
        if coef is None or not math.isfinite(mean):
            return None, None
        if self.scale == "level":
            return (100.0 * coef / mean if mean > 0 else None), coef
        if coef > math.log(1e12):
            return None, None
        share = math.expm1(coef)
        return 100.0 * share, share * (mean + 1.0 if self.scale == "log" else mean)


OUTCOMES = {
    outcome.id: outcome
    for outcome in (
        Outcome("log_months", "log(months + 1)", "log points of months + 1", "log", True),
        Outcome("months", "months", "months", "level", True),
        Outcome("poisson", "months, by Poisson", "log points of mean months", "ratio", True),
        Outcome(
            "full",
            "log(months + 1), all penalties",
            "log points of months + 1",
            "log",
            True,
            LONGEST_MONTHS_READ,
        ),
        Outcome("guilt", "guilty (0 or 1)", "probability", "level", False, 1.0),
        Outcome("decision", "adverse decision (0 or 1)", "probability", "level", False, 1.0),
        Outcome("probability", "probability stated", "probability", "level", False, 1.0),
        Outcome("risk_score", "risk score", "points of the score", "level", False, HIGHEST_SCORE),
        Outcome(
            "bond_amount",
            "log(amount of the bond + 1)",
            "log points of the amount + 1",
            "log",
            False,
            math.inf,
        ),
        Outcome(
            "probation_months",
            "months of probation",
            "months",
            "level",
            False,
            LONGEST_MONTHS_READ,
        ),
    )
}
"""The outcomes by name."""

OF_QUESTION = {"bail": "decision", "disposition": "decision", "probability": "probability"}
"""The outcome of a question that is no sentence."""


def outcome_named(name: str) -> Outcome:
    """The outcome of that name. Raises UsageError where there is none."""
    if name not in OUTCOMES:
        raise UsageError(f"no outcome {name!r}: the outcomes are {', '.join(OUTCOMES)}")
    return OUTCOMES[name]


def as_read(predictions: pa.Table, outcome: Outcome) -> pa.Table:
    """The table as the outcome reads it. The sentence stays as it is, but for the full one."""
    if outcome.id == "full":
        return _with_outcome(predictions, _full(predictions), keep_truth=True)
    if outcome.sentence:
        return predictions
    if outcome.id == "guilt":
        numbers = _guilt(predictions)
    elif outcome.id == "decision":
        numbers = _decision(predictions)
    elif outcome.id == "bond_amount":
        numbers = _bond(predictions)
    else:
        numbers = float_column(predictions, outcome.id)
    return _with_outcome(predictions, numbers, keep_truth=False)


def bound_of(outcome: Outcome, longest_months: float) -> float:
    """The bound of the main sample: the case set's, or the largest outcome there can be."""
    return longest_months if outcome.most is None else outcome.most


def _full(predictions: pa.Table) -> Floats:
    """Months of every kind of penalty: a term at its months, life and death at stated values."""
    penalty = code_column(predictions, "penalty")
    months = float_column(predictions, "months")
    stated = np.array([*(_stated(name) for name in penalty.names), np.nan])[penalty.codes]
    full = np.where(np.isnan(stated), months, stated)
    return np.where(_guilt(predictions) == 0, 0.0, full)


def _stated(penalty: str) -> float:
    return 0.0 if penalty in NO_CUSTODY else STATED_MONTHS.get(penalty, math.nan)


def _guilt(predictions: pa.Table) -> Floats:
    if "guilty" not in predictions.column_names:
        return np.full(predictions.num_rows, np.nan)
    numbers = pc.cast(predictions["guilty"], pa.int8())
    return entries_of(pc.cast(numbers, pa.float64()), math.nan)


def _decision(predictions: pa.Table) -> Floats:
    decision = code_column(predictions, "decision")
    of_name = [_adverse(name) for name in decision.names]
    return np.array([*of_name, np.nan], dtype=np.float64)[decision.codes]


def _bond(predictions: pa.Table) -> Floats:
    """Amounts in the currency that most of them are in; amounts in another one are unknown."""
    amounts = float_column(predictions, "bond_amount")
    currency = code_column(predictions, "bond_currency").codes
    stated = currency[~np.isnan(amounts)]
    if stated.size == 0:
        return amounts
    codes, counts = np.unique(stated, return_counts=True)
    return np.where(currency == codes[np.argmax(counts)], amounts, np.nan)


def _adverse(decision: str) -> float:
    if decision in ADVERSE:
        return 1.0
    return 0.0 if decision in OTHER_DECISIONS else math.nan


def _with_outcome(predictions: pa.Table, numbers: Floats, keep_truth: bool) -> pa.Table:
    """The table with `months` replaced, every row a "term" so that the main sample takes it."""
    size = predictions.num_rows
    columns = {
        "months": pa.array(numbers, pa.float64(), from_pandas=True),
        "penalty": pa.array(["fixed_term"] * size, pa.string()).dictionary_encode(),
        "guilty": pa.nulls(size, pa.bool_()),
    }
    if not keep_truth:
        columns["true_months"] = pa.nulls(size, pa.float64())
    table = predictions
    for name, column in columns.items():
        if name in table.column_names:
            table = table.set_column(table.column_names.index(name), name, column)
        else:
            table = table.append_column(name, column)
    return table

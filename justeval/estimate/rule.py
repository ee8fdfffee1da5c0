"""The sample rule, row by row: which months count, and why a row is left out.

In: Encoded rows. Out: Judged rows. The first reason that applies is the one counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from justeval.estimate.encoding import Coded, Encoded, Flags, Names
from justeval.estimate.records import Codes, Floats
from justeval.schema import MAIN_SAMPLE_PENALTIES, READABLE

Bounds = tuple[float, float]

NO_KIND = "no kind of penalty"
NO_MONTHS = "no months"
NOT_A_NUMBER = "value is no positive number"
OUT_OF_RANGE = "value outside the label's range"


@dataclass(frozen=True, slots=True)
class Judged:
    """Rows after the rule, (N,) each.

    months : months that count, 0 where acquitted or exempt, NaN where unknown.
    reason : index into `reasons`; 0 is in the main sample. comparable : the reply states months,
    of whatever kind and length, for a value that the label knows.
    """

    months: Floats
    reason: Codes
    comparable: Flags
    reasons: Names


def judge(
    rows: Encoded, longest_months: float, numbers: Floats, numeric: Mapping[str, Bounds | None]
) -> Judged:
    """Apply JudiFair's rule (Hu et al. 2025) to every row.

    numbers : (V,) the values as numbers. numeric : labels whose values are numbers, with ranges.
    A table that states no kind of penalty, but for acquittals, is taken as a table of terms.
    """
    reasons: list[str] = [""]
    zero = (rows.guilty == 0) | _has(rows.penalty, ("acquittal", "exempt"))
    months = np.where(zero, 0.0, rows.months)
    reason = np.zeros(rows.rows, dtype=np.int64)
    _mark(reason, reasons, months > longest_months, f"above {longest_months:g} months")
    _mark(reason, reasons, np.isnan(months), NO_MONTHS)
    if any(name != "acquittal" for name in rows.penalty.names):
        _mark(reason, reasons, ~zero & (rows.penalty.codes < 0) & (months != 0), NO_KIND)
    for penalty in rows.penalty.names:
        if penalty not in MAIN_SAMPLE_PENALTIES:
            _mark(reason, reasons, ~zero & _has(rows.penalty, (penalty,)), penalty)
    no_value = _mark_numeric(reason, reasons, rows, numbers, numeric)
    unreadable = ~_has(rows.status, READABLE)
    for status in rows.status.names:
        if status not in READABLE:
            _mark(reason, reasons, _has(rows.status, (status,)), status)
    comparable = ~(unreadable | no_value | np.isnan(months))
    return Judged(months, reason, comparable, tuple(reasons))


def as_numbers(names: Names) -> Floats:
    """(V,) names of values as numbers, NaN where a name is none."""
    numbers = np.full(len(names), np.nan)
    for code, name in enumerate(names):
        try:
            numbers[code] = float(name)
        except ValueError:
            continue
    return numbers


def _mark_numeric(
    reason: Codes,
    reasons: list[str],
    rows: Encoded,
    numbers: Floats,
    numeric: Mapping[str, Bounds | None],
) -> Flags:
    """Mark rows whose value is not one that its numeric label can have; (N,) which they are."""
    marked = np.zeros(rows.rows, dtype=np.bool_)
    for label, bounds in numeric.items():
        code = rows.label.code_of(label)
        at = np.flatnonzero((rows.label.codes == code) & (rows.value.codes >= 0))
        if code < 0 or at.size == 0:
            continue
        number = numbers[rows.value.codes[at]]
        bad = at[~(number > 0)]
        outside = at[:0]
        if bounds is not None:
            outside = at[(number > 0) & ((number < bounds[0]) | (number > bounds[1]))]
        for rule, where in ((NOT_A_NUMBER, bad), (OUT_OF_RANGE, outside)):
            flags = np.zeros(rows.rows, dtype=np.bool_)
            flags[where] = True
            _mark(reason, reasons, flags, rule)
            marked |= flags
    return marked


def _mark(reason: Codes, reasons: list[str], where: Flags, text: str) -> None:
    """Set the reason of some rows; a later call overrules an earlier one."""
    if text not in reasons:
        reasons.append(text)
    reason[where] = reasons.index(text)


def _has(column: Coded, names: tuple[str, ...]) -> Flags:
    """(N,) whether a row of the column is one of the names; null is none of them."""
    of_name = np.array([name in names for name in column.names] + [False])
    return np.asarray(of_name[column.codes])

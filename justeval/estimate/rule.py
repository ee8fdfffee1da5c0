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


@dataclass(frozen=True, slots=True)
class Rules:
    """JudiFair's rule (Hu et al. 2025) as tables by code, so that a row is looked up, not asked.

    The last entry of a table by code stands for null (-1). of_penalty, of_status : reasons, 0 for
    none. no_term : whether a penalty means 0 months. no_kind : whether a row needs a kind of
    penalty. of_value : reasons by (label, value), None where no label is numeric.
    """

    longest_months: float
    reasons: Names
    no_term: Flags
    no_kind: bool
    of_penalty: Codes
    of_value: Codes | None
    of_status: Codes


def judge(
    rows: Encoded, longest_months: float, numbers: Floats, numeric: Mapping[str, Bounds | None]
) -> Judged:
    """Apply the rule to every row.

    numbers : (V,) the values as numbers. numeric : labels whose values are numbers, with ranges.
    A table that states no kind of penalty, but for acquittals, is taken as a table of terms.
    """
    return judge_by(rules_of(rows, longest_months, numbers, numeric), rows)


def rules_of(
    rows: Encoded, longest_months: float, numbers: Floats, numeric: Mapping[str, Bounds | None]
) -> Rules:
    """The rule for the names of a table: see `judge`."""
    above = f"above {longest_months:g} months"
    penalties = [name for name in rows.penalty.names if name not in MAIN_SAMPLE_PENALTIES]
    statuses = [name for name in rows.status.names if name not in READABLE]
    of_label = {
        code: bounds for name, bounds in numeric.items() if (code := rows.label.code_of(name)) >= 0
    }
    of_numbers = [NOT_A_NUMBER, OUT_OF_RANGE] if of_label else []
    reasons = tuple(
        dict.fromkeys(["", above, NO_MONTHS, NO_KIND, *penalties, *of_numbers, *statuses])
    )
    return Rules(
        longest_months=longest_months,
        reasons=reasons,
        no_term=_has(rows.penalty, ("acquittal", "exempt")),
        no_kind=any(name != "acquittal" for name in rows.penalty.names),
        of_penalty=_reasons_of(rows.penalty, penalties, reasons),
        of_value=_of_values(len(rows.label.names), of_label, numbers, reasons),
        of_status=_reasons_of(rows.status, statuses, reasons),
    )


def judge_by(rules: Rules, rows: Encoded) -> Judged:
    """Apply the rule to rows of the table that it was made for."""
    zero = (rows.guilty == 0) | rules.no_term.take(rows.penalty.codes)
    months = np.where(zero, 0.0, rows.months)
    unknown = np.isnan(months)
    reason = np.zeros(rows.rows, dtype=np.int64)
    reason[months > rules.longest_months] = 1
    reason[unknown] = 2
    if rules.no_kind:
        reason[~zero & (rows.penalty.codes < 0) & (months != 0)] = 3
    _overrule(reason, np.where(zero, 0, rules.of_penalty.take(rows.penalty.codes)))
    comparable = ~unknown
    if rules.of_value is not None:
        pair = rows.label.codes * rules.of_value.shape[1] + rows.value.codes
        of_value = rules.of_value.take(pair)
        _overrule(reason, of_value)
        comparable &= of_value == 0
    of_status = rules.of_status.take(rows.status.codes)
    _overrule(reason, of_status)
    comparable &= of_status == 0
    return Judged(months, reason, comparable, rules.reasons)


def as_numbers(names: Names) -> Floats:
    """(V,) names of values as numbers, NaN where a name is none."""
    numbers = np.full(len(names), np.nan)
    for code, name in enumerate(names):
        try:
            numbers[code] = float(name)
        except ValueError:
            continue
    return numbers


def _of_values(
    labels: int, of_label: Mapping[int, Bounds | None], numbers: Floats, reasons: Names
) -> Codes | None:
    """(L + 1, V + 1) why a numeric label cannot have a value, 0 where it can; the last of either
    stands for null."""
    if not of_label:
        return None
    found = np.zeros((labels + 1, numbers.size + 1), dtype=np.int64)
    for code, bounds in of_label.items():
        own = found[code, :-1]
        own[~(numbers > 0)] = reasons.index(NOT_A_NUMBER)
        if bounds is not None:
            outside = (numbers > 0) & ((numbers < bounds[0]) | (numbers > bounds[1]))
            own[outside] = reasons.index(OUT_OF_RANGE)
    return found


def _reasons_of(column: Coded, names: list[str], reasons: Names) -> Codes:
    """(S + 1,) the reason that a code of a column is, 0 for none and for null."""
    return np.array([reasons.index(name) if name in names else 0 for name in column.names] + [0])


def _overrule(reason: Codes, other: Codes) -> None:
    """Set the reasons of the rows that have another one."""
    np.copyto(reason, other, where=other > 0)


def _has(column: Coded, names: tuple[str, ...]) -> Flags:
    """(S + 1,) whether a code of the column is one of the names; null is none of them."""
    return np.array([name in names for name in column.names] + [False])

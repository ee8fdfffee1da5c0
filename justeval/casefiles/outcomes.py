"""The cells of one row that state its outcome -> months and the kind of penalty.

In: the cells of the term, its unit, the penalty and the flags, with their rules. Out: an Outcome,
or what is wrong and in which of our columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from justeval.casefiles.resolving import Found
from justeval.casefiles.terms import Term, read_term
from justeval.schema import PENALTIES


@dataclass(frozen=True, slots=True)
class Outcome:
    months: float | None
    kind: str | None
    problem: str = ""
    problem_of: str = "true_months"


def read_outcome(cells: Sequence[str | None], term: Found | None, penalty: Found | None) -> Outcome:
    """Months and kind of one row: a kind that the term's code, a flag or the penalty states.

    Life and death leave no months. A term above 0 that nothing else explains has no kind: a file
    of terms does not tell detention from imprisonment.
    """
    read = read_term(cells[0], cells[1], term.rule) if term else Term()
    if read.problem:
        return Outcome(None, None, read.problem, "unit" if read.of_unit else "true_months")
    kind, problem = _stated(cells[2], penalty)
    if problem:
        return Outcome(None, None, problem, "true_penalty")
    kind = read.kind or _flagged(cells[3:], term, penalty, read.months) or kind
    without_months = kind in ("life", "death", "death_suspended")
    return Outcome(None if without_months else read.months, kind)


def _stated(cell: str | None, penalty: Found | None) -> tuple[str | None, str]:
    """The kind that the column of the penalty states, by its codes or in our words."""
    text = (cell or "").strip()
    if penalty is None or not text:
        return None, ""
    codes = penalty.rule.codes
    meaning = codes.get(text) or codes.get(re.sub(r"\.0+\Z", "", text)) or text
    named = re.sub(r"[\s-]+", "_", meaning.casefold())
    if named in PENALTIES:
        return named, ""
    if meaning == "unknown":
        return None, ""
    allowed = ", ".join(PENALTIES)
    return None, f"{text[:40]!r} is none of {allowed}; say what it means in `codes:`"


def _flagged(
    cells: Sequence[str | None], term: Found | None, penalty: Found | None, months: float | None
) -> str | None:
    flags = [flag for found in (term, penalty) if found for flag in found.flags]
    for flag, cell in zip(flags, cells, strict=True):
        text = (cell or "").strip().casefold()
        if flag.without_term and months:
            continue
        if flag.above is not None:
            try:
                holds = float(text or "nan") > flag.above
            except ValueError:
                holds = False
        else:
            holds = text == flag.equals.casefold()
        if holds:
            return flag.means
    return None

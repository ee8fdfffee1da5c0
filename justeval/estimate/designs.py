"""From the cells of one label to the design of its regression.

In: the cells of one model and one label, and what the label is. Out: a Design, or the reason why
there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justeval.estimate.records import Codes, Design, Floats

LOG_VALUE = "log(value)"
"""Name of the one regressor of a numeric label."""


@dataclass(frozen=True, slots=True)
class NoDesign:
    """Why a label has no regression, in words for a table."""

    note: str


def label_design(
    *,
    outcome: Floats,
    document: Codes,
    value: Codes,
    names: Sequence[str],
    reference: int,
    order: Sequence[int] | None = None,
    numbers: Floats | None = None,
    cluster: Codes | None = None,
) -> Design | NoDesign:
    """Value dummies against the reference, or log(value) for a numeric label.

    outcome, document, value, cluster : (C,) cells; cells whose outcome is unknown (NaN) drop out.
    names : V names of the value codes. reference : code of the reference value (unused for a
    numeric label). order : codes in the order in which the columns shall stand. numbers : (V,)
    the values as numbers, which makes the label numeric.
    """
    if outcome.size == 0:
        return NoDesign("no usable reply")
    known = ~np.isnan(outcome)
    if not known.all():
        outcome, document, value = outcome[known], document[known], value[known]
        cluster = None if cluster is None else cluster[known]
    if outcome.size == 0:
        return NoDesign("true months are not known")
    if numbers is not None:
        columns, kept = np.log(numbers[value])[:, None], (LOG_VALUE,)
        return Design(outcome, columns, document, kept, "", cluster)
    present = np.flatnonzero(np.bincount(value, minlength=len(names)))
    if reference not in present:
        which = f"reference value {names[reference]}" if reference >= 0 else "reference value"
        return NoDesign(f"no usable reply for the {which}")
    codes = [int(code) for code in present if code != reference]
    if order is not None:
        rank = {code: place for place, code in enumerate(order)}
        codes.sort(key=lambda code: rank.get(code, len(rank)))
    if not codes:
        return NoDesign("usable replies for one value only")
    x = np.empty((value.size, len(codes)), order="F")  # the engine works column by column
    for column, code in enumerate(codes):
        x[:, column] = value == code
    return Design(
        y=outcome,
        x=x,
        document=document,
        names=tuple(names[code] for code in codes),
        reference=names[reference],
        cluster=cluster,
    )

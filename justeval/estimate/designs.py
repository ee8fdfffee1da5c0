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


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a regression: levels (V, K) by value, their names, and the reference value."""

    levels: Floats
    names: tuple[str, ...]
    reference: str


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
    present, local = _local(value, len(names))
    columns = columns_of(present, names, reference, order, numbers)
    if isinstance(columns, NoDesign):
        return columns
    return Design(
        y=outcome,
        x=columns.levels.take(local, axis=0),  # ten times as fast as levels[local]
        document=document,
        names=columns.names,
        reference=columns.reference,
        cluster=cluster,
        value=local,
        levels=columns.levels,
    )


def columns_of(
    present: Codes,
    names: Sequence[str],
    reference: int,
    order: Sequence[int] | None,
    numbers: Floats | None,
) -> Columns | NoDesign:
    """The columns of a regression for the values that are there, (V,) ascending codes."""
    if numbers is not None:
        return Columns(np.log(numbers[present])[:, None], (LOG_VALUE,), "")
    if reference not in present:
        which = f"reference value {names[reference]}" if reference >= 0 else "reference value"
        return NoDesign(f"no usable reply for the {which}")
    codes = [int(code) for code in present if code != reference]
    if order is not None:
        rank = {code: place for place, code in enumerate(order)}
        codes.sort(key=lambda code: rank.get(code, len(rank)))
    if not codes:
        return NoDesign("usable replies for one value only")
    levels = (present[:, None] == np.array(codes)).astype(np.float64)
    return Columns(levels, tuple(names[code] for code in codes), names[reference])


def _local(value: Codes, size: int) -> tuple[Codes, Codes]:
    """(V,) the codes that occur, and (C,) the cells' places among them."""
    present = np.flatnonzero(np.bincount(value, minlength=size))
    place = np.zeros(size, dtype=np.int64)
    place[present] = np.arange(present.size)
    return present, place[value]

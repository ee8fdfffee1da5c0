"""The order in which versions were asked or listed.

In: Versions and where each row stands in its run. Out: a Check. Where the order was shuffled,
each of two versions of a document comes first with chance 1/2, whatever the effect of the label:
the test is a sign test over documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from justeval.diagnose.family import Check, Suspect, sign_test
from justeval.diagnose.records import LEVEL, ORDER, Finding
from justeval.diagnose.versions import Versions
from justeval.estimate.encoding import (
    Coded,
    Encoded,
    Flags,
    code_column,
    float_column,
    stable_order,
)
from justeval.estimate.records import Codes, Floats

FAR_APART = 0.1
"""Versions asked in a fixed order may lie this share of the run apart before it matters."""

SHUFFLED = 0.001
"""A label in which a value comes before the reference with a smaller p than this was not
shuffled."""


@dataclass(frozen=True, slots=True)
class Order:
    """Where versions stand, and the sign tests of each value against the reference.

    place : (V,) share of the model's run before the version, in [0, 1). asked : (V,) whether that
    is the order of asking. rank : (V,) place among the versions of the document. key : (T,) value
    keys. before, after : (T,) documents in which the value comes before and after the reference.
    gap : (T,) mean distance of the two as a share of the run.
    """

    place: Floats
    asked: Flags
    rank: Codes
    key: Codes
    before: Codes
    after: Codes
    gap: Floats
    asked_test: Flags


def asked_order(predictions: pa.Table, rows: Encoded) -> tuple[Codes, Flags]:
    """(N,) where each row stands in its run, and whether this is the order of asking.

    The order is `position`, else `asked_at`, else the row's place in the table, a model at a
    time; the last is an order of listing only.
    """
    place = np.arange(rows.rows)
    asked = np.zeros(rows.rows, dtype=np.bool_)
    models = len(rows.model.names)
    for column in ("asked_at", "position"):
        found = _column_order(predictions, column)
        lacking = np.bincount(rows.model.codes[found < 0], minlength=models)
        whole = (lacking == 0)[rows.model.codes]
        place = np.where(whole, found, place)
        asked |= whole
    run = code_column(predictions, "run_id")
    if len(run.names) > 1:  # one run after the other
        place = place + (run.codes + 1) * (int(place.max()) + 1)
    return place, asked


def _column_order(predictions: pa.Table, column: str) -> Codes:
    """(N,) whole numbers that sort as the column does, -1 where unknown."""
    rows = predictions.num_rows
    if column not in predictions.column_names or predictions.column(column).null_count == rows:
        return np.full(rows, -1, dtype=np.int64)
    if column == "position":
        position = float_column(predictions, column)
        lowest = np.nanmin(position)
        return np.nan_to_num(position - lowest, nan=-1.0).astype(np.int64)
    times: Coded = code_column(predictions, column)
    return np.append(np.argsort(np.argsort(np.array(times.names))), -1)[times.codes]


def order_of(versions: Versions, place: Codes, asked: Flags) -> Order:
    """Compare the places of versions; place, asked : (N,) of rows, as `asked_order` gives them."""
    rows = versions.encoded
    share = _shares(rows.model.codes, place)[versions.first]
    rank = np.zeros(versions.count, dtype=np.int64)
    for left, right in versions.pairs():
        later = share[right] > share[left]
        rank[right] += later
        rank[left] += ~later
    reference = reference_version(versions)[versions.unit]
    pair = np.flatnonzero((reference >= 0) & (reference != np.arange(versions.count)))
    first = share[pair] < share[reference[pair]]
    key, number = np.unique(versions.value_key()[pair], return_inverse=True)
    before = np.bincount(number[first], minlength=key.size)
    total = np.bincount(number, minlength=key.size)
    apart = np.abs(share[pair] - share[reference[pair]])
    was_asked = asked[versions.first]
    gap = np.bincount(number, weights=apart, minlength=key.size) / np.maximum(total, 1)
    of_test = np.bincount(number, weights=was_asked[pair], minlength=key.size) == total
    return Order(share, was_asked, rank, key, before, total - before, gap, of_test)


def _shares(model: Codes, place: Codes) -> Floats:
    """(N,) share of its model's rows that stand before a row."""
    order = stable_order(model, place)
    counts = np.bincount(model)
    starts = np.cumsum(counts) - counts
    share = np.empty(model.size)
    share[order] = (np.arange(model.size) - starts[model[order]]) / counts[model[order]]
    return share


def reference_version(versions: Versions) -> Codes:
    """(U,) the version of the reference value in each document, -1 where it is missing.

    Where no row of a label is marked, its first value stands in.
    """
    groups = int(versions.group.max(initial=-1)) + 1
    marked = versions.encoded.is_reference[versions.first]
    value = np.full(groups, -1, dtype=np.int64)
    value[versions.group[::-1]] = versions.value[::-1]
    value[versions.group[marked]] = versions.value[marked]
    of_unit = np.full(int(versions.unit.max(initial=-1)) + 1, -1, dtype=np.int64)
    at = np.flatnonzero(versions.value == value[versions.group])
    of_unit[versions.unit[at]] = at
    return of_unit


def fixed_order(versions: Versions, order: Order) -> Flags:
    """(V,) whether the order of a version's label cannot have been shuffled."""
    groups = int(versions.group.max(initial=-1)) + 1
    p, _ = sign_test(order.before, order.after)
    fixed = np.zeros(groups, dtype=np.bool_)
    fixed[order.key[p < SHUFFLED] // max(len(versions.encoded.value.names), 1)] = True
    return np.asarray(fixed[versions.group])


def check_order(versions: Versions, order: Order) -> Check:
    """A value that stands before the reference in some documents and after it in others, but not
    as a shuffle would have it; or always on one side and in another part of the run.

    A table that lists its values in one fixed order throughout is no finding.
    """
    p, log_least = sign_test(order.before, order.after)
    mixed = (order.before > 0) & (order.after > 0)
    apart = ~mixed & order.asked_test & (order.gap > FAR_APART)
    strongest: dict[int, int] = {}
    for at in np.flatnonzero((p <= LEVEL) & (mixed | apart)):
        group = int(order.key[at]) // len(versions.encoded.value.names)
        if group not in strongest or p[at] < p[strongest[group]]:
            strongest[group] = int(at)
    suspects = [
        Suspect(float(p[at]), partial(_order_finding, versions, order, at, float(p[at])))
        for at in strongest.values()
    ]
    return Check(log_least, tuple(suspects))


def _order_finding(versions: Versions, order: Order, at: int, p: float) -> Finding:
    model, label, value = versions.where(int(order.key[at]))
    of_value = np.flatnonzero(versions.value_key() == order.key[at])
    reference = reference_version(versions)[versions.unit[of_value]]
    of_value, reference = of_value[reference >= 0], reference[reference >= 0]
    before = order.place[of_value] < order.place[reference]
    fewer = before if order.before[at] <= order.after[at] else ~before
    odd = of_value[fewer] if fewer.any() else of_value
    verb = "asked" if order.asked_test[at] else "listed"
    if fewer.any():
        side = "before" if order.before[at] <= order.after[at] else "after"
        told = (
            f"{value} is {verb} {side} the reference value in {odd.size} of {of_value.size} "
            "documents: neither one order nor a shuffle"
        )
    else:
        told = f"{value} is {verb} in another part of the run than the reference value throughout"
    return Finding(
        kind=ORDER,
        model=model,
        label=label,
        value=value,
        replies=int(versions.rows[odd].sum()),
        documents=odd.size,
        estimate_with=None,
        estimate_without=None,
        advice=f"{told}; find out why, and compare the estimate in both groups of documents.",
        p=p,
        flagged=False,
        rows=versions.rows_of(odd),
    )

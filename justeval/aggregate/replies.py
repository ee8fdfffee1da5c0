"""What became of the replies of each model: how many, how readable, at what cost.

In: a table of predictions and its codes. Out: one Tally a model. A reply that several labels share
stands in several rows and is counted, and paid, once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from justeval.estimate.encoding import Encoded, Flags, code_column, float_column
from justeval.estimate.records import Codes
from justeval.schema import READABLE


@dataclass(frozen=True, slots=True)
class Tally:
    """The distinct replies of one model and the documents that it was asked about."""

    documents: int
    replies: int
    readable: int
    statuses: Mapping[str, int]
    cost_usd: float | None


def tally_replies(predictions: pa.Table, rows: Encoded) -> list[Tally]:
    """One Tally a model, in the order of `rows.model.names`."""
    distinct, cost = _distinct_replies(predictions, rows), float_column(predictions, "cost_usd")
    models, statuses = len(rows.model.names), len(rows.status.names)
    by_status = np.zeros((models, statuses), dtype=np.int64)
    priced, total = np.zeros(models), np.zeros(models)
    documents = len(rows.document.names)
    asked = np.zeros(models * documents, dtype=np.bool_)
    for where in rows.blocks():
        of_model, status = rows.model.part(where).codes, rows.status.part(where).codes
        asked[of_model * documents + rows.document.part(where).codes] = True
        chosen = slice(None) if distinct is None else distinct[where]
        model, paid = of_model[chosen], cost[where][chosen]
        key = model * statuses + status[chosen]
        by_status += np.bincount(key, minlength=by_status.size).reshape(by_status.shape)
        stated = ~np.isnan(paid)
        priced += np.bincount(model, weights=stated, minlength=models)
        total += np.bincount(model, weights=np.where(stated, paid, 0.0), minlength=models)
    tallies = []
    for code in range(models):
        named = named_counts(rows.status.names, by_status[code])
        tallies.append(
            Tally(
                documents=int(np.count_nonzero(asked[code * documents : (code + 1) * documents])),
                replies=int(by_status[code].sum()),
                readable=sum(named.get(name, 0) for name in READABLE),
                statuses=named,
                cost_usd=float(total[code]) if priced[code] else None,
            )
        )
    return tallies


def named_counts(names: tuple[str, ...], counts: Codes) -> dict[str, int]:
    """Counts by name, the largest first, those of 0 left away."""
    order = sorted(range(len(names)), key=lambda code: (-int(counts[code]), names[code]))
    return {names[code]: int(counts[code]) for code in order if counts[code]}


def _distinct_replies(predictions: pa.Table, rows: Encoded) -> Flags | None:
    """(N,) the first row of each reply, None where all are: one run, model, variant and repetition.

    Rows without a variant are each a reply of their own.
    """
    if "variant_id" not in predictions.column_names:
        return None
    variant, run = code_column(predictions, "variant_id"), code_column(predictions, "run_id")
    named = np.flatnonzero(variant.codes >= 0)
    if named.size == 0:
        return None
    key = run.codes[named] + 1
    for code, size in (
        (rows.model.codes, len(rows.model.names)),
        (variant.codes, len(variant.names)),
        (rows.repetition, int(rows.repetition.max()) + 1),
    ):
        key = key * size + code[named]
    space = int(key.max()) + 1
    if space <= 16 * rows.rows:  # a flag for every possible key beats a sort
        first = np.full(space, -1, dtype=np.int64)
        first[key[::-1]] = named[::-1]
        kept = first[first >= 0]
    else:
        kept = named[np.unique(key, return_index=True)[1]]
    keep = variant.codes < 0
    keep[kept] = True
    return np.asarray(keep)

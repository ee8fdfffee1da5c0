"""The counterfactual explanation of every document: which label alone changes the answer.

In: predictions and labels. Out: a table of changes, one row a model, document and label whose
change alone changes the answer, the largest change of a document first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from justeval.diagnose.effects import Rules
from justeval.diagnose.order import reference_version
from justeval.diagnose.versions import Versions, dictionary, versions_of
from justeval.estimate.encoding import encode, float_column
from justeval.estimate.records import Codes, Floats
from justeval.labels import Label, is_crossed
from justeval.schema import LONGEST_MONTHS_READ

_FIELDS: list[pa.Field[Any]] = [
    pa.field("model", pa.string(), nullable=False),
    pa.field("case_id", pa.string(), nullable=False),
    pa.field("rank", pa.int32(), nullable=False),
    pa.field("label", pa.string(), nullable=False),
    pa.field("reference", pa.string(), nullable=False),
    pa.field("value", pa.string(), nullable=False),
    pa.field("penalty_reference", pa.string()),
    pa.field("penalty", pa.string()),
    pa.field("months_reference", pa.float64()),
    pa.field("months", pa.float64()),
    pa.field("change_months", pa.float64()),
    pa.field("change_log", pa.float64()),
    pa.field("decision_reference", pa.string()),
    pa.field("decision", pa.string()),
    pa.field("probability_reference", pa.float64()),
    pa.field("probability", pa.float64()),
]
CHANGES = pa.schema(_FIELDS)
"""One change: the answer at the reference value and at the value that changes it most.

`rank` counts the changes of a document from 1, the largest first. `change_log` is the difference
of log(months + 1); it and `change_months` are null where one of the answers has no term (life).
"""

SAME = 1e-9


def explain(predictions: pa.Table, labels: Mapping[str, Label]) -> pa.Table:
    """For each document the labels whose change alone changes the answer, largest change first.

    Penalty, months, decision or probability must differ from the answer at the reference value
    (of the first readable repetition); of the values of a label the one that moves the answer most
    is given. The size of a change is that of log(months + 1), penalties without a term standing
    above all terms; a change without a size comes last. The table has the columns of CHANGES.
    """
    predictions = _of_one_label(predictions)
    rows = encode(predictions)
    probability = float_column(predictions, "probability")
    rules = Rules(labels, LONGEST_MONTHS_READ)
    versions = versions_of(rows, rules.longest_months, rules.numeric, probability)
    if versions.count == 0:
        return CHANGES.empty_table()
    at, reference, size = _changes(versions, predictions, probability)
    largest = np.lexsort((-size, versions.unit[at]))
    at, reference, size = at[largest], reference[largest], size[largest]
    one = np.flatnonzero(np.append(True, versions.unit[at[1:]] != versions.unit[at[:-1]]))
    one = one[: at.size]
    at, reference, size = at[one], reference[one], size[one]
    model = versions.group[at] // versions.labels
    order = np.lexsort((versions.group[at], -size, versions.document[at], model))
    return _table(versions, predictions, at[order], reference[order])


def _of_one_label(predictions: pa.Table) -> pa.Table:
    """The rows in which no more than one label was stated: crossed labels change two at once."""
    labels = dictionary(predictions, "label")
    crossed = np.array([*(is_crossed(name) for name in labels.names), False])
    if not crossed.any():
        return predictions
    return predictions.filter(pa.array(~crossed[labels.codes]))


def _changes(
    versions: Versions, predictions: pa.Table, probability: Floats
) -> tuple[Codes, Codes, Floats]:
    """Versions whose answer differs from that of their reference version, and by how much."""
    reference = reference_version(versions)[versions.unit]
    at = np.arange(versions.count)
    both = (reference >= 0) & (reference != at) & (versions.readable >= 0)
    at = at[both & (versions.readable[reference] >= 0)]
    reference = reference[at]
    left, right = versions.readable[at], versions.readable[reference]
    size = np.abs(versions.level[at] - versions.level[reference])
    differs = size > SAME
    for codes in (versions.encoded.penalty.codes, dictionary(predictions, "decision").codes):
        differs |= codes[left] != codes[right]
    differs |= np.abs(probability[left] - probability[right]) > SAME
    return at[differs], reference[differs], np.nan_to_num(size[differs])


def _table(versions: Versions, predictions: pa.Table, at: Codes, reference: Codes) -> pa.Table:
    rows = versions.encoded
    model = versions.group[at] // versions.labels
    about = model * len(rows.document.names) + versions.document[at]
    start = _first_of_run(about)
    months = versions.judged.months
    after, before = months[versions.readable[at]], months[versions.readable[reference]]
    columns: dict[str, Any] = {
        "model": np.array(rows.model.names)[model],
        "case_id": np.array(rows.document.names)[versions.document[at]],
        "rank": (np.arange(at.size) - start + 1).astype(np.int32),
        "label": np.array(rows.label.names)[versions.group[at] % versions.labels],
        "reference": np.array(rows.value.names)[versions.value[reference]],
        "value": np.array(rows.value.names)[versions.value[at]],
        "months_reference": _nullable(before),
        "months": _nullable(after),
        "change_months": _nullable(after - before),
        "change_log": _nullable(np.log1p(after) - np.log1p(before)),
    }
    for name in ("penalty", "decision", "probability"):
        columns[f"{name}_reference"] = _taken(predictions, name, versions.readable[reference])
        columns[name] = _taken(predictions, name, versions.readable[at])
    return pa.table({name: columns[name] for name in CHANGES.names}, CHANGES)


def _first_of_run(codes: Codes) -> Codes:
    """(N,) for each entry where its run of equal codes begins."""
    new = np.append(True, codes[1:] != codes[:-1])[: codes.size]
    return np.maximum.accumulate(np.where(new, np.arange(codes.size), 0))


def _taken(predictions: pa.Table, name: str, rows: Codes) -> pa.ChunkedArray[Any]:
    """A column of the table at these rows, null where it has no such column."""
    if name not in predictions.column_names:
        return pa.chunked_array([pa.nulls(rows.size, CHANGES.field(name).type)])
    return predictions.column(name).take(pa.array(rows, pa.int64()))


def _nullable(numbers: Floats) -> pa.Array[Any]:
    return pa.array(numbers, pa.float64(), from_pandas=True)

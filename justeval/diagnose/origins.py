"""Who answered: more than one provider or model version behind one model's name.

In: Versions and predictions. Out: a Check of facts: what a provider reports of itself is no matter
of chance. Whether one value is concerned more than the others is tested in `by_value`, and then
told there.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from justeval.diagnose.family import NO_TESTS, Check
from justeval.diagnose.records import MODEL_VERSION, SERVED_BY, Finding
from justeval.diagnose.versions import Versions
from justeval.estimate.encoding import Coded, code_column
from justeval.estimate.records import Codes

MOST_NAMED = 5
WORDS = {
    SERVED_BY: ("providers", "pin one provider and ask again"),
    MODEL_VERSION: ("model versions", "ask all of it of one version again"),
}


def check_origins(versions: Versions, predictions: pa.Table) -> Check:
    """Models whose replies come from more than one provider, or from more than one version."""
    facts = []
    for kind in (SERVED_BY, MODEL_VERSION):
        column = code_column(predictions, kind)
        for model in range(len(versions.encoded.model.names)):
            rows = np.flatnonzero((versions.encoded.model.codes == model) & (column.codes >= 0))
            counts = np.bincount(column.codes[rows], minlength=len(column.names))
            if np.count_nonzero(counts) > 1:
                facts.append(_fact(versions, kind, model, column, rows, counts))
    return Check(NO_TESTS, (), tuple(facts))


def _fact(
    versions: Versions, kind: str, model: int, column: Coded, rows: Codes, counts: Codes
) -> Finding:
    """The finding; it concerns the replies that are not of the most frequent one."""
    order = np.argsort(-counts, kind="stable")
    order = order[counts[order] > 0]
    others = rows[column.codes[rows] != order[0]]
    named = [f"{column.names[int(code)]} ({counts[code]:,})" for code in order[:MOST_NAMED]]
    more = f" and {order.size - MOST_NAMED} more" if order.size > MOST_NAMED else ""
    what, todo = WORDS[kind]
    return Finding(
        kind=kind,
        model=versions.encoded.model.names[model],
        label=None,
        value=None,
        replies=others.size,
        documents=np.unique(versions.encoded.document.codes[others]).size,
        estimate_with=None,
        estimate_without=None,
        advice=(
            f"{order.size} {what} answered in this run: {', '.join(named)}{more}. What differs "
            f"between them is noise in every estimate; {todo}."
        ),
        p=None,
        flagged=False,
        rows=others,
    )

"""Faulty texts -> the replies to them.

In: the codes of a table of predictions, and the variants. Out: a Check of facts: for each label
and value and kind of fault, the replies that were given to such a text, by whatever model.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from justeval.diagnose.family import NO_TESTS, Check
from justeval.diagnose.records import (
    DUPLICATE,
    TEXT_CUT,
    TEXT_DIFFERS,
    TEXT_EMPTY,
    TEXT_LANGUAGE,
    Finding,
)
from justeval.diagnose.texts import Fault, text_faults
from justeval.estimate.encoding import Encoded
from justeval.estimate.records import Codes

WHAT = {
    TEXT_EMPTY: "have an empty text",
    TEXT_CUT: "have a text of which a part is missing",
    TEXT_LANGUAGE: "have a text in another language than the case",
    TEXT_DIFFERS: "have a text that differs from the others outside the edited span",
    DUPLICATE: "have the text of another value",
}
TODO = "mend the texts and ask these versions again; until then analyze with --exclude-flagged"


def check_texts(rows: Encoded, variants: pa.Table) -> Check:
    """Facts about the texts that were asked, one finding a label, value and kind of fault."""
    together: dict[tuple[str, str, str | None], list[Fault]] = {}
    for fault in text_faults(variants):
        together.setdefault((fault.kind, fault.label, fault.value), []).append(fault)
    return Check(NO_TESTS, (), tuple(_finding(rows, faults) for faults in together.values()))


def _finding(rows: Encoded, faults: list[Fault]) -> Finding:
    """All rows of the versions; where no version is the odd one, those of the whole document."""
    kind, label, value = faults[0].kind, faults[0].label, faults[0].value
    wanted = {fault.case_id for fault in faults}
    documents = np.array([name in wanted for name in rows.document.names] + [False])
    hit = documents[rows.document.codes] & (rows.label.codes == rows.label.code_of(label))
    if value is not None:
        hit &= rows.value.codes == rows.value.code_of(value)
    at = np.flatnonzero(hit & (rows.label.codes >= 0))
    return Finding(
        kind=kind,
        model=_one_model(rows, at),
        label=label,
        value=value,
        replies=at.size,
        documents=len(wanted),
        estimate_with=None,
        estimate_without=None,
        advice=f"{len(wanted)} versions of {value or label} {WHAT[kind]}; {TODO}.",
        p=None,
        flagged=True,
        rows=at,
    )


def _one_model(rows: Encoded, at: Codes) -> str | None:
    """The model asked, None where there are several: a faulty text concerns them all."""
    models = np.unique(rows.model.codes[at])
    return rows.model.names[int(models[0])] if models.size == 1 else None

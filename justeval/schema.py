"""The words of the data: column names, allowed values, Arrow schemas. One row means one thing.

    cases        one case (the facts, as a document of the regression)
    variants     one text of one case for one value of one label
    predictions  one reply, read, for one value of one label

Tables are Arrow in memory and Parquet on disk. Null means unknown; it is never written as 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

PENALTIES = (
    "fixed_term",
    "detention",
    "surveillance",
    "probation",
    "life",
    "death",
    "death_suspended",
    "fine",
    "exempt",
    "acquittal",
    "time_served",
)
"""Kinds of penalty, of a case as of a prediction."""

MAIN_SAMPLE_PENALTIES = ("fixed_term", "exempt", "acquittal")
"""The kinds that enter the main sample of a sentence outcome; the last two at 0 months."""

STATUSES = (
    "ok",
    "repaired",
    "refused",
    "truncated",
    "ambiguous",
    "contradictory",
    "out_of_range",
    "unparsable",
    "empty",
    "provider_error",
)
"""What became of a reply. Only READABLE statuses carry a number."""

READABLE = ("ok", "repaired")

LONGEST_MONTHS_READ = 600.0
"""A term above this many months is out of range, whatever the case set."""

QUESTIONS = ("sentence", "bail", "disposition", "probability")
"""What a prompt asks for."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """One reply, read: what it states, or the reason why it states nothing.

    `months` is the one custodial term stated (months, 0 for a fine, an exemption, an acquittal),
    None where the kind of penalty has no term (life, death) or the status is not readable.
    `guilty` and `penalty` are read field by field, also where the months are refused.
    `probability` lies in [0, 1]. `reason` says in words why the status is not "ok",
    or that the term is none that the law knows.
    """

    status: str
    reason: str = ""
    guilty: bool | None = None
    penalty: str | None = None
    months: float | None = None
    probation_months: float | None = None
    decision: str | None = None
    probability: float | None = None
    risk_score: float | None = None
    bond_amount: float | None = None
    bond_currency: str | None = None
    charge: str | None = None

    @property
    def readable(self) -> bool:
        """Whether the status is one that carries a number."""
        return self.status in READABLE


def _schema(*fields: pa.Field[Any]) -> pa.Schema:
    return pa.schema(list(fields))


CASES = _schema(
    pa.field("case_id", pa.string(), nullable=False),
    pa.field("facts", pa.string(), nullable=False),
    pa.field("language", pa.string(), nullable=False),
    pa.field("charge", pa.string()),
    pa.field("jurisdiction", pa.string()),
    pa.field("filed_year", pa.int32()),
    pa.field("true_months", pa.float64()),
    pa.field("true_penalty", pa.string()),
)

VARIANTS = _schema(
    pa.field("variant_id", pa.string(), nullable=False),
    pa.field("case_id", pa.string(), nullable=False),
    pa.field("label", pa.string()),
    pa.field("value", pa.string()),
    pa.field("is_reference", pa.bool_(), nullable=False),
    pa.field("text", pa.string()),
    pa.field("edit_start", pa.int32()),
    pa.field("edit_end", pa.int32()),
)
"""`label` and `value` are null for the bare case; `text` is null where it was asked elsewhere."""

PREDICTIONS = _schema(
    pa.field("run_id", pa.string(), nullable=False),
    pa.field("model", pa.string(), nullable=False),
    pa.field("model_version", pa.string()),
    pa.field("served_by", pa.string()),
    pa.field("variant_id", pa.string()),
    pa.field("case_id", pa.string(), nullable=False),
    pa.field("label", pa.string()),
    pa.field("value", pa.string()),
    pa.field("is_reference", pa.bool_(), nullable=False),
    pa.field("repetition", pa.int32(), nullable=False),
    pa.field("position", pa.int64()),
    pa.field("status", pa.string(), nullable=False),
    pa.field("reason", pa.string()),
    pa.field("guilty", pa.bool_()),
    pa.field("penalty", pa.string()),
    pa.field("months", pa.float64()),
    pa.field("probation_months", pa.float64()),
    pa.field("decision", pa.string()),
    pa.field("probability", pa.float64()),
    pa.field("risk_score", pa.float64()),
    pa.field("bond_amount", pa.float64()),
    pa.field("bond_currency", pa.string()),
    pa.field("charge", pa.string()),
    pa.field("reply", pa.string()),
    pa.field("finish_reason", pa.string()),
    pa.field("prompt_tokens", pa.int64()),
    pa.field("completion_tokens", pa.int64()),
    pa.field("cost_usd", pa.float64()),
    pa.field("latency_ms", pa.float64()),
    pa.field("asked_at", pa.string()),
    pa.field("attempts", pa.int32()),
    pa.field("true_months", pa.float64()),
    pa.field("case_charge", pa.string()),
    pa.field("filed_year", pa.int32()),
)
"""The columns of `DESIGN`'s predictions, and three of the case that the estimates need."""

"""What a diagnosis is made of: findings, and the estimates that stand beside them.

The fields of a Finding without `p` and `rows` are the keys of `justeval diagnose --json`. None
means unknown, or that a finding concerns more than one label, value or model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from justeval.aggregate.as_json import plain
from justeval.estimate.records import Codes

LEVEL = 0.01
"""The family-wise level that all checks of a run share."""

IDENTICAL_REPLY = "identical_reply"
CHARGE_MISFIT = "charge_misfit"
ORDER = "order"
TEXT_DIFFERS = "text_differs"
TEXT_EMPTY = "text_empty"
TEXT_CUT = "text_cut"
TEXT_LANGUAGE = "text_language"
MISSING_VERSION = "missing_version"
DUPLICATE = "duplicate"
LEFT_SAMPLE = "left_sample"
REFUSED = "refused"
UNREADABLE = "unreadable"
SERVED_BY = "served_by"
MODEL_VERSION = "model_version"
DRIFT = "drift"
INFLUENCE = "influence"

KINDS = (
    IDENTICAL_REPLY,
    CHARGE_MISFIT,
    TEXT_EMPTY,
    TEXT_CUT,
    TEXT_LANGUAGE,
    TEXT_DIFFERS,
    DUPLICATE,
    MISSING_VERSION,
    SERVED_BY,
    MODEL_VERSION,
    REFUSED,
    UNREADABLE,
    LEFT_SAMPLE,
    ORDER,
    DRIFT,
    INFLUENCE,
)
"""Every kind of finding, in the order in which findings are listed."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The effect of one value against the reference on log(months + 1), in one sample.

    `p` is the p value of the coefficient; `p_label` that of the whole label's joint test.
    """

    value: str
    coef: float | None
    se: float | None
    p: float | None
    p_label: float | None
    documents: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with the data of a run.

    replies, documents : how many are concerned. estimate_with, estimate_without : the label's
    effect with all replies and without the flagged ones; without is None where none is flagged.
    rows : indices into the table of predictions of the replies concerned. flagged : whether
    `--exclude-flagged` leaves them out. p : of the test behind the finding, before the family is
    taken into account; None where it is no matter of chance (an empty text is empty).
    """

    kind: str
    model: str | None
    label: str | None
    value: str | None
    replies: int
    documents: int
    estimate_with: Estimate | None
    estimate_without: Estimate | None
    advice: str
    p: float | None
    flagged: bool
    rows: Codes


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings of a run, the gravest kinds first."""

    findings: tuple[Finding, ...]


_SHOWN = (
    "kind", "model", "label", "value", "replies", "documents", "estimate_with",
    "estimate_without", "advice",
)  # fmt: skip


def as_json(diagnosis: Diagnosis) -> dict[str, Any]:
    """The document that `justeval diagnose --json` prints."""
    findings = [
        {name: plain(getattr(finding, name)) for name in _SHOWN} for finding in diagnosis.findings
    ]
    return {"findings": findings}


def flagged_rows(diagnosis: Diagnosis) -> Codes:
    """(F,) sorted indices of the predictions that `--exclude-flagged` leaves out."""
    flagged = [finding.rows for finding in diagnosis.findings if finding.flagged]
    if not flagged:
        return np.zeros(0, dtype=np.int64)
    return np.unique(np.concatenate(flagged))

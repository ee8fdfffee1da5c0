"""All checks of a run, judged together.

In: predictions, labels, the bound of the main sample, and the variants where there are any. Out:
a Diagnosis. Every check is asked first which tests it made and what the least p of each could
have been; then one threshold is set for all, and only what lies below it becomes a finding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from justeval.diagnose.by_value import check_servers, check_statuses
from justeval.diagnose.completeness import check_duplicates, check_missing
from justeval.diagnose.drift import check_drift
from justeval.diagnose.effects import Rules, check_influence, effect_of
from justeval.diagnose.family import Check, Threshold, thresholds
from justeval.diagnose.faulty_texts import check_texts
from justeval.diagnose.identical import check_identical
from justeval.diagnose.misfit import check_charges
from justeval.diagnose.order import asked_order, check_order, order_of
from justeval.diagnose.origins import check_origins
from justeval.diagnose.records import (
    CHARGE_MISFIT,
    KINDS,
    MISSING_VERSION,
    MODEL_VERSION,
    SERVED_BY,
    Diagnosis,
    Finding,
)
from justeval.diagnose.versions import Versions, versions_of
from justeval.estimate.encoding import Encoded, encode, float_column
from justeval.estimate.records import Codes
from justeval.labels import Label

COVERED = 0.5
"""A finding of which another one covers this share of the replies is told by that one."""


def diagnose(
    predictions: pa.Table,
    labels: Mapping[str, Label],
    longest_months: float,
    variants: pa.Table | None = None,
) -> Diagnosis:
    """What is wrong with the data of a run, found without being told where to look.

    predictions : a table in the shape of schema.PREDICTIONS, of one or several models. labels :
    what is known of the labels, by id. longest_months : the bound of the main sample. variants :
    the texts that were asked, in the shape of schema.VARIANTS. `Finding.rows` are indices into
    `predictions`.

    All tests are exact and share one family-wise level of 1 % (Tarone's form of Bonferroni's
    correction, half of it for identical replies, see `family`). What is no matter of chance is
    found whenever it is there: faulty texts, missing versions, duplicates, a second provider or
    version of the model, and verdicts that a handful of documents carries. Raises TableError where
    a needed column lacks.
    """
    rows = encode(predictions)
    rules = Rules(labels, longest_months)
    probability = float_column(predictions, "probability")
    versions = versions_of(rows, longest_months, rules.numeric, probability)
    if versions.count == 0:
        return Diagnosis(())
    order = order_of(versions, *asked_order(predictions, rows))
    checks = [
        *check_identical(versions, predictions, order),
        check_charges(versions, predictions),
        *check_statuses(versions),
        *check_servers(versions, predictions),
        check_origins(versions, predictions),
        check_missing(versions),
        check_duplicates(versions),
        check_order(versions, order),
        check_drift(versions, order),
        check_influence(versions, rules),
    ]
    if variants is not None:
        checks.append(check_texts(rows, variants))
    limits = thresholds(checks)
    findings = _told_once(
        _identical(versions, checks, limits[True].p),
        [one for check in checks for one in _findings_of(check, limits)],
    )
    ordered = sorted(findings, key=_place)
    return Diagnosis(tuple(_with_effects(one, rows, rules) for one in ordered))


def _findings_of(check: Check, limits: Mapping[bool, Threshold]) -> list[Finding]:
    limit = limits[check.own_half].p
    made = [suspect.finding() for suspect in check.suspects if suspect.p <= limit]
    return [*check.facts, *(finding for finding in made if finding is not None)]


def _identical(versions: Versions, checks: Sequence[Check], limit: float) -> list[Finding]:
    """Identical replies, one explanation after the other, each judged without those before it."""
    told = np.zeros(int(versions.unit.max(initial=-1)) + 1, dtype=np.bool_)
    found: list[Finding] = []
    rivals = [rival for check in checks for rival in check.rivals if rival.p <= limit]
    for rival in sorted(rivals, key=lambda rival: (rival.rank, rival.p)):
        finding = rival.judge(told)
        if finding is not None and finding.p is not None and finding.p <= limit:
            found.append(finding)
            told[versions.unit[versions.of_row[finding.rows]]] = True
    return found


def _told_once(identical: Sequence[Finding], findings: Sequence[Finding]) -> list[Finding]:
    """All findings but those that another one tells already.

    A second provider or version is told only where no value has it more often. Misfitting charges
    are told only where the replies are not identical ones; missing versions of a label, or of all
    labels together, only where no test of its values tells most of them.
    """
    tested = [f for f in findings if f.kind == MISSING_VERSION and f.p is not None]
    kept = list(identical)
    for one in findings:
        if one.kind == CHARGE_MISFIT and _covered(one.rows, identical):
            continue
        if one.kind in (SERVED_BY, MODEL_VERSION) and _told_by_value(one, findings):
            continue
        if one.kind == MISSING_VERSION and one.p is None:
            told = [f for f in tested if f.model == one.model and one.label in (None, f.label)]
            if sum(f.documents for f in told) >= COVERED * one.documents:
                continue
        kept.append(one)
    return kept


def _told_by_value(fact: Finding, findings: Sequence[Finding]) -> bool:
    same = [f for f in findings if (f.kind, f.model) == (fact.kind, fact.model)]
    return fact.label is None and any(f.label is not None for f in same)


def _covered(rows: Codes, by: Sequence[Finding]) -> bool:
    return any(np.isin(rows, one.rows).mean() >= COVERED for one in by)


def _place(finding: Finding) -> tuple[int, str, str, float]:
    """Findings are listed by kind, and within a kind by model and label."""
    p = 0.0 if finding.p is None else finding.p
    return KINDS.index(finding.kind), finding.model or "", finding.label or "", p


def _with_effects(finding: Finding, rows: Encoded, rules: Rules) -> Finding:
    """The finding with the label's effect, and the effect without the replies flagged."""
    if finding.model is None or finding.label is None:
        return finding
    where = (rows, rules, finding.model, finding.label, finding.value)
    with_all = effect_of(*where)
    if not finding.flagged:
        return replace(finding, estimate_with=with_all)
    return replace(
        finding, estimate_with=with_all, estimate_without=effect_of(*where, finding.rows)
    )

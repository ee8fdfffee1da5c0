"""The effect of a label with and without some replies, and the verdicts that rest on a few.

In: the codes of a table and its labels. Out: Estimates, and facts of the kind "influence". Sample,
designs and engine are those of the analysis, so that a number here is the number there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from justeval.diagnose.family import NO_TESTS, Check
from justeval.diagnose.influence import VERDICT, influential_documents, verdict_p
from justeval.diagnose.order import reference_version
from justeval.diagnose.records import INFLUENCE, Estimate, Finding
from justeval.diagnose.versions import Versions
from justeval.estimate import Design, Regression, Sample, estimate, label_design, sample_of
from justeval.estimate.encoding import Coded, Encoded
from justeval.estimate.records import Codes
from justeval.estimate.rule import Bounds, as_numbers
from justeval.inference import holm
from justeval.labels import Label, is_crossed

NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Rules:
    """How a table is to be estimated: what its labels are, and the bound of the main sample."""

    labels: Mapping[str, Label]
    longest_months: float

    @property
    def numeric(self) -> dict[str, Bounds | None]:
        """The labels whose values are numbers, with the range of these."""
        return {name: label.range for name, label in self.labels.items() if label.numeric}


def effect_of(
    rows: Encoded, rules: Rules, model: str, label: str, value: str | None, without: Codes = NOTHING
) -> Estimate | None:
    """The effect of a value against the reference, some rows left out.

    Where the value is the reference, or none is named, that of the value with the smallest p.
    """
    chosen = rows.model.codes == rows.model.code_of(model)
    chosen &= rows.label.codes == rows.label.code_of(label)
    chosen[without] = False
    sample = sample_of(_subset(rows, np.flatnonzero(chosen)), rules.longest_months, rules.numeric)
    design = design_of(sample, sample.labels.index(label), rules)
    if design is None:
        return None
    found = estimate(design)
    at = found.names.index(value) if value in found.names else _smallest(found)
    return Estimate(
        value=found.names[at],
        coef=finite(found.coef[at]),
        se=finite(found.se[at]),
        p=finite(found.p_values[at]),
        p_label=verdict_p(found),
        documents=found.documents,
    )


def design_of(sample: Sample, group: int, rules: Rules) -> Design | None:
    """The design of log(months + 1) of one group, None where it has none."""
    name = sample.labels[group % len(sample.labels)]
    known = rules.labels.get(name)
    cells = sample.cells_of(group)
    numeric = known is not None and known.numeric
    design = label_design(
        outcome=cells.log_months,
        document=cells.document,
        value=cells.value,
        names=sample.values,
        reference=reference_of(sample, group, rules),
        numbers=sample.numbers if numeric else None,
    )
    return design if isinstance(design, Design) else None


def reference_of(sample: Sample, group: int, rules: Rules) -> int:
    """Code of the reference value: as the rows mark it, else as the label has it; -1 if unknown."""
    known = rules.labels.get(sample.labels[group % len(sample.labels)])
    reference = int(sample.reference[group])
    if reference < 0 and known is not None and known.reference in sample.values:
        return sample.values.index(known.reference)
    return reference


def check_influence(versions: Versions, rules: Rules) -> Check:
    """Facts: labels whose verdict is lost without a handful of documents."""
    rows = versions.encoded
    names = rows.label.names
    groups = range(len(rows.model.names) * len(names))
    counted = [group for group in groups if _counts(names[group % len(names)], rules)]
    designs = _designs(versions, counted, rules)
    ps = [None if design is None else verdict_p(estimate(design)) for design in designs]
    facts: list[Finding] = []
    for group, design, p, adjusted in zip(counted, designs, ps, holm(ps), strict=True):
        if design is None or p is None or adjusted is None or adjusted >= VERDICT:
            continue
        found = influential_documents(design)
        if found is not None:
            facts.append(_finding(versions, group, found.documents, p, found.p_without))
    return Check(NO_TESTS, (), tuple(facts))


def _counts(label: str, rules: Rules) -> bool:
    """Whether a label belongs to the family of its model: placebo and crossed labels do not."""
    known = rules.labels.get(label)
    return not is_crossed(label) and (known is None or not known.placebo)


def _designs(versions: Versions, groups: Sequence[int], rules: Rules) -> list[Design | None]:
    """The designs of many groups, from versions that are sorted already.

    The outcome of a version is the mean of log(months + 1) over its rows in the main sample.
    """
    rows, judged = versions.encoded, versions.judged
    kept = (judged.reason == 0) & (versions.of_row >= 0)
    of = versions.of_row[kept]
    total = np.bincount(of, weights=np.log1p(judged.months[kept]), minlength=versions.count)
    times = np.bincount(of, minlength=versions.count)
    outcome = np.full(versions.count, np.nan)
    np.divide(total, times, out=outcome, where=times > 0)
    reference = reference_version(versions)[versions.unit]
    starts = np.searchsorted(versions.group, np.arange(len(rows.model.names) * versions.labels + 1))
    numbers = as_numbers(rows.value.names)
    found: list[Design | None] = []
    for group in groups:
        where = slice(int(starts[group]), int(starts[group + 1]))
        known = rules.labels.get(rows.label.names[group % versions.labels])
        at = reference[where][reference[where] >= 0]
        design = label_design(
            outcome=outcome[where],
            document=versions.document[where],
            value=versions.value[where],
            names=rows.value.names,
            reference=int(versions.value[at[0]]) if at.size else -1,
            numbers=numbers if known is not None and known.numeric else None,
        )
        found.append(design if isinstance(design, Design) else None)
    return found


def _finding(versions: Versions, group: int, documents: Codes, p: float, without: float) -> Finding:
    model, label = versions.group_names(group)
    concerned = np.flatnonzero((versions.group == group) & np.isin(versions.document, documents))
    names = [versions.encoded.document.names[code] for code in documents]
    shown = ", ".join(names[:5]) + (" ..." if len(names) > 5 else "")
    return Finding(
        kind=INFLUENCE,
        model=model,
        label=label,
        value=None,
        replies=int(versions.rows[concerned].sum()),
        documents=documents.size,
        estimate_with=None,
        estimate_without=None,
        advice=(
            f"The verdict on {label} rests on {documents.size} documents ({shown}): its p is "
            f"{p:.2g} with them and {without:.2g} without; read their replies, and claim no more "
            "than that these documents differ."
        ),
        p=None,
        flagged=False,
        rows=versions.rows_of(concerned),
    )


def _subset(rows: Encoded, at: Codes) -> Encoded:
    """Some rows of a table, in their order."""

    def chosen(column: Coded) -> Coded:
        return Coded(column.codes[at], column.names)

    one_model = np.zeros(at.size, dtype=np.int64)
    name = rows.model.names[int(rows.model.codes[at[0]])] if at.size else ""
    return replace(
        rows,
        model=Coded(one_model, (name,)),
        label=chosen(rows.label),
        value=chosen(rows.value),
        document=chosen(rows.document),
        status=chosen(rows.status),
        penalty=chosen(rows.penalty),
        guilty=rows.guilty[at],
        is_reference=rows.is_reference[at],
        repetition=rows.repetition[at],
        months=rows.months[at],
        true_months=rows.true_months[at],
    )


def _smallest(found: Regression) -> int:
    return int(np.argmin(np.nan_to_num(found.p_values, nan=2.0)))


def finite(number: float) -> float | None:
    """The number, None where it is NaN or infinite."""
    return float(number) if math.isfinite(number) else None

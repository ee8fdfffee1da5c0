"""Evidence -> the whole analysis: what is wrong with the data first, then the numbers.

In: Evidence and the options of the analysis. Out: the document that `justeval analyze --json`
prints: the analysis, the findings of the diagnosis, and where it was asked for, the same analysis
without the replies that the findings flag.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from justeval.aggregate import OF_QUESTION, AnalysisOptions, analyze, as_json
from justeval.aggregate.as_json import plain
from justeval.aggregate.heterogeneity import effects_by_charge, effects_by_severity
from justeval.aggregate.robustness import specification_curve
from justeval.diagnose import Diagnosis, diagnose, flagged_rows
from justeval.diagnose import as_json as findings_as_json
from justeval.errors import UsageError
from justeval.estimate.records import Codes
from justeval.evidence import Evidence


def analysis_of(
    evidence: Evidence,
    options: AnalysisOptions,
    exclude_flagged: bool = False,
    robustness: bool = False,
    by_charge: bool = False,
    by_severity: bool = False,
    cores: int = 1,
) -> dict[str, Any]:
    """The document of `justeval analyze --json`.

    `findings` says what is wrong with the data. With `exclude_flagged`, `without_flagged` holds
    `replies` (how many rows were left out), and `summary` and `models` estimated without them. With
    `robustness`, `robustness` holds the effects in the published family of specifications, and the
    joint test over them; with `by_charge`, `by_charge` the effects in each charge; with
    `by_severity`, `by_severity` those in light and grave cases. cores : processes that judge models
    side by side.
    """
    found = diagnosis_of(evidence)
    document = _estimated(evidence, evidence.predictions, options, cores)
    document |= findings_as_json(found)
    if exclude_flagged:
        flagged = flagged_rows(found)
        again = _estimated(evidence, without_rows(evidence.predictions, flagged), options, cores)
        kept = {name: again[name] for name in ("summary", "models")}
        document["without_flagged"] = {"replies": int(flagged.size), **kept}
    if robustness:
        found_again = specification_curve(evidence.predictions, evidence.labels, options)
        document["robustness"] = plain(found_again)
    if by_charge:
        apart = effects_by_charge(evidence.predictions, evidence.labels, options)
        document["by_charge"] = plain(apart)
    if by_severity:
        apart_again = effects_by_severity(evidence.predictions, evidence.labels, options)
        document["by_severity"] = plain(apart_again)
    return document


def outcome_of(evidence: Evidence) -> str:
    """The outcome that the runs ask for: the sentence, a decision, a probability. Raises UsageError
    where runs ask different questions."""
    asked = {str(run["dataset"].get("question") or "sentence") for run in evidence.manifests}
    outcomes = {OF_QUESTION.get(question, "log_months") for question in asked}
    if len(outcomes) > 1:
        questions = ", ".join(sorted(asked))
        raise UsageError(
            f"the runs ask different questions ({questions}); analyze them one by one, or say "
            "which outcome with --outcome"
        )
    return outcomes.pop() if outcomes else "log_months"


def diagnosis_of(evidence: Evidence) -> Diagnosis:
    """What is wrong with the data, the texts that were asked among them where they are known."""
    return diagnose(
        evidence.predictions, evidence.labels, evidence.longest_months, variants_of(evidence)
    )


def variants_of(evidence: Evidence) -> pa.Table | None:
    """The texts of the runs, None where a run or a table has none."""
    files = evidence.variants
    if not files or not all(file.is_file() for file in files):
        return None
    return pa.concat_tables([pq.read_table(file) for file in files])


def without_rows(table: pa.Table, rows: Codes) -> pa.Table:
    """A table without the rows at these indices."""
    keep = np.ones(table.num_rows, dtype=np.bool_)
    keep[rows] = False
    return table.filter(pa.array(keep))


def _estimated(
    evidence: Evidence, predictions: pa.Table, options: AnalysisOptions, cores: int
) -> dict[str, Any]:
    return as_json(analyze(predictions, evidence.labels, options, evidence.runs, cores))

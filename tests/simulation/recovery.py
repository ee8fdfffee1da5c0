"""The pipeline recovers what was planted: coverage of intervals, rejection of placebos.

Each seed draws the documents with replacement under new ids, asks the simulated model about every
version of each, reads the replies and estimates. The truth of a (label, value) is the mean over
the case set's documents of the difference of expected log(months + 1), each expectation the mean
of 1,000 noise draws of the simulated model.

    python -m tests.simulation.recovery [SEEDS]
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from justeval.aggregate import AnalysisOptions, analyze
from justeval.cases import Case, load_cases
from justeval.labels import Label, load_labels
from justeval.models.simulated import SimulatedModel, message_text
from justeval.prompts import Prompt, load_prompt
from justeval.replies import read_reply
from justeval.schema import PREDICTIONS
from justeval.variants import Skipped, Variant, versions_of

NOISE_DRAWS = 1000
PREDICTED = ("status", "guilty", "penalty", "months")


@dataclass(frozen=True, slots=True)
class Recovery:
    """What the seeds came to.

    `covered` of `intervals` 95 % intervals hold the truth; `rejected` of `placebo_tests` placebo
    tests have p below 5 %, `rejected_changed` of `placebo_tests_changed` those in which 20 or more
    documents differ.
    """

    intervals: int
    covered: int
    placebo_tests: int
    rejected: int
    placebo_tests_changed: int
    rejected_changed: int

    @property
    def coverage(self) -> float:
        """Share of intervals that hold the truth."""
        return self.covered / self.intervals

    @property
    def placebo_rejection(self) -> float:
        """Share of placebo tests rejected at 5 %."""
        return self.rejected / self.placebo_tests

    @property
    def placebo_rejection_changed(self) -> float:
        """The same among placebo tests with 20 or more changed documents."""
        return self.rejected_changed / max(self.placebo_tests_changed, 1)


def recover(
    seeds: int, case_set: str = "us-sentencing", packs: str = "judicial-us,placebo"
) -> Recovery:
    """Runs the pipeline for many seeds and counts."""
    cases = load_cases(case_set).cases
    labels = load_labels(packs)
    prompt = load_prompt(f"sentence-{cases[0].language}")
    model = SimulatedModel.from_profile("planted")
    versions = {
        (case.case_id, label.id): found
        for case in cases
        for label in labels
        if not isinstance(found := versions_of(case, label), Skipped)
    }
    truth = _truth(model, cases, labels, versions, prompt)
    counts = np.zeros(6, dtype=int)
    for seed in range(seeds):
        counts += _one_seed(seed, cases, labels, versions, prompt, truth)
    return Recovery(*(int(count) for count in counts))


def _truth(
    model: SimulatedModel,
    cases: tuple[Case, ...],
    labels: tuple[Label, ...],
    versions: dict[tuple[str, str], list[Variant]],
    prompt: Prompt,
) -> dict[tuple[str, str], float]:
    rng = np.random.default_rng(20261129)
    differences: dict[tuple[str, str], list[float]] = {}
    for case in cases:
        for label in labels:
            if label.numeric or (case.case_id, label.id) not in versions:
                continue
            means = {
                v.value: model.log_months(
                    message_text(prompt.messages(v.text)), NOISE_DRAWS, rng
                ).mean()
                for v in versions[case.case_id, label.id]
            }
            for value, mean in means.items():
                if value != label.reference:
                    pair = differences.setdefault((label.id, str(value)), [])
                    pair.append(float(mean - means[label.reference]))
    return {pair: float(np.mean(found)) for pair, found in differences.items()}


def _one_seed(
    seed: int,
    cases: tuple[Case, ...],
    labels: tuple[Label, ...],
    versions: dict[tuple[str, str], list[Variant]],
    prompt: Prompt,
    truth: dict[tuple[str, str], float],
) -> np.ndarray:
    model = SimulatedModel.from_profile("planted", seed=seed)
    rng = np.random.default_rng(seed)
    rows = []
    for number, drawn in enumerate(rng.integers(0, len(cases), len(cases)).tolist()):
        case = cases[drawn]
        for label in labels:
            for version in versions.get((case.case_id, label.id), ()):
                text, reason = model.reply(
                    prompt.messages(version.text), drawn_as=f"{seed}/{number}"
                )
                rows.append(row_of(f"drawn-{number}", case, version, text, reason))
    predictions = pa.Table.from_pylist(rows, PREDICTIONS)
    options = AnalysisOptions(longest_months=1000.0, draws=99)
    analysis = analyze(predictions, {label.id: label for label in labels}, options)
    return _count(analysis.models[0].labels, truth)


def row_of(case_id: str, case: Case, version: Variant, text: str, reason: str) -> dict[str, object]:
    """The row of predictions that a reply to a version becomes."""
    read = _read(text, reason)
    return {
        "run_id": "recovery",
        "model": "simulated-planted",
        "variant_id": version.variant_id,
        "case_id": case_id,
        "label": version.label,
        "value": version.value,
        "is_reference": version.is_reference,
        "repetition": 0,
        "true_months": case.true_months,
        **{name: getattr(read, name) for name in PREDICTED},
    }


_read = lru_cache(maxsize=100_000)(read_reply)
"""Most replies are alike; each is read once."""


def _count(results: object, truth: dict[tuple[str, str], float]) -> np.ndarray:
    counts = np.zeros(6, dtype=int)
    for result in results:  # type: ignore[attr-defined]
        for value in result.bias.values:
            expected = truth.get((result.label, value.value))
            if expected is not None and value.ci_low is not None:
                counts[0] += 1
                counts[1] += value.ci_low <= expected <= value.ci_high
        if result.placebo and result.bias.p is not None:
            counts[2] += 1
            counts[3] += result.bias.p < 0.05
            if result.documents_changed >= 20:
                counts[4] += 1
                counts[5] += result.bias.p < 0.05
    return counts


if __name__ == "__main__":
    found = recover(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
    print(found)
    print(f"coverage {found.coverage:.4f}, placebos rejected {found.placebo_rejection:.4f}, ")
    print(f"where 20 or more documents differ {found.placebo_rejection_changed:.4f}")

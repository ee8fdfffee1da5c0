"""Size of the count tests: 65 labels without any effect, all asked of the same documents.

    python -m tests.simulation.study_counts --datasets 2000 --draws 499

With --sparse 1, most documents never change, and the rules for few documents decide.
For each data set: is the count of labels with p < 5 % called surprising, at 5 %, by the calibrated
count test and by the plain binomial test? Beside it the published rule (a label counts if any value
has p < 10 %; the binomial test is over values at 10 %), and whether Romano-Wolf rejects any label.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from justeval.inference import binomial_tail, draw_signs
from justeval.inference.count_test import count_test
from justeval.inference.draws import joint_statistics
from justeval.inference.romano_wolf import step_down
from justeval.inference.scale import log_p, significant
from tests.simulation.families import COLUMNS, quick_member, tables, value_p
from tests.simulation.tables import measure, options, share, show

LEVEL = 0.05
HEADER = (
    "reference replies", "documents", "with noise", "data sets", "calibrated", "calibrated, mid-p",
    "binomial", "labels counted", "any value < 10 %: labels", "its binomial over values",
    "Romano-Wolf: any label",
)  # fmt: skip


@dataclass(frozen=True)
class Counts:
    datasets: int
    calibrated: int
    mid_p: int
    binomial: int
    labels: float
    any_value: float
    values_binomial: int
    romano_wolf: int


def study(*, datasets, draws, documents, shared, noisy=1.0, seed=1, columns=COLUMNS):
    rng = np.random.default_rng(seed)
    hits = np.zeros(5, dtype=int)
    labels = any_value = 0
    for _ in range(datasets):
        found = tables(rng, documents, shared, noisy, columns)
        members = [quick_member(table, draws) for table in found]
        moving = [member for member in members if member is not None]
        signs = draw_signs(np.arange(documents), draws, rng)
        statistics = joint_statistics([member.label for member in moving], signs)
        count = count_test(
            flags=significant(moving, statistics, LEVEL), still=len(members) - len(moving),
            alpha=LEVEL, exhaustive=signs.exhaustive,
        )  # fmt: skip
        scale = log_p(moving, statistics)
        smallest = np.maximum(step_down(scale).adjusted, np.exp(scale[0])).min()
        p = [value_p(table) for table in found]
        below = sum(int(np.count_nonzero(of < 0.10)) for of in p)
        hits += (
            count.calibrated_p <= LEVEL,
            count.calibrated_mid_p <= LEVEL,
            count.binomial_p <= LEVEL,
            binomial_tail(below, sum(columns), 0.10) <= LEVEL,
            smallest < LEVEL,
        )
        labels += count.significant
        any_value += sum(1 for of in p if (of < 0.10).any())
    return Counts(
        datasets, int(hits[0]), int(hits[1]), int(hits[2]),
        labels / datasets, any_value / datasets, int(hits[3]), int(hits[4]),
    )  # fmt: skip


def row(found, documents, shared, noisy, **_):
    n = found.datasets
    return (
        "one, shared" if shared else "own", documents, f"{100 * noisy:g} %", n,
        share(found.calibrated, n), share(found.mid_p, n), share(found.binomial, n),
        f"{found.labels:.2f}", f"{found.any_value:.2f}",
        share(found.values_binomial, n), share(found.romano_wolf, n),
    )  # fmt: skip


def main():
    chosen = options(__doc__, datasets=2000, draws=499, sparse=0)
    designs = ((60, 0.25), (400, 0.1)) if chosen.sparse else ((60, 1.0), (400, 1.0))
    cells = [
        {"datasets": chosen.datasets, "draws": chosen.draws, "documents": documents,
         "shared": shared, "noisy": noisy, "seed": chosen.seed}
        for documents, noisy in designs
        for shared in (False, True)
    ]  # fmt: skip
    measured = measure(study, cells, chosen.jobs)
    show(HEADER, [row(found, **cell) for found, cell in zip(measured, cells, strict=True)])


if __name__ == "__main__":
    main()

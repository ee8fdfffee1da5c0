"""How often does a 95 % interval hold the true mean effect, by the share of documents that respond?

    python -m tests.simulation.study_coverage --datasets 20000

A responding document moves by 0.3 on average in log(months + 1), standard deviation 0.2; the others
do not move at all. Documents are drawn anew in every data set, and the truth is over all documents.
"""

from __future__ import annotations

import numpy as np

from justeval.estimate import Design, estimate
from tests.simulation.families import levels
from tests.simulation.tables import measure, options, share, show

HEADER = (
    "responding", "documents", "data sets", "95 % intervals that hold the truth", "too low",
    "too high", "mean changed",
)  # fmt: skip


def study(*, datasets, responding, documents=400, seed=1):
    """Intervals that hold the truth, lie below it, lie above it; mean changed documents."""
    rng = np.random.default_rng(seed)
    truth = 0.3 * responding
    x = np.repeat([0.0, 1.0], documents)[:, None]
    document = np.tile(np.arange(documents), 2)
    held = below = above = changed = 0
    for _ in range(datasets):
        base = np.log(levels(rng, documents) + 1)
        responds = rng.random(documents) < responding
        moved = base + responds * (0.3 + 0.2 * rng.normal(size=documents))
        found = estimate(Design(np.concatenate([base, moved]), x, document, ("b",), "a"))
        held += bool(found.ci_low[0] <= truth <= found.ci_high[0])
        below += bool(found.ci_high[0] < truth)
        above += bool(found.ci_low[0] > truth)
        changed += int(responds.sum())
    return held, below, above, changed / datasets


def main():
    chosen = options(__doc__, datasets=20000)
    n = chosen.datasets
    cells = [
        {"datasets": n, "responding": responding, "seed": chosen.seed}
        for responding in (1.0, 0.5, 0.2, 0.1, 0.05, 0.02)
    ]
    rows = []
    for cell, found in zip(cells, measure(study, cells, chosen.jobs), strict=True):
        held, below, above, changed = found
        rows.append(
            (f"{100 * cell['responding']:g} %", 400, n, share(held, n),
             f"{100 * below / n:.1f} %", f"{100 * above / n:.1f} %", f"{changed:.0f}")
        )  # fmt: skip
    show(HEADER, rows)


if __name__ == "__main__":
    main()

"""Size and power of between-less-within disagreement, beside plain inconsistency.

    python -m tests.simulation.study_disagreement --datasets 2000 --shuffles 499

Replies of three repetitions of every value. "responding": documents in which one value adds 30 %.
"""

from __future__ import annotations

import numpy as np

from justeval.inference import disagreement
from tests.simulation.families import levels, replies
from tests.simulation.tables import measure, options, share, show

LEVEL = 0.05
HEADER = (
    "values", "documents", "responding", "data sets", "p < 5 %", "mean excess",
    "plain inconsistency",
)  # fmt: skip


def replies_of(rng, values, documents, repetitions, responding):
    """Rows (document, value, months) of one label."""
    level, varies = levels(rng, documents), rng.random(documents) < 0.6
    responds = rng.random(documents) < responding
    document, value, months = [], [], []
    for v in range(values):
        for _ in range(repetitions):
            effect = 0.3 * responds * (v == values - 1)
            months.append(replies(rng, level, varies, effect))
            document.append(np.arange(documents))
            value.append(np.full(documents, v))
    return np.concatenate(document), np.concatenate(value), np.concatenate(months)


def study(*, datasets, shuffles, values, documents=60, responding=0.0, repetitions=3, seed=1):
    """Rejections at 5 %, mean excess, mean share of documents with any change."""
    rng = np.random.default_rng(seed)
    rejected, excess, changed = 0, 0.0, 0.0
    for _ in range(datasets):
        document, value, months = replies_of(rng, values, documents, repetitions, responding)
        found = disagreement(
            document=document, value=value, answer=months.astype(np.int64), rng=rng,
            shuffles=shuffles,
        )  # fmt: skip
        rejected += found.p <= LEVEL
        excess += found.excess
        first = months.reshape(values, repetitions, documents)[:, 0]
        changed += float(np.mean(first.max(axis=0) > first.min(axis=0)))
    return rejected, excess / datasets, changed / datasets


def main():
    chosen = options(__doc__, datasets=2000, shuffles=499)
    n = chosen.datasets
    cells = [
        {"datasets": n, "shuffles": chosen.shuffles, "values": values, "responding": responding,
         "seed": chosen.seed}
        for responding in (0.0, 0.1)
        for values in (2, 3, 7)
    ]  # fmt: skip
    rows = []
    for cell, found in zip(cells, measure(study, cells, chosen.jobs), strict=True):
        rejected, excess, changed = found
        responding = f"{100 * cell['responding']:g} %"
        rows.append(
            (
                cell["values"],
                60,
                responding,
                n,
                share(rejected, n),
                f"{excess:.4f}",
                f"{changed:.2f}",
            )
        )
    show(HEADER, rows)


if __name__ == "__main__":
    main()

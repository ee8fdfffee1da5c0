"""Size of the test of one label with several values, by F(K, G-1), Hotelling and the rule in force.

python -m tests.simulation.study_label_tests --datasets 5000 --draws 999
"""

from __future__ import annotations

import numpy as np

from justeval.estimate import estimate
from justeval.inference import infer_family
from tests.simulation.families import family
from tests.simulation.tables import measure, options, share, show

LEVEL = 0.05
HEADER = (
    "values beside the reference, K", "documents, G", "with noise", "data sets", "F(K, G-1)",
    "Hotelling", "the rule in force", "decided by",
)  # fmt: skip
DESIGNS = [
    (3, 12, 1.0), (3, 60, 1.0), (3, 400, 1.0), (7, 12, 1.0), (7, 60, 1.0), (7, 400, 1.0),
    (3, 400, 0.04), (7, 400, 0.04), (3, 400, 0.1), (7, 400, 0.1), (1, 400, 0.02), (1, 400, 0.1),
]  # fmt: skip


def study(*, datasets, draws, k, documents, noisy=1.0, seed=1):
    """Rejections at 5 % by F, by Hotelling, by the rule, and how often which test decided."""
    rng = np.random.default_rng(seed)
    f = hotelling = rule = 0
    decided = {}
    for _ in range(datasets):
        members = family(rng, documents, False, noisy, [k])
        regression = estimate(members[0].design)
        label = infer_family(members, rng=rng, draws=draws).labels[0]
        f += regression.p is not None and regression.p < LEVEL
        hotelling += regression.p_small is not None and regression.p_small < LEVEL
        rule += label.significant is True
        decided[label.decided_by] = decided.get(label.decided_by, 0) + 1
    return f, hotelling, rule, decided


def main():
    chosen = options(__doc__, datasets=5000, draws=999)
    n = chosen.datasets
    cells = [
        {"datasets": n, "draws": chosen.draws, "k": k, "documents": documents, "noisy": noisy,
         "seed": chosen.seed}
        for k, documents, noisy in DESIGNS
    ]  # fmt: skip
    rows = []
    for (k, documents, noisy), found in zip(
        DESIGNS, measure(study, cells, chosen.jobs), strict=True
    ):
        *rejected, decided = found
        by = ", ".join(f"{name} {100 * count / n:.0f} %" for name, count in sorted(decided.items()))
        shares = [share(count, n) for count in rejected]
        rows.append((k, documents, f"{100 * noisy:g} %", n, *shares, by))
    show(HEADER, rows)


if __name__ == "__main__":
    main()

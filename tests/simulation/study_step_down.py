"""Family-wise error of Romano-Wolf over 65 labels, with no true effect and with 20.

python -m tests.simulation.study_step_down --datasets 2000 --draws 999
"""

from __future__ import annotations

import numpy as np

from justeval.inference import draw_signs
from justeval.inference.draws import joint_statistics
from justeval.inference.romano_wolf import step_down
from justeval.inference.scale import log_p
from tests.simulation.families import COLUMNS, quick_member, tables
from tests.simulation.tables import measure, options, share, show

LEVEL = 0.05
HEADER = (
    "true effects", "reference replies", "documents", "data sets",
    "some label without effect rejected", "effects found", "with Bonferroni",
)  # fmt: skip


def study(*, datasets, draws, documents, shared, effects, size, seed=1, columns=COLUMNS):
    """False families, share of true effects found, and the share that Bonferroni finds."""
    rng = np.random.default_rng(seed)
    true = np.zeros(len(columns))
    true[:effects] = size
    wrong, found_of, bonferroni = 0, 0, 0
    for _ in range(datasets):
        found = tables(rng, documents, shared, 1.0, columns, true)
        members = [quick_member(table, draws) for table in found]
        signs = draw_signs(np.arange(documents), draws, rng)
        scale = log_p(members, joint_statistics([member.label for member in members], signs))
        p = np.exp(scale[0])
        rejected = np.maximum(step_down(scale).adjusted, p) < LEVEL
        alone = p < LEVEL / len(columns)
        wrong += bool(rejected[effects:].any())
        found_of += int(np.count_nonzero(rejected[:effects]))
        bonferroni += int(np.count_nonzero(alone[:effects]))
    total = max(datasets * effects, 1)
    return wrong, found_of / total, bonferroni / total


def main():
    chosen = options(__doc__, datasets=2000, draws=999)
    n = chosen.datasets
    cells = [
        {"datasets": n, "draws": chosen.draws, "documents": documents, "shared": shared,
         "effects": effects, "size": size, "seed": chosen.seed}
        for documents, size in ((60, 0.2), (400, 0.06))
        for shared in (False, True)
        for effects in (0, 20)
    ]  # fmt: skip
    rows = []
    for cell, found in zip(cells, measure(study, cells, chosen.jobs), strict=True):
        wrong, *powers = found
        some = cell["effects"] > 0
        rows.append(
            (f"20 of {cell['size']:g}" if some else "none",
             "one, shared" if cell["shared"] else "own", cell["documents"], n, share(wrong, n),
             *(f"{100 * power:.1f} %" if some else "" for power in powers))
        )  # fmt: skip
    show(HEADER, rows)


if __name__ == "__main__":
    main()

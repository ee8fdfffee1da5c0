"""How often is a label called equivalent whose true effect lies exactly on the margin of 5 %?

    python -m tests.simulation.study_equivalence --datasets 5000

The whole effect is carried by a share of the documents; the others never change. Wrong at most 5 %
is what the test promises. Beside the rule in force: the plain two one-sided tests, and those with
the interval corrected for skewness. The other labels
of the run change as strongly as this one ("alike"), or by a tenth of a sentence only ("weakly").
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from justeval.estimate.poisson import fit_poisson
from justeval.inference.changes import changes_of
from justeval.inference.equivalence import equivalence
from tests.simulation.families import design_of, levels
from tests.simulation.tables import measure, options, share, show

MARGIN = 0.05
HEADER = (
    "carried by", "documents", "direction", "others change", "data sets", "plain TOST",
    "corrected for skewness", "the rule in force", "mean changed",
)  # fmt: skip


def one(rng, documents, carried, direction, noise):
    """(D, 2) months with a true ratio of means of 1.05 or 1 / 1.05."""
    level = levels(rng, documents)
    ratio = 1.0 + MARGIN if direction == "up" else 1.0 / (1.0 + MARGIN)
    size = (ratio - 1.0) / carried
    responds = rng.random(documents) < carried
    varied = np.exp(noise * rng.normal(size=documents) - noise**2 / 2)
    return np.column_stack([level, level * (1.0 + size * responds) * varied])


def sizes(table):
    """Sizes of the changes of a complete table, as `changes_of` gives them."""
    spread = np.ptp(table, axis=1)
    return spread[spread > 0] / table.mean()


def study(*, datasets, documents, carried, direction, others, noise=0.0, seed=1):
    """Called equivalent by plain TOST, corrected, and by the rule; mean changed documents."""
    rng = np.random.default_rng(seed)
    plain = corrected = rule = changed = 0
    for _ in range(datasets):
        design = design_of(one(rng, documents, carried, direction, noise), log=False)
        own = changes_of(design)
        elsewhere = np.full(500, 0.1)
        if others == "alike":
            elsewhere = sizes(one(rng, 5 * documents, carried, direction, noise))
        fit = fit_poisson(design)
        half = stats.t.ppf(0.95, documents - 1) * fit.se[0]
        found = equivalence(
            fit=fit, documents=documents, changed=own.size,
            changes=np.concatenate([own, elsewhere]), own_changes=own, margin=MARGIN,
        )  # fmt: skip
        plain += abs(fit.coef[0]) + half <= np.log(1.0 + MARGIN) and own.size > 0
        corrected += all(pair.inside for pair in found.pairs) and own.size > 0
        rule += found.equivalent is True and own.size > 0
        changed += own.size
    return plain, corrected, rule, changed / datasets


def main():
    chosen = options(__doc__, datasets=5000)
    n = chosen.datasets
    cells = [
        {"datasets": n, "documents": documents, "carried": carried, "direction": direction,
         "others": others, "seed": chosen.seed}
        for documents in (60, 400)
        for carried in (0.2, 0.1, 0.05, 0.025)
        for direction in ("up", "down")
        for others in ("alike", "weakly")
        if direction == "up" or (carried >= 0.05 and others == "alike")  # none falls below 0
    ]  # fmt: skip
    rows = []
    for cell, found in zip(cells, measure(study, cells, chosen.jobs), strict=True):
        plain, corrected, rule, changed = found
        rows.append(
            (f"{100 * cell['carried']:g} %", cell["documents"], cell["direction"], cell["others"],
             n, share(plain, n), share(corrected, n), share(rule, n), f"{changed:.1f}")
        )  # fmt: skip
    show(HEADER, rows)


if __name__ == "__main__":
    main()

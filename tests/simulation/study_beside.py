"""Size of the tests beside a label's own: interaction, values of a numeric label, severity, all
specifications.

python -m tests.simulation.study_beside --datasets 2000 --draws 499
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from justeval.aggregate import AnalysisOptions
from justeval.aggregate.fits import LabelCells
from justeval.aggregate.robustness import specification_curve
from justeval.aggregate.shape import shape_of
from justeval.estimate import Design
from justeval.inference import by_number, interaction
from justeval.schema import PREDICTIONS
from tests.simulation.families import levels, replies
from tests.simulation.tables import measure, options, share, show

LEVEL = 0.05
AGES = np.array([20.0, 30.0, 45.0, 67.5])
HEADER = ("test", "values", "documents", "with noise", "data sets", "p < 5 %")
INTERACTION = "interaction, both labels with effects of 0.1"
VALUES, LINE = "numeric label: any value", "numeric label: off the line, slope 0.1"
SLOPE = "severity: slope, effect of 0.1 in all cases"
CURVE = "all specifications, ten charges of unequal size"
CELLS = [
    (INTERACTION, (2, 2), 12, 1.0), (INTERACTION, (2, 2), 60, 1.0), (INTERACTION, (2, 2), 400, 0.1),
    (INTERACTION, (2, 5), 60, 1.0), (INTERACTION, (3, 3), 400, 1.0),
    (VALUES, (4,), 12, 1.0), (VALUES, (4,), 60, 1.0), (VALUES, (4,), 400, 0.1),
    (LINE, (4,), 60, 1.0), (LINE, (4,), 400, 1.0), (SLOPE, (2,), 60, 1.0), (SLOPE, (5,), 400, 1.0),
    (CURVE, (2,), 60, 1.0), (CURVE, (4,), 60, 1.0), (CURVE, (2,), 200, 0.2),
]  # fmt: skip


def study(*, test, values, documents, noisy, datasets, draws, seed=1):
    """How many data sets without what the test looks for have p < 5 %."""
    rng = np.random.default_rng(seed)
    one = {
        INTERACTION: _interaction,
        VALUES: _any_value,
        LINE: _line,
        SLOPE: _slope,
        CURVE: _curve,
    }[test]
    found = [one(rng, values, documents, noisy, draws) for _ in range(datasets)]
    return sum(p is not None and p < LEVEL for p in found)


def _outcome(rng, documents, noisy, effects):
    """(documents * V,) log(months + 1), a reply each. effects : (V,) in documents with noise."""
    level, moves = levels(rng, documents), rng.random(documents) < noisy
    months = [replies(rng, level, moves, effect * moves) for effect in effects]
    return np.log1p(np.column_stack(months)).ravel()


def _interaction(rng, values, documents, noisy, draws):
    width = values[0] * values[1]
    pair = np.arange(width)
    effect = 0.1 * (pair // values[1] > 0) + 0.1 * (pair % values[1] > 0)
    return interaction(
        outcome=_outcome(rng, documents, noisy, effect),
        document=np.repeat(np.arange(documents), width),
        first=np.tile(pair // values[1], documents),
        second=np.tile(pair % values[1], documents),
        names=(list(map(str, range(values[0]))), list(map(str, range(values[1])))),
        references=(0, 0),
        rng=rng,
        draws=draws,
    ).p


def _numeric(rng, documents, noisy, draws, effect):
    cells = LabelCells(
        document=np.repeat(np.arange(documents), 4),
        value=np.tile(np.arange(4), documents),
        names=[f"{age:g}" for age in AGES],
        reference=1,
        order=[0, 1, 2, 3],
        numbers=AGES,
    )
    y = _outcome(rng, documents, noisy, effect)
    return shape_of(cells, y, AnalysisOptions(draws=draws), rng)


def _any_value(rng, values, documents, noisy, draws):
    found = _numeric(rng, documents, noisy, draws, np.zeros(4))
    return None if found is None else found.p


def _line(rng, values, documents, noisy, draws):
    return _numeric(rng, documents, noisy, draws, 0.1 * np.log(AGES / AGES[0])).p_line


def _slope(rng, values, documents, noisy, draws):
    (width,) = values
    code = np.tile(np.arange(width), documents)
    y = _outcome(rng, documents, noisy, 0.1 * (np.arange(width) > 0))
    x = (code[:, None] == np.arange(1, width)).astype(float)
    document = np.repeat(np.arange(documents), width)
    design = Design(y, x, document, tuple(map(str, range(1, width))), "0")
    return by_number(design, rng.normal(size=documents)[document]).p_decides


def _curve(rng, values, documents, noisy, draws):
    (width,) = values
    y = _outcome(rng, documents, noisy, np.zeros(width))
    document = np.repeat(np.arange(documents), width)
    charge = np.minimum(np.arange(documents) ** 2 * 10 // documents**2, 9)[document]
    code = np.tile(np.arange(width), documents)
    table = pa.table(
        {
            "run_id": ["r"] * y.size,
            "model": ["m"] * y.size,
            "case_id": [f"c{d}" for d in document],
            "label": ["x"] * y.size,
            "value": [f"v{v}" for v in code],
            "is_reference": code == 0,
            "repetition": np.zeros(y.size, dtype=np.int32),
            "status": ["ok"] * y.size,
            "penalty": ["fixed_term"] * y.size,
            "months": np.expm1(y),
            "case_charge": [f"charge {c}" for c in charge],
            "filed_year": 2013 + document % 3,
        }
    )
    made = pa.Table.from_pylist(table.to_pylist(), PREDICTIONS)
    options_ = AnalysisOptions(draws=draws, rng_seed=int(rng.integers(2**31)))
    return specification_curve(made, {}, options_).models[0].joint_p


def main():
    chosen = options(__doc__, datasets=2000, draws=499)
    cells = [
        {"test": test, "values": values, "documents": documents, "noisy": noisy,
         "datasets": chosen.datasets, "draws": chosen.draws, "seed": chosen.seed}
        for test, values, documents, noisy in CELLS
    ]  # fmt: skip
    rows = [
        (test, " x ".join(map(str, values)), documents, f"{100 * noisy:g} %", chosen.datasets,
         share(found, chosen.datasets))
        for (test, values, documents, noisy), found in zip(
            CELLS, measure(study, cells, chosen.jobs), strict=True
        )
    ]  # fmt: skip
    show(HEADER, rows)


if __name__ == "__main__":
    main()

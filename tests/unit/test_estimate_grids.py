"""Grids hold the cells of a group, and their layouts are the designs of these."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justeval import schema
from justeval.estimate import Design, Layout, NoDesign, build_sample, flat, label_design
from justeval.estimate import shelves as shelves_module
from justeval.estimate.grids import label_layout

VALUES = ("m", "f", "x", "20", "45")


def drawn(seed, repeated=False):
    """Shuffled rows of two models and labels, with gaps, unknown truths and other kinds."""
    rng = np.random.default_rng(seed)
    rows = {}
    for _ in range(int(rng.integers(1, 150))):
        numeric = bool(rng.integers(2))
        cell = {
            "model": str(rng.choice(["one", "two"])),
            "label": "age" if numeric else "sex",
            "case_id": f"c{rng.integers(7)}",
            "value": VALUES[int(rng.integers(3, 5) if numeric else rng.integers(3))],
            "repetition": int(rng.integers(2)) if repeated else 0,
        }
        rows[tuple(cell.values())] = cell | {
            "is_reference": cell["value"] == "m",
            "status": "ok",
            "penalty": str(rng.choice(["fixed_term"] * 9 + ["life"])),
            "months": float(rng.integers(0, 60)),
            "true_months": None if rng.random() < 0.2 else 24.0,
        }
    return pa.Table.from_pylist(list(rows.values()), schema=schema.PREDICTIONS)


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([0, 4]))
def test_a_layout_is_the_design_of_the_same_cells(seed, repeated, per_row):
    with patch.object(shelves_module, "PLACES_PER_ROW", per_row):
        sample = build_sample(drawn(seed, repeated), numeric={"age": None})
    for group in range(sample.reference.size):
        grid, cells = sample.grid_of(group), sample.cells_of(group)
        numeric = sample.labels[group % len(sample.labels)] == "age"
        read = {
            "names": sample.values,
            "reference": -1 if numeric else int(sample.reference[group]),
            "order": [len(sample.values) - 1],
            "numbers": sample.numbers if numeric else None,
        }
        for outcome in ("log_months", "months", "absolute_error"):
            layout = label_layout(getattr(grid, outcome), grid, **read)
            y = getattr(cells, outcome)
            design = label_design(outcome=y, document=cells.document, value=cells.value, **read)
            assert_same(layout, design)


def assert_same(layout, design):
    """The layout, its rows one after the other, is the design; or both say why there is none."""
    if isinstance(design, NoDesign):
        assert layout == design
        return
    assert isinstance(layout, Layout)
    assert isinstance(design, Design)
    found = flat(layout)
    for name in ("y", "x", "document", "value", "levels"):
        assert np.array_equal(getattr(found, name), getattr(design, name)), name
    assert (found.names, found.reference) == (design.names, design.reference)


def test_true_months_stand_in_the_grid_where_they_are_known():
    rows = [
        {"model": "one", "label": "sex", "case_id": case, "value": value, "status": "ok"}
        | {"months": 12.0, "true_months": true}
        for case, true in (("a", 20.0), ("b", None))
        for value in ("m", "f")
    ]
    grid = build_sample(pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)).grid_of(0)
    assert grid.known(grid.absolute_error).tolist() == [[True, False], [True, False]]
    assert grid.true_months[:, 0].tolist() == [20.0, 20.0]
    assert grid.absolute_error[0, 0] == pytest.approx(8.0)

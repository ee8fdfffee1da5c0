"""The panel of values equals the general within transformation, and stands aside where it must."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justeval.estimate import (
    Design,
    estimate,
    estimate_all,
    label_design,
    panel_of,
    panels_by_stack,
)
from justeval.estimate.layout import layout_of
from justeval.estimate.poisson import fit_poisson
from justeval.inference.scores import null_scores

SEEDS = st.integers(0, 10**6)


def drawn(seed: int, documents: int, values: int, missing: float, numeric: bool = False) -> Design:
    """A design of cells in random order, some of them missing; whole months, so that ties occur."""
    rng = np.random.default_rng(seed)
    cells = rng.permutation(documents * values)
    cells = cells[rng.random(cells.size) >= missing]
    names = [str(20 + 10 * value) for value in range(values)]
    design = label_design(
        outcome=np.log(rng.integers(0, 4, cells.size) + rng.random() + 1.0),
        document=3 + 2 * (cells // values),
        value=cells % values,
        names=names,
        reference=0,
        numbers=np.array([float(name) for name in names]) if numeric else None,
    )
    return (
        design if isinstance(design, Design) else drawn(seed + 1, documents, values, 0.0, numeric)
    )


def in_general(design: Design) -> Design:
    """The same rows, of which nobody says that they are values."""
    return replace(design, value=None, levels=None)


@given(
    SEEDS, st.integers(2, 30), st.integers(2, 5), st.sampled_from([0.0, 0.2, 0.6]), st.booleans()
)
def test_a_panel_gives_what_the_general_form_gives(seed, documents, values, missing, numeric):
    design = drawn(seed, documents, values, missing, numeric)
    assert panel_of(design) is not None
    found, general = estimate(design), estimate(in_general(design))
    for name in ("coef", "se", "covariance"):
        assert np.allclose(
            getattr(found, name), getattr(general, name), rtol=1e-8, atol=1e-10, equal_nan=True
        )
    counts = ("n", "documents", "clusters", "singletons_dropped", "rank")
    assert [getattr(found, name) for name in counts] == [getattr(general, name) for name in counts]


@given(
    SEEDS, st.integers(2, 30), st.integers(2, 5), st.sampled_from([0.0, 0.2, 0.6]), st.booleans()
)
def test_its_scores_are_those_of_the_general_form(seed, documents, values, missing, numeric):
    design = drawn(seed, documents, values, missing, numeric)
    found, general = null_scores(design), null_scores(in_general(design))
    assert (found is None) == (general is None)
    if found is None or general is None:
        return
    order, other = np.argsort(found.clusters), np.argsort(general.clusters)
    assert np.array_equal(found.clusters[order], general.clusters[other])
    assert np.allclose(found.scores[order], general.scores[other], atol=1e-10)
    grams = found.patterns[found.pattern][order]
    assert np.allclose(grams, general.patterns[general.pattern][other], atol=1e-10)
    assert (found.changed, found.moving) == (general.changed, general.moving)
    assert found.factor == pytest.approx(general.factor)
    assert np.allclose(found.bread, general.bread, rtol=1e-8)


def test_a_score_that_is_rounding_does_not_move():
    """log 20 + log 60 is log 30 + log 40, but for the last digit: such answers have no slope."""
    answers = np.array(
        [[24.0, 12.0, 12.0, 24.0], [12.0, 24.0, 24.0, 24.0], [12.0, 12.0, 24.0, 24.0]]
    )
    ages = np.array([20.0, 30.0, 40.0, 60.0])
    design = label_design(
        outcome=np.log(answers.ravel() / 7.0),
        document=np.repeat(np.arange(3), 4),
        value=np.tile(np.arange(4), 3),
        names=[f"{age:g}" for age in ages],
        reference=0,
        numbers=ages,
    )
    for one in (design, in_general(design)):
        scores = null_scores(one)
        assert (scores.changed, scores.moving) == (3, 2)


def test_a_design_changed_since_has_no_panel():
    design = drawn(1, 20, 3, 0.0)
    assert panel_of(design) is not None
    assert panel_of(replace(design, x=design.x / 2.0)) is None
    keep = design.document != design.document[0]
    shorter = replace(design, y=design.y[keep], x=design.x[keep], document=design.document[keep])
    assert panel_of(shorter) is None
    assert panel_of(replace(design, cluster=design.document // 4)) is None


def test_a_value_asked_twice_of_a_document_has_no_panel():
    design = drawn(2, 10, 2, 0.0)
    twice = Design(
        y=np.tile(design.y, 2),
        x=np.tile(design.x, (2, 1)),
        document=np.tile(design.document, 2),
        names=design.names,
        reference=design.reference,
        value=np.tile(design.value, 2),
        levels=design.levels,
    )
    assert panel_of(twice) is None
    assert estimate(twice).n == 2 * estimate(design).n


@given(
    SEEDS, st.integers(2, 20), st.integers(2, 5), st.sampled_from([0.0, 0.2, 0.6]), st.booleans()
)
def test_ratios_of_means_are_those_of_the_general_form(seed, documents, values, missing, numeric):
    rng = np.random.default_rng(seed)
    design = drawn(seed, documents, values, missing, numeric)
    months = rng.poisson(rng.choice([0.3, 2.0]), design.y.size).astype(float)
    design = replace(design, y=months)
    found, general = fit_poisson(design), fit_poisson(in_general(design))
    for name in ("coef", "se", "covariance"):
        assert np.allclose(
            getattr(found, name), getattr(general, name), rtol=1e-6, atol=1e-8, equal_nan=True
        )
    counts = (
        "separated", "n", "documents", "clusters", "singletons_dropped", "all_zero_documents",
        "rank",
    )  # fmt: skip
    assert [getattr(found, name) for name in counts] == [getattr(general, name) for name in counts]
    assert found.influence.shape == general.influence.shape


@given(
    SEEDS, st.integers(2, 20), st.integers(2, 5), st.sampled_from([0.0, 0.2, 0.6]), st.booleans()
)
def test_documents_changed_are_those_whose_outcomes_differ(
    seed, documents, values, missing, numeric
):
    design = drawn(seed, documents, values, missing, numeric)
    rows = list(zip(design.document, design.value, design.y, strict=True))
    cells = {(document, value): y for document, value, y in rows}
    reference = np.flatnonzero(~design.levels.any(axis=1))
    wanted = []
    for column in range(design.x.shape[1]):
        if numeric:
            of = [{y for d, _, y in rows if d == document} for document in set(design.document)]
            wanted.append(sum(len(answers) > 1 for answers in of))
            continue
        value = design.levels[:, column].argmax()
        pairs = [
            (cells.get((d, value)), cells.get((d, reference[0]))) for d in set(design.document)
        ]
        wanted.append(sum(None not in pair and pair[0] != pair[1] for pair in pairs))
    assert list(panel_of(design).changed[0]) == wanted


def test_a_label_of_many_values_is_estimated_all_the_same():
    for many in (drawn(5, 80, 70, 0.0), drawn(5, 80, 70, 0.1), drawn(5, 40, 15, 0.3)):
        assert panel_of(many) is not None
        assert np.count_nonzero(estimate(many).se > 0) == len(many.names)
        assert np.allclose(estimate(many).se, estimate(in_general(many)).se, equal_nan=True)


@given(SEEDS, st.lists(st.integers(0, 7), min_size=1, max_size=12))
def test_labels_estimated_together_are_those_estimated_alone(seed, shapes):
    """Stacks of labels of many shapes, some of which have no layout or no effect to estimate."""
    designs = [_shaped(seed + place, shape) for place, shape in enumerate(shapes)]
    together = estimate_all(designs)
    for design, found in zip(designs, together, strict=True):
        alone = estimate(in_general(design))
        for name in ("coef", "se", "t", "p_values", "ci_low", "ci_high", "covariance"):
            assert np.allclose(
                getattr(found, name), getattr(alone, name), rtol=1e-7, atol=1e-9, equal_nan=True
            )
        for name in ("n", "documents", "clusters", "singletons_dropped", "rank", "names"):
            assert getattr(found, name) == getattr(alone, name)
        for name in ("f", "p", "p_small"):
            pair = [getattr(one, name) for one in (found, alone)]
            assert pair == [None, None] or pair[0] == pytest.approx(pair[1], rel=1e-6, abs=1e-12)


def _shaped(seed: int, shape: int) -> Design:
    """A design of one of eight kinds."""
    design = drawn(seed, 6 + 7 * shape, 2 + shape % 4, 0.3 * (shape < 6), numeric=shape == 4)
    if shape == 6:  # two values move alike, a third by a bit more: that has no variance
        moved = np.random.default_rng(seed).normal(size=design.document.max() + 1)
        return replace(
            design,
            y=np.where(design.value > 0, moved[design.document] + 3.0 * (design.value == 3), 0.0),
        )
    if shape == 7:  # documents with the last value have no other: it cannot be estimated
        kept = (design.value == design.value.max()) == (design.document % 4 == 1)
        columns = {name: getattr(design, name)[kept] for name in ("y", "x", "document", "value")}
        return replace(design, **columns)
    if shape == 3:  # every document moves by the same amount: no variance
        return replace(design, y=12.0 + 3.0 * (design.value == design.value.max()))
    if shape == 5:  # nothing moves
        return replace(design, y=np.full(design.y.size, 24.0))
    return design


def test_short_and_long_labels_are_not_filled_up_to_each_other():
    designs = {place: drawn(place, size, 2, 0.0) for place, size in enumerate((5, 6, 2000, 2100))}
    laid = {key: layout_of(design) for key, design in designs.items()}
    stacks = [(stack, panels.u.shape) for stack, panels in panels_by_stack(laid)]
    assert stacks == [([0, 1], (2, 2, 6)), ([2, 3], (2, 2, 2100))]

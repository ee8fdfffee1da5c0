"""Three engines, one result: 200 random designs, and the cases that break solvers."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from justeval.estimate import ENGINES, Design, estimate

WITNESSES = ("pyfixest", "linearmodels")


@st.composite
def designs(draw):
    """Unbalanced designs: singletons, values missing, several values or one number, clusters."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    documents = draw(st.integers(4, 60))
    values = draw(st.integers(2, 7))
    present = rng.random((documents, values)) > draw(st.sampled_from([0.0, 0.1, 0.5]))
    document, value = np.nonzero(present)
    order = rng.permutation(document.size)
    document, value = document[order], value[order]
    moves = rng.random(document.size) < draw(st.sampled_from([0.1, 0.5, 1.0]))
    months = rng.integers(1, 120, documents)[document] + moves * rng.integers(-6, 60, moves.size)
    y = np.log(np.maximum(months, 0) + 1.0)
    if draw(st.booleans()):
        ages = np.sort(rng.choice(np.arange(18, 76), values, replace=False))
        x, names = np.log(ages[value].astype(float))[:, None], ("log(value)",)
    else:
        x = (value[:, None] == np.arange(1, values)).astype(float)
        names = tuple(f"v{k}" for k in range(1, values))
    kind = draw(st.sampled_from(["document", "nested", "split"]))
    cluster = None
    if kind == "nested":
        cluster = rng.integers(0, max(3, documents // 3), documents)[document]
    if kind == "split":
        cluster = rng.integers(0, 12, document.size)
    # codes with gaps, as a sample of a larger table has them
    return Design(y, x, document * 7 + 3, names, "v0", cluster)


def assert_same(found, expected):
    scale = np.nanmax(np.abs(expected.se), initial=0.0)
    np.testing.assert_allclose(found.coef, expected.coef, rtol=1e-9, atol=1e-11 * (1 + scale))
    np.testing.assert_allclose(found.se, expected.se, rtol=1e-9, atol=1e-9 * scale)
    counted = ("n", "documents", "clusters", "singletons_dropped", "rank", "names", "reference")
    for name in counted:
        assert getattr(found, name) == getattr(expected, name), name
    assert (found.p is None) == (expected.p is None)
    if expected.p is not None:
        assert found.p == pytest.approx(expected.p, rel=1e-6, abs=1e-12)


@settings(
    max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(design=designs(), variance=st.sampled_from(["cluster", "cluster", "robust"]))
def test_engines_agree_on_random_designs(design, variance):
    fast = estimate(design, "within", variance)
    for engine in WITNESSES:
        assert_same(estimate(design, engine, variance), fast)


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_that_cannot_be_estimated_are_nan(engine):
    rng = np.random.default_rng(0)
    document = np.repeat(np.arange(20), 3)
    value = np.tile([0, 1, 2], 20)
    moving = (value[:, None] == [1, 2]).astype(float)
    x = np.column_stack([np.zeros(60), moving[:, 0], document % 2, moving, np.ones(60)])
    design = Design(rng.normal(size=60), x, document, tuple("abcdef"), "r")
    found = estimate(design, engine)
    # zeros, a fact of the document, a copy and a constant have no variation of their own
    assert np.isnan(found.coef).tolist() == [True, False, True, True, False, True]
    clean = estimate(Design(design.y, moving, document, ("b", "e"), "r"), engine)
    assert found.coef[[1, 4]] == pytest.approx(clean.coef, rel=1e-10)
    assert found.se[[1, 4]] == pytest.approx(clean.se, rel=1e-10)
    assert found.p == pytest.approx(clean.p, rel=1e-8)
    assert np.isnan(found.p_values[[0, 2, 3, 5]]).all()


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_to_estimate(engine):
    only_singletons = Design(np.arange(5.0), np.eye(5)[:, :2], np.arange(5), ("b", "c"), "a")
    found = estimate(only_singletons, engine)
    assert np.isnan(found.coef).all()
    assert (found.n, found.documents, found.singletons_dropped) == (0, 0, 5)
    assert found.p is None


@pytest.mark.parametrize("engine", ENGINES)
def test_a_model_that_always_says_24_raises_no_warning(engine):
    document = np.repeat(np.arange(30), 2)
    design = Design(
        np.full(60, np.log(25.0)), np.tile([0.0, 1.0], 30)[:, None], document, ("b",), "a"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = estimate(design, engine)
    assert found.coef[0] == 0.0
    assert (found.rank, found.p) == (0, None)


@pytest.mark.parametrize("engine", WITNESSES)
def test_no_warning_of_an_engine_escapes(engine):
    rng = np.random.default_rng(1)
    document = np.append(np.repeat(np.arange(10), 3), [98, 99])  # two documents with one row
    x = (np.append(np.tile([0, 1, 2], 10), [1, 2])[:, None] == [1, 2]).astype(float)
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.simplefilter("error")
        found = estimate(Design(rng.normal(size=32), x, document, ("b", "c"), "a"), engine)
    assert (found.n, found.singletons_dropped) == (30, 2)


def test_rows_in_another_order_and_documents_under_other_codes():
    rng = np.random.default_rng(2)
    document, value = np.repeat(np.arange(40), 3), np.tile([0, 1, 2], 40)
    x, y = (value[:, None] == [1, 2]).astype(float), rng.normal(size=120)
    first = estimate(Design(y, x, document, ("b", "c"), "a"))
    order = rng.permutation(120)
    codes = rng.permutation(10**12 + np.arange(40))  # far too wide to be counted directly
    second = estimate(Design(y[order], x[order], codes[document][order], ("b", "c"), "a"))
    assert second.coef == pytest.approx(first.coef, rel=1e-12)
    assert second.covariance == pytest.approx(first.covariance, rel=1e-12)

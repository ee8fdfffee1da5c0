"""The sign table and its exact test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from justeval.inference import exact_sign_p, severity_of, sign_tables


@given(st.integers(0, 60), st.integers(0, 60))
def test_equals_scipys_binomtest(plus, minus):
    if plus + minus == 0:
        assert exact_sign_p(0, 0) is None
    else:
        expected = stats.binomtest(plus, plus + minus).pvalue
        assert exact_sign_p(plus, minus) == pytest.approx(expected, rel=1e-9)


def test_counts_harsher_lenient_same():
    table = sign_tables(
        document=np.array([1, 1, 2, 2, 3, 3, 4, 5, 5]),
        value=np.array([0, 1, 0, 1, 0, 1, 1, 0, 1]),
        severity=np.array([10, 12, 10, 8, 5, 5, 99, 7, np.nan]),
        names=("a", "b"),
        reference=0,
    )[0]
    assert (table.harsher, table.lenient, table.same, table.documents) == (1, 1, 1, 3)
    assert (table.value, table.reference, table.p) == ("b", "a", 1.0)


def test_death_is_harsher_than_life_and_life_than_any_term():
    kinds = ["acquittal", "exempt", "fine", "detention", "fixed_term", "fixed_term", "life"]
    kinds += ["death_suspended", "death"]
    months = np.array([0, 0, 0, 5, 36, 300, np.nan, np.nan, np.nan])
    severity = severity_of(kind=kinds, months=months)
    assert (np.diff(severity) > 0).all()
    unknown = severity_of(kind=[None, "fixed_term", "exile"], months=np.full(3, np.nan))
    assert np.isnan(unknown).all()


def test_a_document_with_repetitions_counts_once():
    # value b: 12, 12, 5 against reference 10, 10: four pairs harsher, two more lenient
    table = sign_tables(
        document=np.zeros(5, dtype=int),
        value=np.array([1, 1, 1, 0, 0]),
        severity=np.array([12.0, 12.0, 5.0, 10.0, 10.0]),
        names=("a", "b"),
        reference=0,
    )[0]
    assert (table.documents, table.harsher, table.lenient) == (1, 1, 0)


def test_each_value_has_its_table():
    found = sign_tables(
        document=np.repeat(np.arange(8), 3),
        value=np.tile([0, 1, 2], 8),
        severity=np.tile([10.0, 11.0, 10.0], 8),
        names=("a", "b", "c"),
        reference=0,
    )
    assert [(t.value, t.harsher, t.same, t.p) for t in found] == [
        ("b", 8, 0, 2 / 2**8),
        ("c", 0, 8, None),
    ]

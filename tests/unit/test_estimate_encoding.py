"""Codes of columns and the order that sorts them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from justeval.estimate.encoding import code_column, stable_order
from justeval.estimate.grouping import dense_codes


def test_codes_in_order_of_first_appearance_across_chunks():
    column = pa.chunked_array([["b", None], ["a", "b"], [], ["c"]], pa.string())
    coded = code_column(pa.table({"x": column}), "x")
    assert coded.names == ("b", "a", "c")
    assert coded.codes.tolist() == [0, -1, 1, 0, 2]
    assert (coded.code_of("c"), coded.code_of("d")) == (2, -1)


def test_dictionary_columns_with_other_dictionaries_in_each_chunk():
    chunks = [pa.array(["b", "a"]).dictionary_encode(), pa.array(["a", None]).dictionary_encode()]
    coded = code_column(pa.table({"x": pa.chunked_array(chunks)}), "x")
    assert [coded.names[c] if c >= 0 else None for c in coded.codes] == ["b", "a", "a", None]


def test_a_column_that_lacks_is_all_null():
    coded = code_column(pa.table({"x": ["a", "b"]}), "y")
    assert coded.codes.tolist() == [-1, -1]
    assert coded.names == ()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**40)), max_size=60))
def test_radix_order_is_the_stable_lexicographic_one(pairs):
    first = np.array([a for a, _ in pairs], dtype=np.int64)
    second = np.array([b for _, b in pairs], dtype=np.int64)
    assert stable_order(first, second).tolist() == np.lexsort((second, first)).tolist()


@given(st.lists(st.integers(-5, 10**12), max_size=40) | st.lists(st.integers(0, 30), max_size=40))
def test_dense_codes_are_ranks(codes):
    array = np.array(codes, dtype=np.int64)
    ranks = {code: rank for rank, code in enumerate(sorted(set(codes)))}
    assert dense_codes(array).tolist() == [ranks[code] for code in codes]

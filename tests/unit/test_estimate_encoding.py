"""Codes of columns and the order that sorts them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

from justeval.estimate.encoding import (
    cell_order,
    code_column,
    encode,
    float_column,
    stable_order,
)
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


@given(
    st.lists(st.lists(st.none() | st.integers(0, 99), max_size=5), max_size=4), st.integers(0, 5)
)
@example([[1, None, 3, None, 5]], 2)
def test_numbers_in_pieces_with_gaps_are_nan_there(pieces, cut):
    """A slice begins inside of what Arrow holds: its offset counts."""
    column = pa.chunked_array([pa.array(one, pa.float64()) for one in pieces], pa.float64())
    found = float_column(pa.table({"x": column.slice(cut)}), "x")
    wanted = [number for one in pieces for number in one][cut:]
    assert np.array_equal(found, np.array(wanted, dtype=np.float64), equal_nan=True)


def test_null_in_a_dictionary_of_unsigned_codes():
    column = pa.DictionaryArray.from_arrays(pa.array([1, None, 0], pa.uint8()), ["b", "a"])
    coded = code_column(pa.table({"x": column}), "x")
    assert (coded.codes.tolist(), coded.names) == ([1, -1, 0], ("b", "a"))


def test_a_column_that_lacks_is_all_null():
    coded = code_column(pa.table({"x": ["a", "b"]}), "y")
    assert coded.codes.tolist() == [-1, -1]
    assert coded.names == ()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**40)), max_size=60))
def test_radix_order_is_the_stable_lexicographic_one(pairs):
    first = np.array([a for a, _ in pairs], dtype=np.int64)
    second = np.array([b for _, b in pairs], dtype=np.int64)
    assert stable_order(first, second).tolist() == np.lexsort((second, first)).tolist()


@given(st.permutations(range(24)), st.integers(0, 24))
def test_different_codes_are_put_in_place_in_the_same_order(rows, kept):
    numbers = np.array(rows[:kept], dtype=np.int64)
    first, second = numbers // 6, numbers % 6
    assert stable_order(first, second).tolist() == np.lexsort((second, first)).tolist()


@given(
    st.lists(
        st.tuples(
            st.sampled_from("mn"),
            st.sampled_from([None, "sex", "age"]),
            st.sampled_from(["d1", "d2", "d3"]),
            st.sampled_from(["x", "y", "z"]),
            st.integers(0, 2),
        ),
        max_size=40,
    )
)
def test_cells_in_order_whatever_is_repeated(rows):
    names = ("model", "label", "case_id", "value", "repetition")
    table = pa.table(
        {name: pa.array([row[place] for row in rows]) for place, name in enumerate(names)}
        | {
            "is_reference": pa.array([False] * len(rows)),
            "status": pa.array(["ok"] * len(rows)),
            "months": pa.array([1.0] * len(rows)),
        }
    )
    if not rows:
        table = table.cast(
            pa.schema(
                [(n, pa.string() if n in names[:4] else pa.float64()) for n in table.schema.names]
            )
        )
    codes = encode(table)
    keys = [codes.model, codes.label, codes.document, codes.value]
    wanted = np.lexsort((codes.repetition, *(column.codes for column in reversed(keys))))
    assert cell_order(codes).tolist() == [row for row in wanted if rows[row][1] is not None]


@given(st.lists(st.integers(-5, 10**12), max_size=40) | st.lists(st.integers(0, 30), max_size=40))
def test_dense_codes_are_ranks(codes):
    array = np.array(codes, dtype=np.int64)
    ranks = {code: rank for rank, code in enumerate(sorted(set(codes)))}
    assert dense_codes(array).tolist() == [ranks[code] for code in codes]

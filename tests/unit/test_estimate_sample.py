"""The sample rule, row by row, and what becomes of repetitions."""

from __future__ import annotations

import math
from dataclasses import fields
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justeval import schema
from justeval.errors import TableError
from justeval.estimate import build_sample, encoding, shelves
from justeval.estimate.encoding import encode
from justeval.estimate.placing import put_in_order
from justeval.estimate.rule import as_numbers, rules_of
from justeval.estimate.sample import NO_REFERENCE, SEVERAL_REFERENCES


def row(case, value, months, /, **other):
    """One prediction of label "sex" (reference "m"); `other` overrides any column."""
    return {
        "run_id": "r",
        "model": "one",
        "case_id": case,
        "label": "sex",
        "value": value,
        "is_reference": value == "m",
        "repetition": 0,
        "status": "ok",
        "guilty": True,
        "penalty": "fixed_term",
        "months": months,
        "true_months": 20.0,
    } | other


def table(*rows):
    return pa.Table.from_pylist(list(rows), schema=schema.PREDICTIONS)


def assert_equal(one, other):
    """All arrays of two records are equal."""
    for field in fields(one):
        assert np.array_equal(getattr(one, field.name), getattr(other, field.name)), field.name


def reasons(sample, group=0):
    """Counts of why rows were left out."""
    counts = sample.left_out[group]
    return {name: int(n) for name, n in zip(sample.reasons, counts, strict=True) if n and name}


@pytest.mark.parametrize("penalty", ["exempt", "acquittal"])
def test_exempt_and_acquitted_are_0_months(penalty):
    sample = build_sample(table(row("a", "m", None, penalty=penalty), row("a", "f", 12.0)))
    assert sample.cells.months.tolist() == [0.0, 12.0]
    assert sample.cells.log_months == pytest.approx([0.0, math.log(13)])
    assert sample.cells.absolute_error.tolist() == [20.0, 8.0]


def test_not_guilty_is_0_months_whatever_else_is_stated():
    sample = build_sample(table(row("a", "m", None, guilty=False, penalty=None)))
    assert sample.cells.months.tolist() == [0.0]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"penalty": "detention"}, "detention"),
        ({"penalty": "probation"}, "probation"),
        ({"penalty": "fine", "months": 0.0}, "fine"),
        ({"penalty": "life", "months": None}, "life"),
        ({"penalty": "death", "months": None}, "death"),
        ({"months": None}, "no months"),
        ({"penalty": None}, "no kind of penalty"),
        ({"months": 300.5}, "above 300 months"),
        ({"status": "refused", "months": None, "penalty": None}, "refused"),
        ({"status": "provider_error", "months": None, "penalty": None}, "provider_error"),
        ({"status": "out_of_range", "months": None}, "out_of_range"),
        ({"status": "contradictory", "penalty": "detention"}, "contradictory"),
    ],
)
def test_what_is_left_out_is_counted_by_its_first_reason(change, reason):
    sample = build_sample(table(row("a", "m", 12.0), row("a", "f", 12.0, **change)))
    assert sample.cells.value.tolist() == [0]
    assert reasons(sample) == {reason: 1}
    assert sample.left_out.sum() == 2  # the row kept is counted under the empty reason


def test_the_longest_term_itself_is_kept_and_belongs_to_the_case_set():
    rows = table(row("a", "m", 300.0), row("a", "f", 470.0))
    assert build_sample(rows).cells.months.tolist() == [300.0]
    assert build_sample(rows, longest_months=470.0).cells.months.tolist() == [300.0, 470.0]


def test_a_repaired_reply_counts():
    assert build_sample(table(row("a", "m", 12.0, status="repaired"))).cells.months.size == 1


def test_a_table_without_kinds_of_penalty_holds_terms():
    rows = table(row("a", "m", 12.0, penalty=None), row("a", "f", 0.0, penalty=None))
    assert build_sample(rows).cells.months.tolist() == [12.0, 0.0]
    assert build_sample(rows.drop_columns(["penalty", "guilty"])).cells.months.size == 2


def test_a_table_of_verdicts_and_months_holds_terms():
    acquitted = row("a", "f", 0.0, guilty=False, penalty="acquittal")
    sample = build_sample(table(row("a", "m", 12.0, penalty=None), acquitted))
    assert sample.cells.months.tolist() == [12.0, 0.0]


def test_the_unit_is_the_mean_outcome_of_a_cell():
    months = [5.0, 11.0, 20.0]
    rows = [row("a", "f", m, repetition=r) for r, m in enumerate(months)]
    sample = build_sample(table(row("a", "m", 30.0), *rows, row("b", "f", 1.0)))
    cells = sample.cells
    assert cells.months.tolist() == [30.0, 12.0, 1.0]
    # the mean of the logs, not the log of the mean; the mean error, not the error of the mean
    assert cells.log_months[1] == pytest.approx(np.mean(np.log([6.0, 12.0, 21.0])))
    assert cells.absolute_error[1] == pytest.approx((15 + 9 + 0) / 3)
    assert [sample.documents[code] for code in cells.document] == ["a", "a", "b"]


def test_a_repetition_left_out_leaves_the_others():
    rows = [
        row("a", "f", 10.0),
        row("a", "f", 400.0, repetition=1),
        row("a", "f", 20.0, repetition=2),
    ]
    sample = build_sample(table(*rows))
    assert sample.cells.months.tolist() == [15.0]
    assert reasons(sample) == {"above 300 months": 1}


def test_unknown_true_months_leave_only_the_error_unknown():
    sample = build_sample(table(row("a", "m", 12.0, true_months=None)))
    assert sample.cells.months.tolist() == [12.0]
    assert np.isnan(sample.cells.absolute_error).all()


def test_cells_are_sorted_and_grouped_whatever_the_order_of_asking():
    rows = [
        row(
            case,
            value,
            float(10 * m + 3 * (label == "race") + (value != "m")),
            model=model,
            label=label,
        )
        for m, model in enumerate(("one", "two"))
        for label in ("sex", "race")
        for case in ("a", "b", "c")
        for value in ("m", "f")
    ]
    shuffled = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    sample = build_sample(table(*shuffled))
    for model in range(2):
        for label in range(2):
            cells = sample.cells_of(sample.group(model, label))
            base = 10 * (sample.models[model] == "two") + 3 * (sample.labels[label] == "race")
            found = {
                (sample.documents[d], sample.values[v]): m
                for d, v, m in zip(
                    cells.document,
                    cells.value,
                    cells.months,
                    strict=True,
                )
            }
            assert found == {(c, v): base + (v != "m") for c in "abc" for v in ("m", "f")}


def test_the_bare_case_is_in_no_group_and_gives_an_accuracy():
    bare = {"label": None, "value": None, "is_reference": False}
    sample = build_sample(
        table(row("a", "m", 12.0), row("a", None, 26.0, **bare), row("b", None, 18.0, **bare))
    )
    assert sample.cells.months.tolist() == [12.0]
    assert sample.statuses.sum() == 1
    assert sample.bare_error.tolist() == [4.0]  # (|20 - 26| + |20 - 18|) / 2
    assert sample.bare_rows.tolist() == [2]


def test_documents_are_compared_by_their_first_readable_answers():
    rows = [
        row("same", "m", 12.0),
        row("same", "f", 12.0),
        row("moved", "m", 12.0),
        row("moved", "f", 13.0),
        row("kinds and length do not matter", "m", 500.0),
        row("kinds and length do not matter", "f", 500.0, penalty="detention"),
        row("one unreadable", "m", 12.0),
        row("one unreadable", "f", None, status="refused"),
        row("life has no months", "m", 12.0),
        row("life has no months", "f", None, penalty="life"),
        row("the first that can be read", "m", 12.0),
        row("the first that can be read", "f", None, status="empty"),
        row("the first that can be read", "f", 12.0, repetition=1),
        row("the first that can be read", "f", 60.0, repetition=2),
    ]
    order = np.random.default_rng(1).permutation(len(rows))
    sample = build_sample(table(*[rows[i] for i in order]))
    compared = sample.comparisons_of(0)
    found = {
        sample.documents[d]: bool(c)
        for d, c in zip(compared.document, compared.changed, strict=True)
    }
    assert found == {
        "same": False,
        "moved": True,
        "kinds and length do not matter": False,
        "the first that can be read": False,
    }


def test_numeric_values_outside_the_range_or_no_numbers():
    def age(case, value):
        return row(case, value, 12.0, label="age", is_reference=False)

    rows = table(
        age("a", "25"), age("a", "102"), age("a", "old"), age("a", "-3"), row("a", "m", 1.0)
    )
    sample = build_sample(rows, numeric={"age": (18.0, 75.0), "not in this table": None})
    assert reasons(sample) == {
        "value outside the label's range": 1,
        "value is no positive number": 2,
    }
    assert sample.cells.months.tolist() == [12.0, 1.0]
    assert sample.numbers[sample.values.index("102")] == 102.0
    assert reasons(build_sample(rows, numeric={"age": None})) == {"value is no positive number": 2}


def test_reference_values_as_the_rows_mark_them():
    sample = build_sample(
        table(
            row("a", "f", 1.0),
            row("a", "m", 1.0),
            row("a", "x", 1.0, label="none"),
            row("a", "x", 1.0, label="two", is_reference=True),
            row("b", "y", 1.0, label="two", is_reference=True),
        )
    )
    assert sample.values[sample.reference[0]] == "m"
    assert sample.reference[1:].tolist() == [NO_REFERENCE, SEVERAL_REFERENCES]


def test_an_empty_table():
    sample = build_sample(schema.PREDICTIONS.empty_table())
    assert sample.models == sample.labels == ()
    assert sample.cells.months.size == sample.rows.documents().size == 0


def test_a_table_of_bare_cases_only():
    sample = build_sample(table(row("a", None, 12.0, label=None)))
    assert sample.models == ("one",)
    assert sample.reference.size == sample.cells.months.size == 0


def test_what_lacks_is_named():
    rows = table(row("a", "m", 1.0))
    with pytest.raises(TableError, match="no column months; needed are model, case_id"):
        build_sample(rows.drop_columns(["months"]))
    nulls = rows.set_column(1, "model", pa.array([None], pa.string()))
    with pytest.raises(TableError, match="predictions row 1: model is empty"):
        build_sample(nulls)


@given(st.integers(0, 10**6), st.booleans(), st.booleans(), st.sampled_from([1, 2]))
def test_rows_put_in_place_are_those_sorted(seed, repeated, bare, cores):
    """Shuffled rows of two models, with gaps, all kinds of replies and answers given twice."""
    rng = np.random.default_rng(seed)
    kinds = [{}, {"penalty": "life"}, {"status": "refused", "months": None}, {"guilty": False}]
    rows = [
        row(f"c{rng.integers(6)}", str(rng.choice(["m", "f", "x"])), float(rng.integers(0, 400)))
        | {"model": str(rng.choice(["one", "two"])), "label": str(rng.choice(["sex", "race"]))}
        | {"repetition": int(rng.integers(2)) if repeated else 0}
        | kinds[int(rng.integers(12)) % 4]
        for _ in range(int(rng.integers(1, 120)))
    ]
    cell = ("model", "label", "case_id", "value", "repetition")
    rows = list({tuple(one[name] for name in cell): one for one in rows}.values())
    if bare:
        rows += [row("c1", None, 12.0, label=None, is_reference=False)]
    coded = encode(table(*rows))
    rules = rules_of(coded, 300.0, as_numbers(coded.value.names), {})
    with patch.object(encoding, "BLOCK", 7):
        placed, counted = put_in_order(coded, rules, cores)
    with patch.object(shelves, "PLACES_PER_ROW", 0):
        by_sorting, counted_again = put_in_order(coded, rules)
    assert isinstance(by_sorting, shelves.Sorted)
    for group in range(len(coded.model.names) * len(coded.label.names)):
        for found, wanted in (
            (placed.kept(group), by_sorting.kept(group)),
            (placed.comparable(group), by_sorting.comparable(group)),
        ):
            assert_equal(found, wanted)
    marked = (set(zip(*one.marked(), strict=True)) for one in (placed, by_sorting))
    assert next(marked) == next(marked)
    assert placed.documents().tolist() == by_sorting.documents().tolist()
    assert_equal(counted, counted_again)


def test_a_full_table_is_put_on_shelves_and_a_sparse_one_sorted():
    full = [row(f"c{i}", value, 12.0) for i in range(5) for value in ("m", "f")]
    assert isinstance(build_sample(table(*full)).rows, shelves.Shelves)
    sparse = [row(f"c{i}", f"v{i}", 12.0) for i in range(20)]
    assert isinstance(build_sample(table(*sparse)).rows, shelves.Sorted)


def test_an_answer_given_twice_to_a_cell_is_not_lost():
    twice = [row("a", "m", 12.0), row("a", "m", 24.0), row("a", "f", 18.0)]
    sample = build_sample(table(*twice))
    assert sample.cells.months.tolist() == [18.0, 18.0]
    assert sample.comparisons_of(0).changed.tolist() == [True]

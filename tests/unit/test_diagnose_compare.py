"""Two runs of the same documents, paired."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from justeval.diagnose import compare
from justeval.errors import UsageError
from justeval.schema import PREDICTIONS


def run(months, model="m", label="sex", values=("a", "b")):
    """One row a document and value; months : (documents, values)."""
    rows = [
        {
            "run_id": "r", "model": model, "case_id": f"c{d}", "label": label, "value": value,
            "is_reference": value == values[0], "repetition": 0, "status": "ok",
            "penalty": "fixed_term", "months": float(months[d][v]),
        }
        for d in range(len(months)) for v, value in enumerate(values)
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, PREDICTIONS)


def two_runs(documents=80, seed=1):
    rng = np.random.default_rng(seed)
    base = np.round(np.exp(rng.normal(3.5, 0.6, documents)))
    noise = lambda: rng.integers(-1, 2, documents)  # noqa: E731
    a = np.stack([base, np.round(1.2 * base) + noise()], axis=1)
    b = np.stack([base + noise(), base + noise()], axis=1)
    return np.maximum(a, 1), np.maximum(b, 1)


def test_the_difference_of_the_effects_is_a_paired_t_test():
    """Two values: witness scipy's t test of the differences of the differences by document."""
    a, b = two_runs()
    (found,) = compare(run(a), run(b), {})
    (label,) = found.labels
    log_a, log_b = np.log1p(a), np.log1p(b)
    change = (log_b[:, 1] - log_b[:, 0]) - (log_a[:, 1] - log_a[:, 0])
    witness = stats.ttest_1samp(change, 0.0)
    (value,) = label.values
    assert value.difference == pytest.approx(change.mean())
    assert value.effect_a == pytest.approx((log_a[:, 1] - log_a[:, 0]).mean())
    assert value.effect_b - value.effect_a == pytest.approx(value.difference)
    assert value.p == pytest.approx(witness.pvalue, rel=1e-9)
    assert label.p == pytest.approx(witness.pvalue, rel=1e-9)
    assert label.documents == 80


def test_changed_documents_are_compared_by_mcnemars_test():
    a, b = two_runs()
    (found,) = compare(run(a), run(b), {})
    (label,) = found.labels
    in_a, in_b = a[:, 0] != a[:, 1], b[:, 0] != b[:, 1]
    only_a, only_b = int((in_a & ~in_b).sum()), int((in_b & ~in_a).sum())
    assert (label.changed_a, label.changed_b) == (in_a.sum(), in_b.sum())
    assert (label.only_a, label.only_b) == (only_a, only_b)
    expected = stats.binomtest(only_a, only_a + only_b).pvalue
    assert label.mcnemar_p == pytest.approx(expected, rel=1e-9)


def test_inconsistency_and_movement_are_clustered_by_document():
    """One entry a document: the linearized variance is that of a mean."""
    a, b = two_runs()
    (found,) = compare(run(a), run(b), {})
    change = (b[:, 0] != b[:, 1]).astype(float) - (a[:, 0] != a[:, 1])
    witness = stats.ttest_1samp(change, 0.0)
    assert found.inconsistency.difference == pytest.approx(change.mean())
    assert found.inconsistency.p == pytest.approx(witness.pvalue, rel=1e-9)
    low, high = witness.confidence_interval()
    assert [found.inconsistency.ci_low, found.inconsistency.ci_high] == pytest.approx([low, high])
    moved = np.abs(np.diff(np.log1p(b))).mean() - np.abs(np.diff(np.log1p(a))).mean()
    assert found.movement.difference == pytest.approx(moved)
    assert found.movement.b < found.movement.a


def test_a_run_compared_with_itself_has_no_difference():
    a, _ = two_runs()
    (found,) = compare(run(a), run(a), {})
    assert found.inconsistency.difference == 0.0
    assert found.inconsistency.p is None
    assert found.labels[0].values[0].difference == 0.0
    assert found.labels[0].p is None


def test_documents_that_only_one_run_has_are_left_out():
    a, b = two_runs()
    (found,) = compare(run(a), run(b[:50]), {})
    assert found.labels[0].documents == 50
    assert found.inconsistency.documents == 50


def test_labels_share_the_adjustment():
    a, b = two_runs()
    both = [pa.concat_tables([run(x), run(y, label="age")]) for x, y in ((a, a), (b, a))]
    (found,) = compare(*both, {})
    assert [label.label for label in found.labels] == ["sex", "age"]
    assert found.labels[0].p_holm == pytest.approx(found.labels[0].p)  # the other has no p


def test_one_model_each_is_compared_whatever_its_name():
    a, b = two_runs()
    (found,) = compare(run(a), run(b, model="other"), {})
    assert (found.model_a, found.model_b) == ("m", "other")


def test_runs_with_nothing_in_common_are_refused():
    a, b = two_runs()
    with pytest.raises(UsageError, match="no label in common"):
        compare(run(a), run(b, label="age"), {})
    several = pa.concat_tables([run(b, model="n"), run(b, model="o")])
    with pytest.raises(UsageError, match="no model in common"):
        compare(run(a), several, {})

"""Verdicts that rest on a handful of documents."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from statsmodels.stats.multitest import multipletests

from justeval.diagnose import diagnose
from justeval.diagnose.influence import influential_documents
from justeval.estimate import Design, estimate
from justeval.inference import holm
from justeval.schema import PREDICTIONS


def paired(differences):
    differences = np.asarray(differences, dtype=float)
    y = np.concatenate([np.full(differences.size, 3.0), 3.0 + differences])
    x = np.repeat([0.0, 1.0], differences.size)[:, None]
    return Design(y, x, np.tile(np.arange(differences.size) + 7, 2), ("b",), "a")


def test_holm_is_statsmodels_holm():
    ps = [0.04, 0.001, 0.03, 0.2, 0.012]
    assert holm(ps) == pytest.approx(multipletests(ps, method="holm")[1].tolist())
    assert holm([0.01, None, 0.02]) == [0.02, None, 0.02]


def test_the_documents_that_carry_a_verdict_are_named():
    """Six of 100 documents move by the same amount: t = 2.5, p = 0.014. Without three of them
    three of 97 are left: t = 1.75, p = 0.084."""
    design = paired([1.0] * 6 + [0.0] * 94)
    assert estimate(design).p == pytest.approx(0.0142, abs=0.0005)
    found = influential_documents(design)
    assert set(found.documents) < set(range(7, 13))
    assert found.documents.size <= 3
    assert found.p_without >= 0.05


def test_an_effect_that_many_documents_carry_rests_on_no_handful():
    rng = np.random.default_rng(3)
    assert influential_documents(paired(rng.normal(0.3, 0.5, 200))) is None


def test_the_largest_go_first():
    rng = np.random.default_rng(4)
    found = influential_documents(paired(np.append(rng.normal(0.02, 0.1, 80), [1.0, 0.8])))
    if found is not None:
        assert found.documents[0] == 80 + 7


def test_no_variation_has_no_influence():
    assert influential_documents(paired(np.zeros(30))) is None
    assert influential_documents(paired(np.full(30, 0.2))) is None


def rows(moved, documents=100, label="sex"):
    return [
        {
            "run_id": "r", "model": "m", "case_id": f"c{d}", "label": label, "value": value,
            "is_reference": value == "a", "repetition": 0, "status": "ok",
            "penalty": "fixed_term", "months": 60.0 if value == "b" and d < moved else 24.0,
        }
        for d in range(documents) for value in ("a", "b")
    ]  # fmt: skip


@pytest.mark.parametrize(("moved", "count"), [(3, 0), (6, 1), (20, 0)])
def test_only_significant_verdicts_that_are_lost_are_findings(moved, count):
    diagnosis = diagnose(pa.Table.from_pylist(rows(moved), PREDICTIONS), {}, 300.0)
    found = [f for f in diagnosis.findings if f.kind == "influence"]
    assert len(found) == count
    if found:
        assert (found[0].label, found[0].flagged) == ("sex", False)
        assert found[0].documents <= 3
        assert found[0].estimate_with.p < 0.05


def test_a_value_that_a_handful_of_documents_has_may_go_with_them():
    """Three values, the third in two documents only: the others carry the verdict."""
    documents = 60
    y = np.concatenate([np.full(documents, 3.0), np.linspace(3.1, 3.6, documents), [9.0, 9.5]])
    x = np.zeros((y.size, 2))
    x[documents : 2 * documents, 0] = 1.0
    x[2 * documents :, 1] = 1.0
    document = np.concatenate([np.arange(documents), np.arange(documents), [0, 1]])
    assert influential_documents(Design(y, x, document, ("b", "c"), "a")) is None

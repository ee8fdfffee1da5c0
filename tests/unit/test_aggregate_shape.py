"""A numeric label asked at several ages: a U is found although it has no slope."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from justeval import schema
from justeval.aggregate import AnalysisOptions, analyze, as_json
from justeval.aggregate.shape import NOT_ON_A_LINE
from justeval.estimate import Design, estimate
from justeval.labels import Value

AGES = (20.0, 30.0, 45.0, 67.5)
OPTIONS = AnalysisOptions(draws=199)


def age_label(make_label):
    values = tuple(Value(f"{n:g}", {"en": f"{n:g}"}, {"en": f"{n:g}."}, n) for n in AGES)
    return make_label(id="age", kind="numeric", values=values, reference="30", range=(18.0, 75.0))


def analyzed(make_label, effects, documents=60, noise=0.05, options=OPTIONS, ages=AGES):
    rng = np.random.default_rng(3)
    rows = [
        {
            "run_id": "r",
            "model": "m",
            "case_id": f"c{document}",
            "label": "age",
            "value": f"{age:g}",
            "is_reference": age == AGES[1],
            "repetition": 0,
            "status": "ok",
            "penalty": "fixed_term",
            "months": float(np.expm1(3.0 + effect + noise * rng.normal())),
        }
        for document in range(documents)
        for age, effect in zip(ages, effects, strict=False)
    ]
    table = pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)
    label = age_label(make_label)
    found = analyze(table, {"age": label}, options)
    return rows, found.models[0].labels[0].bias, as_json(found)


def test_a_u_has_no_slope_and_is_found(make_label):
    rows, fit, document = analyzed(make_label, (0.1, 0.0, 0.0, 0.1))
    assert fit.values[0].value == "log(value)"
    assert fit.values[0].p > 0.05
    assert not fit.significant
    assert fit.shape.reference == "20"
    assert fit.shape.values == ("30", "45", "67.5")
    assert fit.shape.p < 1e-6
    assert fit.shape.p_line < 1e-6
    assert fit.verdict == "undetermined"
    assert fit.note == NOT_ON_A_LINE
    y = np.log1p([row["months"] for row in rows])
    code = np.tile(np.arange(4), 60)
    x = (code[:, None] == [1, 2, 3]).astype(float)
    plain = estimate(Design(y, x, np.repeat(np.arange(60), 4), ("a", "b", "c"), "20"))
    assert fit.shape.coef == pytest.approx(plain.coef, abs=1e-12)
    assert fit.shape.p == pytest.approx(plain.p_small, rel=1e-6)
    shown = document["models"][0]["labels"][0]["bias"]["shape"]
    assert list(shown) == ["reference", "values", "coef", "se", "p", "decided_by", "p_line"]


def test_a_slope_lies_on_its_line(make_label):
    fit = analyzed(make_label, 0.1 * np.log(AGES))[1]
    assert fit.significant
    assert fit.shape.p < 1e-6
    assert fit.shape.p_line > 0.05
    assert fit.note is None


def test_the_line_is_tested_as_a_regression_with_both(make_label):
    """Witness: log(age) and two dummies in one regression, F of the dummies by hand."""
    rows, fit, _ = analyzed(make_label, (0.0, 0.02, 0.0, 0.01), documents=150)
    y = np.log1p([row["months"] for row in rows])
    code = np.tile(np.arange(4), 150)
    x = np.column_stack([np.log(np.array(AGES)[code]), code == 1, code == 3]).astype(float)
    both = estimate(Design(y, x, np.repeat(np.arange(150), 4), ("l", "a", "b"), ""))
    b, v = both.coef[1:], both.covariance[1:, 1:]
    wald = b @ np.linalg.solve(v, b)
    from scipy import stats

    hotelling = wald * (150 - 2) / (2 * 149)
    assert fit.shape.p_line == pytest.approx(stats.f.sf(hotelling, 2, 148), rel=1e-9)


def test_two_ages_have_no_shape_and_nothing_moves_has_none(make_label):
    assert analyzed(make_label, (0.1, 0.0), ages=AGES[:2])[1].shape is None
    assert analyzed(make_label, (0.0,) * 4, noise=0.0)[1].shape is None
    published = AnalysisOptions(as_published=True)
    _, fit, document = analyzed(make_label, (0.1, 0.0, 0.0, 0.1), options=published)
    assert fit.shape is None
    assert "shape" not in document["models"][0]["labels"][0]["bias"]


def test_size_without_an_effect(make_label):
    """With 5 % and 200 data sets, P(more than 20 rejections) = 0.1 %."""
    rng = np.random.default_rng(11)
    from justeval.aggregate.fits import LabelCells
    from justeval.aggregate.shape import shape_of

    document, code = np.repeat(np.arange(50), 4), np.tile(np.arange(4), 50)
    names = [f"{age:g}" for age in AGES]
    cells = LabelCells(names, 1, [0, 1, 2, 3], np.array(AGES), document, code)
    rejected = line = 0
    for _ in range(200):
        found = shape_of(cells, rng.normal(size=code.size), OPTIONS, rng)
        rejected += found.p < 0.05
        line += found.p_line < 0.05
    assert rejected <= 20
    assert line <= 20

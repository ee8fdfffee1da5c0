"""The placebo yardstick, sign tables, leaving the sample, and disagreement beyond repetitions."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from justeval import schema
from justeval.aggregate import AnalysisOptions, analyze, as_json
from justeval.inference import shrink, spread
from justeval.labels import load_labels
from justeval.report import ReportContext
from justeval.report.building import build_report

LABELS = {label.id: label for label in load_labels("placebo")}
PLACEBOS = tuple(LABELS)[:12]
OPTIONS = AnalysisOptions(draws=199)


def row(document, label, value, months, repetition=0, **more):
    return {
        "run_id": "r",
        "model": "m",
        "case_id": f"c{document}",
        "label": label,
        "value": value,
        "is_reference": value in ("a", LABELS[label].reference if label in LABELS else "a"),
        "repetition": repetition,
        "status": "ok",
        "penalty": "fixed_term",
        "months": float(months),
    } | more


def analyzed(rows):
    table = pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)
    return analyze(table, LABELS, OPTIONS)


def placebo_rows(rng, moved, documents=60):
    rows = []
    for label in PLACEBOS:
        shift = rng.normal(0.0, moved)
        for document in range(documents):
            for place, value in enumerate(LABELS[label].values):
                log = 4.0 + shift * place + rng.normal(0.0, 0.02)
                rows.append(row(document, label, value.id, math.exp(log)))
    return rows


def own_rows(rng, effect, documents=60):
    return [
        row(d, "x", value, math.exp(4.0 + effect * (value == "b") + rng.normal(0.0, 0.02)))
        for d in range(documents)
        for value in ("a", "b")
    ]


@pytest.fixture(scope="module")
def moved_by_anything():
    rng = np.random.default_rng(3)
    return analyzed([*own_rows(rng, 0.04), *placebo_rows(rng, 0.05)]).models[0]


def test_an_effect_no_larger_than_the_placebos_is_no_finding(moved_by_anything):
    model = moved_by_anything
    placebos = [v for r in model.labels if r.placebo for v in r.bias.values]
    tau = spread(np.array([v.coef for v in placebos]), np.array([v.se for v in placebos]))
    floor = model.placebo.bias_floor
    assert (floor.tau, floor.effects) == (tau, 12)
    (value,) = next(r for r in model.labels if r.label == "x").bias.values
    t = value.coef / math.sqrt(value.se**2 + tau**2)
    assert value.t_placebo == pytest.approx(t, rel=1e-12)
    assert value.p_placebo == pytest.approx(2 * stats.t.sf(abs(t), 59), rel=1e-9)
    assert value.p < 1e-6 < 0.2 < value.p_placebo
    assert all(v.t_placebo is None for v in placebos)


def test_the_rejection_rate_has_its_exact_interval_and_the_report_warns(moved_by_anything):
    floor = moved_by_anything.placebo.bias_floor
    rejected = sum(bool(r.bias.significant) for r in moved_by_anything.labels if r.placebo)
    assert (floor.tests, floor.rejected) == (12, rejected)
    interval = stats.binomtest(rejected, 12).proportion_ci(0.95, method="exact")
    assert (floor.ci_low, floor.ci_high) == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert floor.warning


def test_quiet_placebos_give_no_warning():
    rng = np.random.default_rng(1)
    found = analyzed([*own_rows(rng, 0.0), *placebo_rows(rng, 0.0)])
    assert not found.models[0].placebo.bias_floor.warning
    report = build_report(as_json(found), ReportContext())
    assert not any("Warning" in claim.statement for claim in report.claims)
    assert report.table("floor").column("warning")[0] is False


def test_the_report_says_the_warning():
    rng = np.random.default_rng(3)
    found = as_json(analyzed([*own_rows(rng, 0.04), *placebo_rows(rng, 0.05)]))
    report = build_report(found, ReportContext())
    assert any("Warning: more placebo labels" in claim.statement for claim in report.claims)


def test_effects_are_shrunken_for_ranking():
    rng = np.random.default_rng(0)
    rows = [
        r | {"label": name}
        for name, effect in (("x", 0.05), ("y", -0.2), ("z", 0.0))
        for r in own_rows(rng, effect)
    ]
    values = [r.bias.values[0] for r in analyzed(rows).models[0].labels]
    expected = shrink(np.array([v.coef for v in values]), np.array([v.se for v in values]))
    assert [v.shrunken for v in values] == pytest.approx(list(expected.effect))
    assert [v.shrunken_rank for v in values] == [2, 1, 3]
    assert all(abs(v.shrunken) < abs(v.coef) for v in values)


def test_life_is_harsher_than_any_term_and_leaves_the_sample():
    rows = []
    for document in range(12):
        rows.append(row(document, "x", "a", 120))
        if document < 8:
            rows.append(row(document, "x", "b", 0) | {"penalty": "life", "months": None})
        else:
            rows.append(row(document, "x", "b", 119 if document == 8 else 120))
    beyond = analyzed(rows).models[0].labels[0].beyond
    (table,) = beyond.sign_tables
    assert (table.value, table.reference, table.documents) == ("b", "a", 12)
    assert (table.harsher, table.lenient, table.same) == (8, 1, 3)
    assert table.p == pytest.approx(stats.binomtest(1, 9).pvalue)
    attrition = beyond.attrition
    assert (attrition.values, attrition.asked, attrition.left) == (("a", "b"), (12, 12), (0, 8))
    assert attrition.p == pytest.approx(2 * 0.5**8)  # McNemar: 8 of 8 discordant one way
    assert beyond.disagreement is None


def test_a_provider_error_is_not_the_models_answer():
    rows = [row(d, "x", value, 24) for d in range(6) for value in ("a", "b")]
    rows[1] |= {"status": "provider_error", "months": None, "penalty": None}
    assert analyzed(rows).models[0].labels[0].beyond.attrition is None


def test_a_refusal_leaves_the_sample_and_has_no_severity():
    rows = [row(d, "x", value, 24) for d in range(6) for value in ("a", "b")]
    rows[1] |= {"status": "refused", "months": None, "penalty": None}
    beyond = analyzed(rows).models[0].labels[0].beyond
    assert beyond.attrition.left == (0, 1)
    assert beyond.sign_tables[0].documents == 5


def test_repetitions_take_the_noise_out_of_inconsistency():
    rng = np.random.default_rng(5)
    rows = [
        row(d, label, value, 24 + rng.integers(0, 2) + 6 * (label == "y" and value == "b"), k)
        for label in ("x", "y")
        for d in range(40)
        for value in ("a", "b")
        for k in range(3)
    ]
    noise, effect = (r.beyond.disagreement for r in analyzed(rows).models[0].labels)
    assert abs(noise.excess) < 0.1 < noise.within
    assert noise.p > 0.05
    assert effect.between == 1.0
    assert effect.p == pytest.approx(1 / 1000)

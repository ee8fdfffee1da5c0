"""The labels of a model judged together: few documents, one set of draws, verdicts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from justeval import schema
from justeval.aggregate import AnalysisOptions, analyze
from justeval.aggregate.fits import CONTRAST
from justeval.estimate import build_sample, label_design
from justeval.estimate.poisson import ratio_of_sums
from justeval.inference import FamilyMember, infer_family
from justeval.labels import load_labels
from justeval.report.tables.labels import CONTRAST as SHOWN

LABELS = {label.id: label for label in load_labels("judicial-cn,placebo")}
SOME = ("crime_location", "prosecutor_sex", "judge_sex")
OPTIONS = AnalysisOptions(draws=999)


def row(model, document, label, value, months, reference):
    return {
        "run_id": "r",
        "model": model,
        "case_id": f"c{document}",
        "label": label,
        "value": value,
        "is_reference": value == reference,
        "repetition": 0,
        "status": "ok",
        "guilty": True,
        "penalty": "fixed_term",
        "months": float(months),
    }


def answers(label, changes, model="m", base=24.0, documents=60):
    """Documents that say `base` for a, and `base` + their change for b."""
    rows = []
    for document in range(documents):
        change = changes[document] if document < len(changes) else 0.0
        rows.append(row(model, document, label, "a", base, "a"))
        rows.append(row(model, document, label, "b", base + change, "a"))
    return rows


def table(*groups):
    return pa.Table.from_pylist([r for rows in groups for r in rows], schema=schema.PREDICTIONS)


def fit_of(analysis, label, model="m"):
    results = {m.model: m for m in analysis.models}[model].labels
    return next(result for result in results if result.label == label).bias


def test_five_changed_documents_cannot_reach_five_per_cent():
    fit = fit_of(analyze(table(answers("x", [12.0] * 5)), {}, OPTIONS), "x")
    assert (fit.note, fit.significant, fit.decided_by) == ("cannot reach 5 %", None, "wild")
    assert fit.p_verdict == pytest.approx(2.0**-4)  # all five point one way: 2 / 2^5
    assert fit.verdict == "undetermined"
    assert (fit.documents_changed, fit.values[0].documents_changed) == (5, 5)
    counts = analyze(table(answers("x", [6.0] * 5)), {}, OPTIONS).models[0].bias
    assert (counts.labels_tested, counts.labels_significant) == (1, 0)


def test_six_can_and_the_wild_bootstrap_decides():
    fit = fit_of(analyze(table(answers("x", [6.0] * 6)), {}, OPTIONS), "x")
    assert (fit.note, fit.significant, fit.decided_by) == (None, True, "wild")
    assert fit.p_verdict == pytest.approx(2.0**-5)
    assert fit.values[0].p_wild == pytest.approx(2.0**-5)
    assert fit.values[0].p < fit.p_verdict  # t would have claimed more


def test_with_few_clusters_the_wild_bootstrap_decides():
    changes = np.random.default_rng(1).integers(1, 9, 30).astype(float)
    few = fit_of(analyze(table(answers("x", changes, documents=30)), {}, OPTIONS), "x")
    many = fit_of(analyze(table(answers("x", changes, documents=60)), {}, OPTIONS), "x")
    assert (few.decided_by, many.decided_by) == ("wild", "hotelling")
    assert many.p_verdict == many.p_small


def test_a_model_that_always_says_24_has_a_verdict_of_its_own():
    found = analyze(table(answers("x", [])), {}, OPTIONS)
    fit = fit_of(found, "x")
    assert (fit.note, fit.significant, fit.verdict) == ("no variation", False, "no variation")
    assert (fit.documents_changed, fit.decided_by) == (0, None)
    counts = found.models[0].bias
    assert (counts.labels_tested, counts.calibrated_p, counts.calibrated_mid_p) == (1, 1.0, 0.5)


@pytest.fixture(scope="module")
def many_labels():
    """Twelve labels on the same 60 documents, the first with an effect; two placebos; two models
    of which the second answers as the first does."""
    rng = np.random.default_rng(4)
    rows = []
    for place in range(12):
        changes = rng.normal(0, 4, 60) + 4.0 * (place == 0)
        rows += [answers(f"label {place}", np.round(changes), model) for model in ("m", "n")]
    placebo_ids = ("folder_color", "archive_hall")
    rows += [answers(name, np.round(rng.normal(0, 4, 60))) for name in placebo_ids]
    placebos = {name: LABELS[name] for name in placebo_ids}
    return table(*rows), placebos


def test_a_models_labels_are_one_family(many_labels):
    predictions, placebos = many_labels
    found = analyze(predictions, placebos, OPTIONS)
    sample = build_sample(predictions)
    members = []
    for label in range(12):
        cells = sample.cells_of(sample.group(sample.models.index("m"), label))
        common = {
            "document": cells.document,
            "value": cells.value,
            "names": sample.values,
            "reference": sample.values.index("a"),
        }
        members.append(
            FamilyMember(
                label,
                label_design(outcome=cells.log_months, **common),
                label_design(outcome=cells.months, **common),
            )
        )
    expected = infer_family(members, rng=np.random.default_rng(0), draws=999)
    model = found.models[0]
    fits = [r.bias for r in model.labels if not r.placebo]
    assert [f.p_romano_wolf for f in fits] == [one.p_romano_wolf for one in expected.labels]
    assert [f.q_bh for f in fits] == [one.q_bh for one in expected.labels]
    assert [f.verdict for f in fits] == [one.verdict for one in expected.labels]
    at_five = next(count for count in expected.counts if count.alpha == 0.05)
    assert model.bias.labels_significant == at_five.significant
    assert model.bias.binomial_p == at_five.binomial_p
    assert model.bias.calibrated_p == at_five.calibrated_p
    assert model.bias.calibrated_mid_p == at_five.calibrated_mid_p
    assert model.bias.by_alpha["0.05"].calibrated_p == at_five.calibrated_p
    assert model.bias.draws == 999
    q = stats.false_discovery_control([f.p_verdict for f in fits])
    assert [f.q_bh for f in fits] == pytest.approx(list(q), rel=1e-12)


def test_placebo_labels_are_a_family_of_their_own(many_labels):
    predictions, placebos = many_labels
    found = analyze(predictions, placebos, OPTIONS).models[0]
    assert found.placebo.bias.labels_tested == len(placebos)
    assert found.placebo.bias.calibrated_p is not None
    own = [r.bias for r in found.labels if r.placebo]
    q = stats.false_discovery_control([fit.p_verdict for fit in own])
    assert [fit.q_bh for fit in own] == pytest.approx(list(q), rel=1e-12)


def test_models_that_answer_alike_are_no_further_evidence(many_labels):
    """One sign a document for all models: the second model repeats the first, so that the pooled
    count doubles in every draw and its calibrated p stays; the binomial test takes it for new."""
    predictions, placebos = many_labels
    found = analyze(predictions, placebos, OPTIONS)
    own, pooled = found.models[0].bias, found.summary.bias
    assert pooled.labels_significant == 2 * own.labels_significant
    assert pooled.calibrated_p == own.calibrated_p
    assert pooled.expected == pytest.approx(2 * own.expected)
    assert pooled.binomial_p < own.binomial_p


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(many_labels):
    predictions, placebos = many_labels
    first, again, other = (
        analyze(predictions, placebos, AnalysisOptions(draws=199, rng_seed=seed))
        for seed in (3, 3, 4)
    )
    assert first.models == again.models
    assert first.summary.bias != other.summary.bias


def test_an_effect_beyond_the_margin_is_biased_and_its_ratio_is_that_of_the_sums():
    rng = np.random.default_rng(2)
    months = rng.integers(12, 90, 80)
    rows = []
    for document, base in enumerate(months):
        rows.append(row("m", document, "x", "a", base, "a"))
        rows.append(row("m", document, "x", "b", round(base * 1.2), "a"))
    fit = fit_of(analyze(table(rows), {}, OPTIONS), "x")
    assert fit.verdict == "biased"
    (value,) = fit.values
    y = np.array([r["months"] for r in rows])
    is_b = np.array([r["value"] == "b" for r in rows])
    document = np.repeat(np.arange(80), 2)
    assert value.ratio == pytest.approx(ratio_of_sums(y, is_b, document), rel=1e-9)
    assert value.ratio_ci_low < value.ratio < value.ratio_ci_high
    assert fit.equivalence.equivalent is False
    # (t(0.975) + t(0.8)) se with 79 degrees of freedom (Bloom 1995)
    factor = stats.t.ppf(0.975, 79) + stats.t.ppf(0.8, 79)
    assert value.detectable == pytest.approx(factor * value.se, rel=1e-9)


def test_changes_that_cancel_are_equivalent_within_the_margin():
    changes = np.tile([1.0, -1.0], 30)
    found = analyze(table(answers("x", changes, base=240.0)), {}, OPTIONS)
    assert fit_of(found, "x").verdict == "equivalent"
    narrow = AnalysisOptions(draws=999, margin=0.0001)
    assert fit_of(analyze(table(answers("x", changes, base=240.0)), {}, narrow), "x").verdict == (
        "undetermined"
    )


def test_the_ratio_of_a_numeric_label_is_that_of_45_against_25():
    assert CONTRAST == SHOWN == (25.0, 45.0)
    rows = []
    for document in range(50):
        for age in (25, 45):
            months = (30 + document) * (1.1 if age == 45 else 1.0)
            rows.append(row("m", document, "defendant_age", str(age), months, None))
    (value,) = fit_of(analyze(table(rows), LABELS, OPTIONS), "defendant_age").values
    assert value.ratio == pytest.approx(1.1, rel=1e-6)
    assert not math.isclose(math.exp(value.coef), 1.1, rel_tol=0.01)


def test_groups_have_calibrated_counts_of_their_own_labels():
    rng = np.random.default_rng(0)
    rows = []
    for name in SOME:
        label = LABELS[name]
        names = [v.id for v in label.values[:2]]
        for document in range(50):
            for value in names:
                months = 30 + rng.integers(-3, 4)
                rows.append(row("m", document, name, value, months, label.reference))
    model = analyze(table(rows), LABELS, OPTIONS).models[0]
    for group in model.groups:
        assert group.bias.calibrated_p is not None
        assert group.bias.labels_tested == group.n_labels
    whole = [group.bias for group in model.groups if group.n_labels == model.n_labels]
    assert all(counts.calibrated_p == model.bias.calibrated_p for counts in whole)


def test_in_brief_the_tests_are_the_same_and_the_rest_is_unknown(many_labels):
    predictions, placebos = many_labels
    whole = analyze(predictions, placebos, OPTIONS)
    brief = analyze(predictions, placebos, replace(OPTIONS, brief=True))
    assert brief.summary == whole.summary
    for found, full in zip(brief.models[0].labels, whole.models[0].labels, strict=True):
        tests = ("p", "p_small", "p_verdict", "p_romano_wolf", "q_bh", "significant", "decided_by")
        for of, other in (
            (found.bias, full.bias),
            (found.imbalanced_inaccuracy, full.imbalanced_inaccuracy),
        ):
            assert [getattr(of, name) for name in tests] == [getattr(other, name) for name in tests]
            assert [v.coef for v in of.values] == [v.coef for v in other.values]
        assert found.inconsistency == full.inconsistency
        assert found.bias.equivalence is None
        assert found.beyond is None

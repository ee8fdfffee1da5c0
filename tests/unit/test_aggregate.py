"""The analysis of a table: two models, several kinds of label, both readings."""

from __future__ import annotations

import json
import math

import numpy as np
import pyarrow as pa
import pytest

from justeval import schema
from justeval.aggregate import AnalysisOptions, analyze, as_json
from justeval.errors import UsageError
from justeval.estimate import build_sample, estimate, label_design
from justeval.labels import load_labels

LABELS = {label.id: label for label in load_labels("judicial-cn,placebo")}
ASKED = ("defendant_sex", "judge_sex", "crime_location", "defendant_age", "folder_color")


def predictions(documents=40, models=("one", "two"), seed=0, labels=ASKED, **columns):
    """Every value of some labels for every document; a reply of another variant moves now and then.

    Women get about a fifth more from the model "one"; nothing else is planted.
    """
    rng = np.random.default_rng(seed)
    base = rng.integers(12, 120, documents)
    rows = []
    for model in models:
        for d in range(documents):
            for name in labels:
                label = LABELS[name]
                for value in label.values:
                    months = float(base[d])
                    if rng.random() < 0.3:
                        months += float(rng.integers(-6, 7))
                    if (model, name, value.id) == ("one", "defendant_sex", "female"):
                        months = round(months * 1.2)
                    rows.append(
                        {
                            "run_id": "r",
                            "model": model,
                            "variant_id": f"{d}-{name}-{value.id}",
                            "case_id": f"case-{d}",
                            "label": name,
                            "value": value.id,
                            "is_reference": value.id == label.reference,
                            "repetition": 0,
                            "status": "ok",
                            "guilty": True,
                            "penalty": "fixed_term",
                            "months": months,
                            "true_months": float(base[d] + 5) if d else 0.0,
                            "cost_usd": 0.001,
                        }
                        | columns
                    )
    order = rng.permutation(len(rows))
    return [rows[i] for i in order]


def table(rows):
    return pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)


@pytest.fixture(scope="module")
def rows():
    return predictions()


@pytest.fixture(scope="module")
def analysis(rows):
    return analyze(table(rows), LABELS, runs=[{"run_id": "r", "models": ["one", "two"]}])


def result(analysis, model, label):
    named = {m.model: m for m in analysis.models}[model]
    return {found.label: found for found in named.labels}[label]


def test_models_stand_in_the_order_of_the_run_and_labels_in_that_of_the_packs(analysis):
    assert [model.model for model in analysis.models] == ["one", "two"]
    in_packs = [name for name in LABELS if name in ASKED]
    for model in analysis.models:
        assert [label.label for label in model.labels] == in_packs
        assert model.n_labels == 4  # the placebo label is apart


def test_what_was_planted_is_found(analysis):
    planted = result(analysis, "one", "defendant_sex").bias
    assert [value.value for value in planted.values] == ["female", "non_binary"]
    assert {value.reference for value in planted.values} == {"male"}
    assert planted.values[0].ci_low < math.log(1.2) < planted.values[0].ci_high
    assert planted.significant
    assert planted.rank == 2


def test_a_label_is_the_regression_of_its_own_rows(analysis, rows):
    own = [row for row in rows if row["model"] == "two" and row["label"] == "judge_sex"]
    sample = build_sample(table(own))
    design = label_design(
        outcome=sample.cells.log_months,
        document=sample.cells.document,
        value=sample.cells.value,
        names=sample.values,
        reference=sample.values.index("male"),
        order=[sample.values.index(v) for v in ("male", "female", "non_binary")],
    )
    expected = estimate(design)
    found = result(analysis, "two", "judge_sex").bias
    assert [v.coef for v in found.values] == pytest.approx(expected.coef, rel=1e-12)
    assert [v.p for v in found.values] == pytest.approx(expected.p_values, rel=1e-10)
    assert found.p == pytest.approx(expected.p, rel=1e-10)


def test_few_clusters_are_judged_by_hotellings_form(analysis):
    found = result(analysis, "one", "defendant_sex").bias  # G = 40 < 100 * 2
    assert found.p_verdict == found.p_small > found.p
    many = analyze(table(predictions(230, ("one",), labels=("defendant_sex",))), LABELS)
    fit = result(many, "one", "defendant_sex").bias  # G = 230 > 100 * 2
    assert fit.p_verdict == fit.p


@pytest.mark.parametrize("engine", ["pyfixest", "linearmodels"])
def test_another_engine_gives_the_same_analysis(analysis, rows, engine):
    other = analyze(table(rows), LABELS, AnalysisOptions(engine=engine))
    for ours, theirs in zip(analysis.models, other.models, strict=True):
        for first, second in zip(ours.labels, theirs.labels, strict=True):
            for fit, again in (
                (first.bias, second.bias),
                (first.imbalanced_inaccuracy, second.imbalanced_inaccuracy),
            ):
                assert [v.coef for v in again.values] == pytest.approx(
                    [v.coef for v in fit.values], rel=1e-8, abs=1e-12
                )
                assert again.p == pytest.approx(fit.p, rel=1e-6)


def test_documents_changed_are_counted_against_the_reference(analysis, rows):
    months = {
        (row["case_id"], row["value"]): row["months"]
        for row in rows
        if row["model"] == "one" and row["label"] == "defendant_sex"
    }
    for value in result(analysis, "one", "defendant_sex").bias.values:
        expected = sum(
            months[f"case-{d}", value.value] != months[f"case-{d}", "male"] for d in range(40)
        )
        assert value.documents_changed == expected


def test_a_numeric_label_has_one_column_in_log_value(analysis, rows):
    found = result(analysis, "one", "defendant_age").bias
    (value,) = found.values
    assert (value.value, value.reference) == ("log(value)", None)
    own = [r for r in rows if r["model"] == "one" and r["label"] == "defendant_age"]
    by_case = {}
    for row in own:
        by_case.setdefault(row["case_id"], []).append((math.log(float(row["value"])), row))
    xs, ys = [], []
    for pairs in by_case.values():
        mean_x = np.mean([x for x, _ in pairs])
        mean_y = np.mean([math.log(row["months"] + 1) for _, row in pairs])
        xs += [x - mean_x for x, _ in pairs]
        ys += [math.log(row["months"] + 1) - mean_y for _, row in pairs]
    assert value.coef == pytest.approx(np.dot(xs, ys) / np.dot(xs, xs), rel=1e-10)
    changed = sum(len({row["months"] for _, row in pairs}) > 1 for pairs in by_case.values())
    assert value.documents_changed == changed


def test_inconsistency_of_a_model_is_equation_1_without_the_placebo(analysis):
    for model in analysis.models:
        family = [label for label in model.labels if not label.placebo]
        changed = sum(label.documents_changed for label in family)
        documents = sum(label.documents for label in family)
        assert model.inconsistency == pytest.approx(changed / documents, rel=1e-12)
        assert model.inconsistency_ci_low < model.inconsistency < model.inconsistency_ci_high
        (placebo,) = [label for label in model.labels if label.placebo]
        assert model.placebo.n_labels == 1
        assert model.placebo.inconsistency == pytest.approx(placebo.inconsistency, rel=1e-12)


def test_groups_are_the_labels_of_an_actor_a_category_a_kind(analysis):
    model = analysis.models[0]
    groups = {(group.by, group.group): group for group in model.groups}
    assert set(groups) == {
        ("actor", "defendant"),
        ("actor", "judge"),
        ("actor", "crime"),
        ("category", "substance"),
        ("category", "procedure"),
        ("demographic", "demographic"),
        ("demographic", "not demographic"),
    }
    assert groups["actor", "defendant"].n_labels == 2
    assert groups["demographic", "demographic"].bias.labels_tested == 3
    labels = [label for label in model.labels if label.actor == "defendant"]
    assert groups["actor", "defendant"].inconsistency == pytest.approx(
        sum(label.documents_changed for label in labels) / sum(label.documents for label in labels)
    )


def test_mean_errors_over_the_regression_sample(analysis, rows):
    own = [r for r in rows if r["model"] == "two" and r["label"] != "folder_color"]
    errors = [abs(r["true_months"] - r["months"]) for r in own]
    model = analysis.models[1]
    assert (model.mae_rows, model.mape_rows) == (len(own), len(own) * 39 // 40)
    assert model.mae_months == pytest.approx(np.mean(errors), rel=1e-12)
    shares = [e / r["true_months"] for e, r in zip(errors, own, strict=True) if r["true_months"]]
    assert model.mape_percent == pytest.approx(100 * np.mean(shares), rel=1e-12)


def test_documents_with_a_single_row_are_not_in_the_mean_error():
    rows = predictions(10, ("one",), labels=("crime_location",))
    lost = [row for row in rows if not (row["case_id"] == "case-3" and row["value"] == "rural")]
    model = analyze(table(lost), LABELS).models[0]
    assert model.mae_rows == 18
    assert model.labels[0].bias.values[0].singletons_dropped == 1


def test_the_summary_pools_all_model_by_label_tests(analysis):
    summary = analysis.summary
    assert summary.models == 2
    assert summary.inconsistency_mean == pytest.approx(
        np.mean([model.inconsistency for model in analysis.models])
    )
    assert summary.bias.labels_tested == 8
    assert summary.bias.labels_significant == sum(
        model.bias.labels_significant for model in analysis.models
    )
    own = [model.bias.binomial_p for model in analysis.models]
    assert summary.bias.models_significant == sum(p < 0.05 for p in own)


def test_as_published_reads_values_at_0_10(rows):
    found = analyze(table(rows), LABELS, AnalysisOptions(as_published=True))
    for model in found.models:
        family = [label for label in model.labels if not label.placebo]
        fits = [label.bias for label in family]
        ps = [value.p for fit in fits for value in fit.values]
        assert model.bias.values_tested == len(ps) == 6
        assert model.bias.values_significant == sum(p < 0.05 for p in ps)
        assert model.bias.labels_significant == sum(
            any(value.p < 0.10 for value in fit.values) for fit in fits
        )
        for fit in fits:
            assert fit.p_verdict == min(value.p for value in fit.values)
            assert fit.significant == (fit.p_verdict < 0.10)
        rates = np.array([label.inconsistency for label in family])
        changed = np.array([label.documents_changed for label in family])
        assert model.inconsistency == pytest.approx(np.dot(rates, changed) / changed.sum())


def test_a_model_that_always_says_24_has_no_variation_and_was_tested():
    rows = predictions(20, ("one",), months=24.0)
    model = analyze(table(rows), LABELS).models[0]
    assert model.inconsistency == 0.0
    for label in model.labels:
        fit = label.bias
        assert (fit.note, fit.p, fit.p_verdict, fit.significant) == (
            "no variation",
            None,
            None,
            False,
        )
        assert {(v.coef, v.se, v.p, v.documents_changed) for v in fit.values} == {
            (0.0, None, None, 0)
        }
    assert (model.bias.labels_tested, model.bias.labels_significant) == (4, 0)
    assert model.bias.binomial_p == 1.0


def test_a_label_without_usable_replies_stays_in_the_list():
    rows = predictions(8, ("one",))
    for row in rows:
        if row["label"] == "judge_sex":
            row |= {"status": "refused", "months": None, "penalty": None, "guilty": None}
        if row["label"] == "crime_location" and row["value"] == "urban":
            row |= {"status": "empty", "months": None, "penalty": None, "guilty": None}
        if row["label"] == "folder_color" and row["value"] == "gray":
            row |= {"penalty": "life", "months": None}
    found = analyze(table(rows), LABELS)
    assert result(found, "one", "judge_sex").bias.note == "no usable reply"
    assert result(found, "one", "judge_sex").statuses == {"refused": 24}
    assert result(found, "one", "judge_sex").inconsistency is None
    assert (
        result(found, "one", "crime_location").bias.note
        == "no usable reply for the reference value urban"
    )
    assert result(found, "one", "folder_color").bias.note == "usable replies for one value only"
    assert result(found, "one", "folder_color").left_out == {"life": 8}
    model = found.models[0]
    assert model.bias.labels_tested == 2  # of the 4 that are no placebo
    for label in ("judge_sex", "crime_location"):
        fit = result(found, "one", label).bias
        assert (fit.significant, fit.p, fit.values) == (None, None, ())


def test_one_document_is_no_evidence():
    rows = predictions(1, ("one",), labels=("crime_location",))
    fit = analyze(table(rows), LABELS).models[0].labels[0].bias
    assert fit.note == "one document only: no error can be estimated"
    assert (fit.p, fit.significant) == (None, None)
    assert fit.values[0].n == 2


def test_values_that_never_meet_in_a_document():
    rows = predictions(12, ("one",), labels=("crime_location",))
    kept = [r for r in rows if (r["value"] == "urban") == (int(r["case_id"][5:]) % 2 == 0)]
    fit = analyze(table(kept), LABELS).models[0].labels[0].bias
    assert fit.note == "no document with two usable replies"
    assert fit.significant is None


def test_unknown_true_months_leave_accuracy_unknown_and_bias_known():
    rows = predictions(15, ("one",), labels=("crime_location",), true_months=None)
    model = analyze(table(rows), LABELS).models[0]
    assert model.labels[0].bias.p is not None
    assert model.labels[0].imbalanced_inaccuracy.note == "true months are not known"
    assert (model.mae_months, model.mae_rows) == (None, 0)


def test_a_reply_that_labels_share_is_counted_and_paid_once():
    rows = predictions(5, ("one",), labels=("crime_location", "defendant_sex"))
    for row in rows:
        if row["is_reference"]:
            row["variant_id"] = f"shared-{row['case_id']}"
    model = analyze(table(rows), LABELS).models[0]
    assert len(rows) == 25
    assert model.replies == model.readable == 20
    assert model.cost_usd == pytest.approx(0.020)
    assert model.statuses == {"ok": 20}
    assert model.main_sample_rows == 25
    without = analyze(table([row | {"variant_id": None} for row in rows]), LABELS).models[0]
    assert without.replies == 25


def test_replies_are_counted_without_a_flag_for_every_key():
    rows = predictions(5, ("one",), labels=("crime_location",))
    rows[0]["repetition"] = 2_000_000
    assert analyze(table(rows), LABELS).models[0].replies == 10


def test_the_bare_case_counts_as_a_reply_and_gives_its_own_error():
    rows = predictions(4, ("one",), labels=("crime_location",))
    bare = rows[0] | {"label": None, "value": None, "is_reference": False, "variant_id": "bare"}
    bare |= {"months": 30.0, "true_months": 24.0}
    model = analyze(table([*rows, bare]), LABELS).models[0]
    assert model.replies == 9
    assert (model.bare_mae_months, model.bare_rows) == (6.0, 1)
    assert model.mae_rows == 8


def test_a_table_made_elsewhere_needs_no_labels():
    rows = predictions(12, ("one",), labels=("crime_location",))
    label = analyze(table(rows), {}).models[0].labels[0]
    assert (label.name, label.pack, label.actor, label.demographic) == (
        "crime_location",
        None,
        None,
        None,
    )
    assert label.bias.values[0].reference == "urban"


def test_two_marked_references_are_not_guessed_at():
    rows = [r | {"is_reference": True} for r in predictions(6, ("one",), labels=("judge_sex",))]
    fit = analyze(table(rows), LABELS).models[0].labels[0].bias
    assert fit.note == "several values are marked as reference"


def test_the_json_document(analysis):
    document = as_json(analysis)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert list(document) == ["justeval", "settings", "runs", "summary", "models"]
    assert document["settings"] == {
        "alpha": 0.05,
        "engine": "within",
        "as_published": False,
        "longest_months": 300.0,
        "outcome": "log(months + 1)",
        "draws": 9999,
        "rng_seed": 0,
        "margin": 0.05,
        "outcome_id": "log_months",
        "unit": "log points of months + 1",
    }
    assert document["runs"] == [{"run_id": "r", "models": ["one", "two"]}]
    assert list(document["models"][0]) == [
        "model", "inconsistency", "inconsistency_ci_low", "inconsistency_ci_high", "n_labels",
        "documents", "replies", "readable", "statuses", "main_sample_rows", "left_out", "cost_usd",
        "mae_months", "mape_percent", "mae_rows", "mape_rows", "bare_mae_months", "bare_rows",
        "bias", "imbalanced_inaccuracy", "groups", "placebo", "labels",
        "crossed",
    ]  # fmt: skip
    assert list(document["models"][0]["labels"][0]) == [
        "label", "name", "pack", "actor", "category", "demographic", "placebo", "documents",
        "documents_changed", "inconsistency", "inconsistency_ci_low", "inconsistency_ci_high",
        "statuses", "left_out", "bias", "imbalanced_inaccuracy", "beyond",
    ]  # fmt: skip
    assert list(document["models"][0]["labels"][0]["bias"]) == [
        "p", "p_small", "p_verdict", "f", "rank", "significant", "note", "values",
        "documents_changed", "decided_by", "p_romano_wolf", "q_bh", "q_by", "verdict",
        "equivalence", "shape",
    ]  # fmt: skip
    counts = ["labels_tested", "labels_significant", "alpha", "binomial_p", "by_alpha"]
    calibrated = ["calibrated_p", "calibrated_mid_p", "expected"]
    assert list(document["models"][0]["bias"]) == [*counts, *calibrated, "draws"]
    for level in document["models"][0]["bias"]["by_alpha"].values():
        assert list(level) == ["labels_significant", "binomial_p", *calibrated]
    assert list(document["models"][0]["bias"]["by_alpha"]) == ["0.01", "0.05", "0.10"]
    assert list(document["summary"]["bias"]) == [
        *counts,
        "models_significant",
        "models_binomial_p",
        *calibrated,
        "draws",
    ]
    assert list(document["models"][0]["labels"][0]["bias"]["values"][0]) == [
        "value", "reference", "coef", "se", "t", "p", "ci_low", "ci_high", "n", "documents",
        "clusters", "singletons_dropped", "documents_changed", "p_wild", "detectable", "ratio",
        "ratio_ci_low", "ratio_ci_high", "ratio_p", "separated", "t_placebo", "p_placebo",
        "shrunken", "shrunken_sd", "shrunken_rank", "mean_reference", "change_percent",
        "change_months", "se_jackknife", "p_jackknife", "coef_without", "document_without",
    ]  # fmt: skip


def test_the_json_document_as_published(rows):
    document = as_json(analyze(table(rows), LABELS, AnalysisOptions(as_published=True)))
    assert document["models"][0]["bias"]["values_tested"] == 6
    assert set(document["summary"]["bias"]["by_alpha"]["0.10"]) == {
        "labels_significant",
        "binomial_p",
        "values_significant",
    }
    everything = json.dumps(document)
    for key in ("draws", "verdict", "equivalence", "calibrated_p", "p_romano_wolf", "detectable"):
        assert f'"{key}"' not in everything


def test_an_empty_table():
    document = as_json(analyze(schema.PREDICTIONS.empty_table(), {}))
    assert document["models"] == []
    assert document["summary"]["inconsistency_mean"] is None
    assert document["summary"]["bias"]["binomial_p"] is None
    assert document["summary"]["bias"]["models_binomial_p"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (AnalysisOptions(engine="stata"), "no engine 'stata'"),
        (AnalysisOptions(alpha=5.0), "alpha is 5; it must lie between 0 and 1"),
        (AnalysisOptions(longest_months=0.0), "longest months is 0; it must be above 0"),
        (AnalysisOptions(draws=10), "draws is 10; it must be 99 or more"),
        (AnalysisOptions(rng_seed=-1), "seed of the draws is -1; it must be 0 or more"),
        (AnalysisOptions(margin=0.0), "margin is 0; it must lie between 0 and 1"),
    ],
)
def test_options_that_do_not_exist(options, message):
    with pytest.raises(UsageError, match=message):
        analyze(schema.PREDICTIONS.empty_table(), {}, options)

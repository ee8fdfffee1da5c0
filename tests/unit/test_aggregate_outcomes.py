"""Effects on other outcomes, each in its own unit, in per cent and in months."""

from __future__ import annotations

import json
import math

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from justeval import schema
from justeval.aggregate import OUTCOMES, AnalysisOptions, analyze, as_json
from justeval.cli import main
from justeval.errors import EstimationError, UsageError
from justeval.estimate.poisson import ratio_of_sums
from justeval.report import ReportContext, show_analysis
from justeval.report.building import build_report


def rows(documents=50, **of_b):
    """Every document gets 12 to 90 months for a, and a sixth more for b."""
    rng = np.random.default_rng(0)
    made = []
    for document in range(documents):
        base = float(rng.integers(12, 91))
        noise = float(rng.integers(-2, 3))
        for value in ("a", "b"):
            made += [
                {
                    "run_id": "r",
                    "model": "m",
                    "case_id": f"c{document}",
                    "label": "x",
                    "value": value,
                    "is_reference": value == "a",
                    "repetition": 0,
                    "status": "ok",
                    "guilty": True,
                    "penalty": "fixed_term",
                    "months": base if value == "a" else base * 7 / 6 + noise,
                    "decision": "detain" if value == "b" and document % 2 else "release",
                    "probability": 0.2 + 0.1 * (value == "b") + 0.01 * noise * (value == "b"),
                    "risk_score": base / 10 + (value == "b"),
                    "bond_amount": 5000 * base * (1.2 if value == "b" else 1.0),
                    "bond_currency": "USD",
                    "probation_months": 36.0 + 6 * (value == "b"),
                    "true_months": base,
                }
                | (of_b if value == "b" and document < 10 else {})
            ]
    return made


def table(made):
    return pa.Table.from_pylist(made, schema=schema.PREDICTIONS)


def value_of(made, outcome):
    options = AnalysisOptions(draws=199, outcome=outcome)
    analysis = analyze(table(made), {}, options)
    return analysis.models[0].labels[0].bias.values[0], analysis


def test_a_log_effect_in_per_cent_and_in_months_at_the_mean():
    value, _ = value_of(rows(), "log_months")
    mean = np.mean([r["months"] for r in rows() if r["value"] == "a"])
    assert value.mean_reference == pytest.approx(mean)
    assert value.change_percent == pytest.approx(100 * math.expm1(value.coef))
    assert value.change_months == pytest.approx(math.expm1(value.coef) * (mean + 1))


def test_documents_without_the_reference_value_are_not_in_its_mean():
    made = [r for r in rows() if r["value"] == "b" or r["case_id"] not in ("c0", "c1")]
    value, _ = value_of(made, "log_months")
    mean = np.mean([r["months"] for r in made if r["value"] == "a"])
    assert value.mean_reference == pytest.approx(mean)


def test_months_below_0_are_named_and_drop_out_where_a_log_is_asked():
    made = rows()
    made[0]["months"] = -12.0
    with np.errstate(invalid="ignore"):
        with pytest.raises(EstimationError, match="the outcome has -12; it must be 0 or more"):
            value_of(made, "log_months")
        found = analyze(table(made), {}, AnalysisOptions(draws=199, brief=True))
    value = found.models[0].labels[0].bias.values[0]
    assert (value.documents, value.n) == (49, 98)


def test_months_in_levels_are_the_mean_difference():
    value, _ = value_of(rows(), "months")
    by_value = {v: np.array([r["months"] for r in rows() if r["value"] == v]) for v in "ab"}
    difference = by_value["b"].mean() - by_value["a"].mean()
    assert value.coef == value.change_months == pytest.approx(difference, rel=1e-9)
    assert value.change_percent == pytest.approx(100 * difference / by_value["a"].mean())


def test_poisson_is_the_log_ratio_of_sums():
    value, analysis = value_of(rows(), "poisson")
    made = rows()
    y = np.array([r["months"] for r in made])
    is_b = np.array([r["value"] == "b" for r in made])
    ratio = ratio_of_sums(y, is_b, np.repeat(np.arange(50), 2))
    assert math.exp(value.coef) == pytest.approx(ratio, rel=1e-9)
    assert math.exp(value.coef) == pytest.approx(value.ratio, rel=1e-9)
    assert value.p == pytest.approx(value.ratio_p)
    assert value.ci_low == pytest.approx(math.log(value.ratio_ci_low))
    assert value.detectable == pytest.approx(2.86 * value.se, rel=0.02)
    assert analysis.models[0].labels[0].bias.verdict == "biased"


def test_life_enters_the_full_outcome_and_a_fine_beside_prison_does_not_make_it_0():
    life = rows(penalty="life", months=None)
    assert value_of(life, "log_months")[0].documents == 40
    full, _ = value_of(life, "full")
    assert full.documents == 50
    assert full.coef > 2 * value_of(life, "log_months")[0].coef
    assert value_of(rows(), "full")[0].coef == pytest.approx(value_of(rows(), "log_months")[0].coef)


def test_guilt_is_a_linear_probability():
    made = rows(guilty=False, penalty="acquittal", months=0.0)
    value, analysis = value_of(made, "guilt")
    assert value.coef == pytest.approx(-10 / 50)
    assert (value.change_percent, value.change_months) == (pytest.approx(-20.0), None)
    label = analysis.models[0].labels[0]
    assert label.documents_changed == 10
    assert label.imbalanced_inaccuracy.note == "true months are not known"


def test_a_decision_is_a_linear_probability():
    value, _ = value_of(rows(months=None, penalty=None, guilty=None), "decision")
    assert value.coef == pytest.approx(0.5)
    assert value.documents_changed == 25
    unknown, _ = value_of(rows(decision="banish"), "decision")
    assert unknown.documents == 40


def test_a_probability_is_taken_as_it_is_stated():
    value, _ = value_of(rows(), "probability")
    made = rows()
    difference = np.mean([r["probability"] for r in made if r["value"] == "b"]) - 0.2
    assert value.coef == pytest.approx(difference)


def test_a_score_an_amount_and_a_time_of_probation_are_outcomes():
    made = rows()
    assert value_of(made, "risk_score")[0].coef == pytest.approx(1.0)
    assert value_of(made, "probation_months")[0].coef == pytest.approx(6.0)
    bond = value_of(made, "bond_amount")[0]
    assert bond.coef == pytest.approx(math.log(1.2), abs=1e-4)  # log(y + 1) of large y
    assert bond.documents == 50


def test_an_amount_in_another_currency_is_not_compared():
    bond = value_of(rows(bond_amount=1.0, bond_currency="CNY"), "bond_amount")[0]
    assert bond.coef == pytest.approx(math.log(1.2), abs=1e-4)
    assert bond.documents == 40


def test_an_outcome_that_no_reply_states_has_no_estimate():
    made = [row | {"bond_amount": None, "risk_score": None} for row in rows()]
    for outcome in ("bond_amount", "risk_score"):
        analysis = analyze(table(made), {}, AnalysisOptions(draws=199, outcome=outcome))
        bias = as_json(analysis)["models"][0]["labels"][0]["bias"]
        assert bias["note"] == "no usable reply"
        assert all(value["coef"] is None for value in bias["values"])


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_log_coefficient_is_never_called_months_nor_months_log_points(outcome):
    document = as_json(value_of(rows(), outcome)[1])
    settings = document["settings"]
    assert (settings["outcome_id"], settings["outcome"]) == (outcome, OUTCOMES[outcome].title)
    report = build_report(document, ReportContext())
    (unit,) = [c.unit for c in report.table("bias").columns if c.id == "coef"]
    assert unit.startswith("log points") == (OUTCOMES[outcome].scale in ("log", "ratio"))
    assert f"Effect: {OUTCOMES[outcome].unit} against" in show_analysis(document)


def test_unknown_outcomes_and_the_published_reading():
    with pytest.raises(UsageError, match="no outcome 'fine'"):
        analyze(table(rows(2)), {}, AnalysisOptions(outcome="fine"))
    with pytest.raises(UsageError, match="log_months alone"):
        analyze(table(rows(2)), {}, AnalysisOptions(outcome="guilt", as_published=True))


def test_a_run_is_analyzed_by_what_it_asks_for(tmp_path, capsys):
    run = tmp_path / "run"
    words = ["--labels", "judicial-us:judge_sex", "--limit", "4", "--model", "simulated"]
    asked = ["collect", "--cases", "us-sentencing", *words, "--question", "bail"]
    assert main([*asked, "--out", str(run)]) == 0
    assert pq.read_table(run / "predictions.parquet")["decision"].null_count == 0
    capsys.readouterr()
    assert main(["analyze", str(run), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["settings"]["outcome_id"] == "decision"
    (label,) = document["models"][0]["labels"]
    assert label["documents"] == 4
    assert main(["analyze", str(run), "--json", "--outcome", "log_months"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["models"][0]["labels"][0]["bias"]["note"] == "no usable reply"

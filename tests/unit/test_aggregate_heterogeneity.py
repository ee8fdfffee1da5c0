"""Effects by charge: opposite ones that cancel in the average are found."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from justeval import schema
from justeval.aggregate import AnalysisOptions
from justeval.aggregate.heterogeneity import (
    NOT_KNOWN,
    effects_by_charge,
    effects_by_severity,
)
from justeval.analyzing import analysis_of
from justeval.evidence import Evidence
from justeval.report import ReportContext
from justeval.report.building import build_report

OPTIONS = AnalysisOptions(draws=199)


def predictions(theft=0.0, fraud=0.0, charges=True):
    rng = np.random.default_rng(2)
    effects = {"theft": theft, "fraud": fraud}
    rows = []
    for document in range(100):
        charge = ("theft", "fraud")[document % 2] if document < 94 else f"rare {document}"
        base = rng.normal(4, 0.5)
        rows += [
            {
                "run_id": "r",
                "model": "m",
                "case_id": f"c{document}",
                "label": "x",
                "value": value,
                "is_reference": value == "a",
                "repetition": 0,
                "status": "ok",
                "penalty": "fixed_term",
                "months": float(
                    np.exp(base + effects.get(charge, 0) * (value == "b") + rng.normal(0, 0.02))
                ),
                "case_charge": charge if charges else None,
            }
            for value in ("a", "b")
        ]
    return pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)


def test_opposite_effects_that_cancel_are_found():
    (found,) = effects_by_charge(predictions(0.05, -0.05), {}, OPTIONS)
    assert found.overall_p > 0.1
    assert found.p_equal < 1e-6
    assert found.p_any < 1e-6
    assert found.crossing_p[0] < 1e-6
    by_name = {group.group: group for group in found.groups}
    assert by_name["theft"].coef[0] == pytest.approx(0.05, abs=0.015)
    assert by_name["fraud"].coef[0] == pytest.approx(-0.05, abs=0.015)
    assert sum(group.documents for group in found.groups) == 100
    assert by_name["other"].documents == 6  # too few to stand alone


def test_equal_effects_do_not_cross():
    (found,) = effects_by_charge(predictions(0.05, 0.05), {}, OPTIONS)
    assert found.overall_p < 1e-6
    assert found.crossing_p[0] > 0.1


def test_unknown_charges_are_said():
    (found,) = effects_by_charge(predictions(charges=False), {}, OPTIONS)
    assert found.note == "charges are not known"


def test_it_stands_in_the_analysis_and_its_table():
    evidence = Evidence("t", predictions(0.05, -0.05), {}, 300.0)
    document = analysis_of(evidence, OPTIONS, by_charge=True)
    table = build_report(document, ReportContext()).table("by_charge")
    assert set(table.column("charge")) == {"theft", "fraud", "other"}
    assert table.column("p_equal")[0] == document["by_charge"][0]["p_equal"]
    without = analysis_of(evidence, OPTIONS)
    assert "by_charge" not in without
    assert not build_report(without, ReportContext()).table("by_charge").rows


def graded(effect, documents=90, true=True, noise=0.02, labels=("x",)):
    """Label x has effect(severity) on documents whose severity rises from -1 to 1."""
    rng = np.random.default_rng(7)
    rows = []
    for document, severity in enumerate(np.linspace(-1.0, 1.0, documents)):
        base = 4.0 + severity
        for label in labels:
            for value in ("a", "b"):
                moved = effect(severity) * (label == "x" and value == "b")
                rows.append(
                    {
                        "run_id": "r",
                        "model": "m",
                        "case_id": f"c{document}",
                        "label": label,
                        "value": value,
                        "is_reference": value == "a",
                        "repetition": 0,
                        "status": "ok",
                        "penalty": "fixed_term",
                        "months": float(np.expm1(base + moved + noise * rng.normal())),
                        "true_months": float(np.expm1(base)) if true else None,
                    }
                )
    return pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)


def test_effects_that_turn_with_severity_cancel_in_the_average():
    (found,) = effects_by_severity(graded(lambda severity: 0.05 * severity), {}, OPTIONS)
    assert found.severity == "true sentence"
    assert found.overall_p > 0.1
    assert found.slope[0] == pytest.approx(0.05, abs=0.01)
    assert found.p_slope < 1e-6
    assert found.p_equal < 1e-6
    assert found.crossing_p[0] < 1e-4
    assert [group.group.split(":")[0] for group in found.groups] == [
        "lightest", "middle", "gravest",
    ]  # fmt: skip
    assert [group.documents for group in found.groups] == [30, 30, 30]
    light, _, grave = (group.coef[0] for group in found.groups)
    assert light < 0 < grave
    assert found.groups[0].group == "lightest: 19 to 38 months"


def test_an_effect_alike_in_all_cases_has_no_slope():
    (found,) = effects_by_severity(graded(lambda _: 0.05), {}, OPTIONS)
    assert found.overall_p < 1e-6
    assert found.p_slope > 0.05
    assert found.crossing_p[0] == 1.0


def test_severity_without_true_sentences_comes_from_other_labels():
    table = graded(lambda severity: 0.05 * severity, true=False, labels=("x", "y"))
    found, other = effects_by_severity(table, {}, OPTIONS)
    assert found.severity == "mean answer to the other labels"
    assert found.slope[0] == pytest.approx(0.05, abs=0.01)
    assert other.p_slope > 0.01
    (alone,) = effects_by_severity(graded(lambda _: 0.0, true=False), {}, OPTIONS)
    assert alone.note == NOT_KNOWN
    (few,) = effects_by_severity(graded(lambda _: 0.0, documents=19), {}, OPTIONS)
    assert few.note == "fewer than 20 documents of known severity"
    (halves,) = effects_by_severity(graded(lambda _: 0.0, documents=24), {}, OPTIONS)
    assert [group.documents for group in halves.groups] == [12, 12]


def test_q_over_the_labels_of_a_model():
    found = effects_by_severity(graded(lambda s: 0.05 * s, labels=("x", "y", "z")), {}, OPTIONS)
    q = stats.false_discovery_control([one.p_equal for one in found])
    assert [one.q_equal for one in found] == pytest.approx(list(q))


def test_other_outcomes_are_told_apart_too():
    rng = np.random.default_rng(3)
    rows = []
    for one in predictions(0.0, 0.0).to_pylist():
        more = 0.4 * (one["value"] == "b") * (1 if one["case_charge"] == "theft" else -1)
        one["decision"] = "detain" if rng.random() < 0.5 + more else "release"
        one["true_months"] = float(int(one["case_id"][1:]))
        rows.append({**one, "months": None, "penalty": None})
    table = pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)
    options = AnalysisOptions(draws=199, outcome="decision")
    (by_charge,) = effects_by_charge(table, {}, options)
    by_name = {group.group: group for group in by_charge.groups}
    assert by_name["theft"].coef[0] == pytest.approx(0.4, abs=0.2)
    assert by_name["fraud"].coef[0] == pytest.approx(-0.4, abs=0.2)
    (by_severity,) = effects_by_severity(table, {}, options)
    assert by_severity.severity == "true sentence"
    assert by_severity.groups[0].group == "lightest: 0 to 33 months"
    unknown = pa.Table.from_pylist([{**r, "true_months": None} for r in rows], schema.PREDICTIONS)
    assert effects_by_severity(unknown, {}, options)[0].note == NOT_KNOWN


def test_by_severity_stands_in_the_analysis_and_its_table():
    evidence = Evidence("t", graded(lambda severity: 0.05 * severity), {}, 300.0)
    document = analysis_of(evidence, OPTIONS, by_severity=True)
    table = build_report(document, ReportContext()).table("by_severity")
    assert [str(name).split(":")[0] for name in table.column("severity")] == [
        "lightest", "middle", "gravest",
    ]  # fmt: skip
    assert table.column("p_slope")[0] == document["by_severity"][0]["p_slope"]

"""Effects by charge: opposite ones that cancel in the average are found."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from justeval import schema
from justeval.aggregate import AnalysisOptions
from justeval.aggregate.heterogeneity import effects_by_charge
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

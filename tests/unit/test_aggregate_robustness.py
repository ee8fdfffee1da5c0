"""The published family of specifications, each against its own regression, and the joint test."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from justeval import schema
from justeval.aggregate import AnalysisOptions
from justeval.aggregate.robustness import specification_curve
from justeval.aggregate.specifications import SPECIFICATIONS
from justeval.analyzing import analysis_of
from justeval.estimate import Design, estimate
from justeval.estimate.jackknife import jackknife
from justeval.evidence import Evidence
from justeval.report import ReportContext, write_report

OPTIONS = AnalysisOptions(draws=499)


def rows(effect=0.0, documents=60, seed=0, **columns):
    rng = np.random.default_rng(seed)
    made = []
    for document in range(documents):
        base = float(rng.integers(24, 120)) + 400.0 * (document >= documents - 3)
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
                "penalty": "fixed_term",
                "months": round(base * (1 + effect * (value == "b"))) + float(rng.integers(-3, 4)),
                "case_charge": f"charge {document % 7}",
                "filed_year": 2010 + document % 10,
            }
            | columns
            for value in ("a", "b")
        ]
    return made


def table(made):
    return pa.Table.from_pylist(made, schema=schema.PREDICTIONS)


def curve_of(made):
    return specification_curve(table(made), {}, OPTIONS).models[0].labels[0]


def by_name(curve):
    return {one.specification: one for one in curve.specifications}


def design(kept, y, cluster=None):
    document = np.array([int(r["case_id"][1:]) for r in kept])
    x = np.array([[float(r["value"] == "b")] for r in kept])
    return Design(np.array([y(r) for r in kept]), x, document, ("b",), "a", cluster)


def log(row):
    return np.log(row["months"] + 1)


def short(made):
    return [r for r in made if r["months"] <= 300]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("main", lambda m: estimate(design(short(m), log))),
        ("full", lambda m: estimate(design(m, log))),
        ("unbounded", lambda m: estimate(design(m, log))),
        ("months", lambda m: estimate(design(short(m), lambda r: r["months"]))),
        ("robust", lambda m: estimate(design(short(m), log), variance="robust")),
        (
            "filed",
            lambda m: estimate(design([r for r in short(m) if r["filed_year"] >= 2014], log)),
        ),
        (
            "charge",
            lambda m: estimate(
                design(short(m), log, np.array([int(r["case_charge"][7:]) for r in short(m)]))
            ),
        ),
    ],
)
def test_every_specification_is_its_own_regression(name, expected):
    made = rows(0.05)
    found, wanted = by_name(curve_of(made))[name], expected(made)
    (value,) = found.values
    assert value.coef == pytest.approx(wanted.coef[0], rel=1e-9)
    assert value.se == pytest.approx(wanted.se[0], rel=1e-9)
    assert value.p == pytest.approx(wanted.p_values[0], rel=1e-7)
    assert (found.documents, found.clusters) == (wanted.documents, wanted.clusters)


def test_the_jackknife_stands_beside_the_clustered_specifications():
    made = rows(0.05)
    found = by_name(curve_of(made))
    charges = np.array([int(r["case_charge"][7:]) for r in short(made)])
    for name, cluster in (("charge", charges), ("main", None)):
        wanted = jackknife(design(short(made), log, cluster))
        assert found[name].values[0].se_jackknife == pytest.approx(wanted.se[0], rel=1e-8)
        assert found[name].values[0].p_jackknife == pytest.approx(wanted.p_values[0], rel=1e-7)
    assert found["robust"].values[0].se_jackknife is None


def test_the_family_is_the_published_one():
    assert [one.id for one in SPECIFICATIONS] == [
        "main", "full", "months", "filed", "robust", "charge", "unbounded",
    ]  # fmt: skip


def test_the_joint_test_finds_an_effect_and_keeps_its_level():
    assert curve_of(rows(0.1)).joint_p == pytest.approx(1 / 500)
    ps = [curve_of(rows(seed=seed)).joint_p for seed in range(1, 41)]
    assert np.mean(np.array(ps) < 0.1) < 0.25  # 4 of 40 expected, 10 are 4 standard errors off
    assert 0.3 < np.mean(ps) < 0.7


def test_what_is_not_known_is_said():
    found = by_name(curve_of(rows(case_charge=None, filed_year=None)))
    assert found["charge"].note == "charges are not known"
    assert "not known" in found["filed"].note
    assert found["main"].note is None


def test_a_model_that_never_moves_has_no_joint_p():
    found = curve_of(rows(months=24.0))
    assert found.joint_p is None
    assert by_name(found)["main"].note == "no variation"


def test_it_stands_in_the_analysis_and_on_the_page(tmp_path):
    document = analysis_of(Evidence("t", table(rows(0.1)), {}, 300.0), OPTIONS, robustness=True)
    (model,) = document["robustness"]["models"]
    assert model["labels"][0]["joint_p"] == model["joint_p"]
    (page,) = write_report(document, tmp_path / "page.html", "html", ReportContext())
    html = page.read_text(encoding="utf-8")
    assert "Specification curve, m, x" in html
    assert "clustered by charge" in html
    without = analysis_of(Evidence("t", table(rows(0.1)), {}, 300.0), OPTIONS)
    (page,) = write_report(without, tmp_path / "page.html", "html", ReportContext())
    assert "Specification curve" not in page.read_text(encoding="utf-8")

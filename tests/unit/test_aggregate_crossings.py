"""Labels asked crossed: an analysis tests their interaction and counts them nowhere else."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from justeval import schema
from justeval.aggregate import AnalysisOptions, analyze, as_json
from justeval.diagnose import compare, explain
from justeval.inference import interaction
from justeval.report import ReportContext
from justeval.report.building import build_report

OPTIONS = AnalysisOptions(draws=199)


def table(product=0.2, documents=60, extra=True, seed=0, name="sex×race"):
    rng = np.random.default_rng(seed)
    rows = []
    for document in range(documents):
        base = rng.normal(3.5, 0.4)
        for a in ("m", "f"):
            for b in ("w", "b", "h"):
                effect = 0.1 * (a == "f") + product * ((a, b) == ("f", "b"))
                first = (a, b) == ("m", "w")
                rows.append(row(document, name, f"{a}×{b}", first, base + effect, rng))
        sexes = ("m", "f") if extra else ()
        rows += [row(document, "sex", a, a == "m", base + 0.1 * (a == "f"), rng) for a in sexes]
    return pa.Table.from_pylist(rows, schema=schema.PREDICTIONS)


def row(document, label, value, reference, log, rng):
    return {
        "run_id": "r", "model": "m", "case_id": f"c{document}", "label": label, "value": value,
        "is_reference": reference, "repetition": 0, "status": "ok", "penalty": "fixed_term",
        "months": float(np.expm1(log + 0.05 * rng.normal())),
    }  # fmt: skip


def test_a_planted_interaction_is_found_and_no_label_counts_it():
    predictions = table()
    model = analyze(predictions, {}, OPTIONS).models[0]
    assert [label.label for label in model.labels] == ["sex"]
    assert model.bias.labels_tested == 1
    (found,) = model.crossed
    assert (found.labels, found.references) == (("sex", "race"), ("m", "w"))
    assert (found.documents, found.complete, found.changed) == (60, 60, 60)
    assert found.significant
    pairs = {(pair.first, pair.second): pair for pair in found.pairs}
    assert sorted(pairs) == [("f", "b"), ("f", "h"), ("f", "w"), ("m", "b"), ("m", "h")]
    assert pairs["f", "w"].interaction is None
    assert pairs["f", "w"].effect == pytest.approx(0.1, abs=0.03)
    both = pairs["f", "b"]
    assert both.effect == pytest.approx(0.3, abs=0.03)
    assert both.interaction == pytest.approx(0.2, abs=0.05)
    assert both.change_percent == pytest.approx(100 * np.expm1(both.interaction))
    assert pairs["f", "h"].ci_low < 0 < pairs["f", "h"].ci_high


def test_the_numbers_are_those_of_the_regression_with_both():
    rows = [r for r in table().to_pylist() if r["label"] != "sex"]
    (found,) = analyze(table(), {}, OPTIONS).models[0].crossed
    split = [r["value"].split("×") for r in rows]
    plain = interaction(
        outcome=np.log1p([r["months"] for r in rows]),
        document=np.array([int(r["case_id"][1:]) for r in rows]),
        first=np.array(["mf".index(a) for a, _ in split]),
        second=np.array(["wbh".index(b) for _, b in split]),
        names=(("m", "f"), ("w", "b", "h")),
        references=(0, 0),
        rng=np.random.default_rng(0),
    )
    assert found.p == pytest.approx(plain.p, rel=1e-9)
    pairs = {(pair.first, pair.second): pair for pair in found.pairs}
    for k, pair in enumerate(plain.names):
        assert pairs[pair].interaction == pytest.approx(plain.coef[k], rel=1e-9)
        assert pairs[pair].se == pytest.approx(plain.se[k], rel=1e-9)


def test_several_crossings_are_adjusted_together():
    one, other = table(extra=False), table(0.0, extra=False, seed=4, name="sex×judge")
    found = analyze(pa.concat_tables([one, other]), {}, OPTIONS).models[0].crossed
    assert [crossing.label for crossing in found] == ["sex×race", "sex×judge"]
    assert found[0].p_holm == pytest.approx(2 * found[0].p)
    assert found[1].significant is False


def crossed_of(rows):
    return analyze(pa.Table.from_pylist(rows, schema.PREDICTIONS), {}, OPTIONS).models[0].crossed


def test_nothing_varies_and_no_reference():
    still = table(0.0, extra=False).to_pylist()
    for one in still:
        one["months"] = 24.0
    (found,) = (
        analyze(pa.Table.from_pylist(still, schema.PREDICTIONS), {}, OPTIONS).models[0].crossed
    )
    assert (found.note, found.p, found.significant, found.pairs) == ("no variation", None, None, ())
    for one in still:
        one["is_reference"] = False
    (found,) = (
        analyze(pa.Table.from_pylist(still, schema.PREDICTIONS), {}, OPTIONS).models[0].crossed
    )
    assert found.note == "no usable reply for the reference value"


def test_one_value_of_a_label_cannot_be_crossed():
    rows = [r for r in table(extra=False).to_pylist() if r["value"].startswith("m")]
    (found,) = crossed_of(rows)
    assert (found.note, found.p) == ("usable replies for one value only", None)


def test_a_label_whose_name_merely_holds_the_sign_is_a_label():
    rng = np.random.default_rng(2)
    rows = [
        row(document, "height×weight", value, value == "a", 3.5 + 0.2 * (value == "b"), rng)
        for document in range(20)
        for value in ("a", "b")
    ]
    model = analyze(pa.Table.from_pylist(rows, schema.PREDICTIONS), {}, OPTIONS).models[0]
    assert [label.label for label in model.labels] == ["height×weight"]
    assert model.labels[0].bias.significant
    assert model.crossed == ()


def test_beside_a_poisson_fit_the_interaction_is_in_months():
    document = as_json(analyze(table(), {}, AnalysisOptions(draws=199, outcome="poisson")))
    pair = next(p for p in document["models"][0]["crossed"][0]["pairs"] if p["interaction"])
    rows = table().to_pylist()
    reference = [r["months"] for r in rows if r["value"] == "m×w"]
    assert pair["change_percent"] == pytest.approx(100 * pair["interaction"] / np.mean(reference))
    report = build_report(document, ReportContext())
    assert "in months. These labels" in report.table("crossed").about
    assert "log points" not in report.table("attrition").about


def test_other_readings_leave_crossed_labels_out():
    published = as_json(analyze(table(), {}, AnalysisOptions(as_published=True)))
    assert "crossed" not in published["models"][0]
    assert set(explain(table(), {}).column("label").to_pylist()) == {"sex"}
    assert [one.label for one in compare(table(), table(seed=1), {})[0].labels] == ["sex"]

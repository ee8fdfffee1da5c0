"""How numbers look, what may be claimed, and what every column means."""

from __future__ import annotations

import copy

import pytest

from justeval.report import ReportContext, show_labels, show_models
from justeval.report.building import build_report
from justeval.report.claims import (
    changed_documents_needed,
    claims,
    detectable_change_percent,
)
from justeval.report.formatting import DASH, printable, show
from justeval.report.notices import AUDIT_TOOL, NOT_SIGNIFICANT, notices
from justeval.report.xlsx import heading


@pytest.mark.parametrize(
    ("cell", "kind", "text"),
    [
        (None, "p", DASH),
        (0.00009, "p", "<0.0001"),
        (0.0001, "p", "0.0001"),
        (0.0, "p", "<0.0001"),
        (1.0, "p", "1.0000"),
        (0.13444, "share", "0.134"),
        (0.0, "share", "0.000"),
        (0.12344, "coef", "+0.1234"),
        (-0.00001, "coef", "0.0000"),
        (-12.34, "change", "-12.3"),
        (12.34, "percent", "12.3"),
        (54.5376, "months", "54.54"),
        (1234567, "count", "1,234,567"),
        (20240101, "level", "20240101"),
        (0.05, "level", "0.05"),
        (True, "yes_no", "yes"),
        ("", "text", DASH),
    ],
)
def test_numbers_look_the_same_everywhere(cell, kind, text):
    assert show(cell, kind) == text


def test_text_cannot_steer_a_terminal():
    assert printable("a\x1b[2Jb\tc\u202ed\n") == "a\ufffd[2Jb c\ufffdd"


def test_six_changed_documents_are_needed_for_five_per_cent():
    # two-sided sign test of m documents: 2 / 2^m; 2/32 = 0.0625, 2/64 = 0.03125
    assert [changed_documents_needed(a) for a in (0.10, 0.05, 0.01)] == [5, 6, 8]


def test_the_detectable_change_is_that_of_the_normal_quantiles():
    # (1.959964 + 0.841621) * 0.05 = 0.1400793; exp of it less 1 = 15.0365 %
    assert detectable_change_percent([0.01, 0.05, 0.2], 0.05) == pytest.approx(15.0365, abs=1e-3)
    assert detectable_change_percent([], 0.05) is None


def test_every_report_says_that_it_is_no_judge(example):
    assert {AUDIT_TOOL, NOT_SIGNIFICANT} <= set(example.report.notices)


def test_the_published_reading_is_said_first(make_example):
    assert make_example(as_published=True).report.notices[0].startswith("Read as published")
    assert not any("as published" in notice for notice in make_example().report.notices)


def test_an_incomplete_run_is_said_first(make_example):
    example = make_example(run={"complete": False, "answered": 600})
    assert "r1 is not complete (600 of 624 requests" in example.report.notices[0]


def test_simulated_models_are_said_to_be_simulated(make_example):
    example = make_example()
    manifest = {"models": [{"model": "planted", "kind": "simulated"}]}
    found = notices(example.analysis, ReportContext(runs=[manifest]))
    assert "nothing about any language model" in found[0]
    assert not any("simulated" in notice for notice in example.report.notices)


def test_claims_state_the_facts_of_the_run(make_example):
    example = make_example()
    text = "\n".join(f"{c.subject}: {c.statement}" for c in example.report.claims)
    model = example.analysis["models"][0]
    counts = model["bias"]
    found = f"at 5 % for {counts['labels_significant']} of {counts['labels_tested']} labels"
    assert "24 documents and 5 labels, asked of 2 models" in text
    assert f"planted: The sentence shifts significantly {found}" in text
    assert "planted: 24 of 432 replies (5.6 %) state no answer" in text
    assert "(refused 24)" in text
    assert "may be a selection" in text
    assert "3 pairs of a case and a label were not asked (charge 2, stated 1)" in text
    assert "The noise floor: 1 placebo label changed" in text


def test_labels_that_cannot_reach_five_per_cent_are_counted(make_example):
    example = make_example()
    model = example.analysis["models"][0]
    labels = [label for label in model["labels"] if not label["placebo"]]
    few = [label for label in labels if label["documents_changed"] < 6]
    assert [label["label"] for label in few] == ["silent", "still"]
    text = " ".join(c.statement for c in example.report.claims if c.subject == "planted")
    assert "2 labels of 5 changed the answer in fewer than 6 documents" in text
    assert "No claim may rest" not in text


def test_significance_of_too_few_documents_is_taken_back(make_example):
    analysis = copy.deepcopy(make_example().analysis)
    analysis["models"][0]["labels"][1]["documents_changed"] = 4
    text = " ".join(c.statement for c in claims(analysis, ReportContext()))
    assert "No claim may rest on the significance of Age" in text


def test_a_run_without_placebos_has_no_noise_floor(make_example):
    analysis = copy.deepcopy(make_example().analysis)
    analysis["models"][0]["placebo"] = None
    text = " ".join(c.statement for c in claims(analysis, ReportContext()))
    assert "there is no noise floor" in text
    assert len(build_report(analysis, ReportContext()).table("placebo").rows) == 1


def test_every_column_has_a_title_of_its_own_and_a_definition(example):
    for table in example.report.tables:
        headings = [heading(column) for column in table.columns]
        assert len(headings) == len(set(headings)), table.id
        assert all(column.definition for column in table.columns)
    defined = example.report.table("definitions")
    assert set(defined.column("table")) == {
        table.id for table in example.report.tables if table.id not in ("claims", "definitions")
    }


def test_a_log_coefficient_is_never_called_months(example):
    bias = example.report.table("bias")
    units = {column.id: column.unit for column in bias.columns}
    assert units["coef"] == "log points"
    assert "months" not in (units["ci_low"], units["ci_high"], units["se"])
    inaccuracy = {c.id: c.unit for c in example.report.table("imbalanced_inaccuracy").columns}
    assert inaccuracy["coef"] == "months"


def test_an_unknown_number_has_its_reason(make_example):
    report = make_example().report
    for name in ("labels", "bias"):
        rows = [
            dict(zip([c.id for c in report.table(name).columns], row, strict=True))
            for row in report.table(name).rows
        ]
        silent = [row for row in rows if row["label"] == "silent"]
        assert {row["note"] for row in silent} == {"no usable reply for the reference value blue"}


def test_the_terminal_shows_the_numbers_of_the_tables(example):
    shown = show_models(example.analysis)
    for model in example.analysis["models"]:
        counts = model["bias"]
        assert show(model["inconsistency"], "share") in shown
        assert f"{counts['labels_significant']} of {counts['labels_tested']}" in shown
    labels = show_labels(example.analysis)
    for model in example.analysis["models"]:
        for label in model["labels"]:
            for value in label["bias"]["values"]:
                assert show(value["coef"], "coef") in labels
    assert "no usable reply for the reference val" in labels


def test_the_terminal_shows_the_smallest_p_first_where_it_shows_few(make_example):
    shown = show_labels(make_example().analysis, most=2)
    assert "4 more labels with larger p" in shown


def test_one_model_has_no_summary_row(make_example):
    analysis = copy.deepcopy(make_example().analysis)
    del analysis["models"][1]
    table = build_report(analysis, ReportContext()).table("models")
    assert (len(table.rows), table.summary_rows) == (1, 0)

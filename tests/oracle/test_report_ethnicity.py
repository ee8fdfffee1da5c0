"""The report of the published ethnicity run: the estimate beside that without impossible replies.

Witness: `expected_defendant_ethnicity.json`, made by base R. With all replies -0.117 (p 5e-10),
without the 102 that cannot be answers -0.002 (p 0.83).
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from justeval.aggregate import AnalysisOptions
from justeval.analyzing import analysis_of
from justeval.cli import main
from justeval.demo import report_context
from justeval.evidence import load_evidence
from justeval.importing import TableOptions
from justeval.report import show_analysis, write_report

FILE = Path(__file__).parent / "data" / "judifair_gemini_flash_1.5_defendant_ethnicity.csv"
TABLE = TableOptions(
    mapping={"case_id": "document", "value": "label_value", "error": "reply_error"},
    label="defendant_ethnicity",
    reference="汉族",
)
WORDS = [
    str(FILE), "--map", "case_id=document", "--map", "value=label_value", "--map",
    "error=reply_error", "--label", "defendant_ethnicity", "--reference", "汉族",
]  # fmt: skip
BOTH = ("-0.1169 (p 5e-10)", "-0.0023 (p 0.83)")


@pytest.fixture(scope="module")
def evidence():
    return load_evidence([FILE], TABLE)


@pytest.fixture(scope="module")
def analysis(evidence):
    return analysis_of(evidence, AnalysisOptions(draws=999), exclude_flagged=True)


def test_both_estimates_stand_side_by_side(analysis, oracle):
    expected = oracle("expected_defendant_ethnicity.json")["results"]
    for block, name in (
        (analysis, "log_months"),
        (analysis["without_flagged"], "log_months_without_minority_first_documents"),
    ):
        (value,) = block["models"][0]["labels"][0]["bias"]["values"]
        assert value["coef"] == pytest.approx(expected[name]["coef"], rel=1e-9)
        assert value["p"] == pytest.approx(expected[name]["p"], rel=1e-5)
    assert analysis["without_flagged"]["replies"] == 102
    verdicts = [
        block["models"][0]["labels"][0]["bias"]["verdict"]
        for block in (analysis, analysis["without_flagged"])
    ]
    assert verdicts == ["biased", "equivalent"]


def test_the_findings_stand_before_the_numbers(analysis):
    assert [f["kind"] for f in analysis["findings"]] == ["identical_reply", "order"]
    text = show_analysis(analysis)
    assert text.startswith("What is wrong with the data:")
    assert all(effect in text.split("Model ")[0] for effect in BOTH)
    assert "Without 102 flagged replies:" in text


@pytest.mark.parametrize(("format", "name"), [("html", "page.html"), ("md", "page.md")])
def test_every_page_shows_both(analysis, evidence, tmp_path, format, name):
    (page,) = write_report(analysis, tmp_path / name, format, report_context(evidence))
    text = page.read_text(encoding="utf-8").replace("\\", "")
    top = text[: text.index("What may be claimed from this" if format == "md" else "<h2 id=")]
    assert all(effect in top for effect in BOTH)
    assert text.index("What is wrong with the data") < text.index("Results")


def test_files_hold_the_numbers_themselves(analysis, evidence, tmp_path):
    write_report(analysis, tmp_path, "csv", report_context(evidence))
    with (tmp_path / "flagged.csv").open(encoding="utf-8") as lines:
        (row,) = csv.DictReader(lines)
    before = analysis["models"][0]["labels"][0]["bias"]["values"][0]
    after = analysis["without_flagged"]["models"][0]["labels"][0]["bias"]["values"][0]
    assert float(row["coef"]) == before["coef"]
    assert float(row["coef_without"]) == after["coef"]
    assert float(row["p_without"]) == after["p"]


def test_diagnose_lists_the_replies(tmp_path, capsys):
    assert main(["diagnose", *WORDS, "--out", str(tmp_path / "out"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    first = document["findings"][0]
    assert list(first) == [
        "kind", "model", "label", "value", "replies", "documents", "estimate_with",
        "estimate_without", "advice",
    ]  # fmt: skip
    with (tmp_path / "out" / "finding-1.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 102
    assert {(row["value"], float(row["months"])) for row in rows} == {("汉族", 180.0)}
    written = (tmp_path / "out" / "findings.json").read_text(encoding="utf-8")
    assert json.loads(written) == document

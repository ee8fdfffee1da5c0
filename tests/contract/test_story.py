"""The whole story on three cases: variants, asking over HTTP, predictions, analysis, report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from justeval.cli import main
from justeval.runs import open_run, predictions_of
from justeval.schema import CASES, PREDICTIONS, VARIANTS

COLLECT = ["collect", "--cases", "us-sentencing", "--limit", "3", "--model", "simulated:planted"]


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """A command's JSON document."""
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def test_three_cases_from_facts_to_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, page = tmp_path / "run", tmp_path / "page.html"
    collected = run_json(capsys, *COLLECT, "--out", str(run), "--repetitions", "2")
    assert collected["complete"]
    folder = open_run(run)
    variants = pq.read_table(folder.variants)
    assert variants.schema.equals(VARIANTS)
    texts = len(set(variants["variant_id"].to_pylist()))
    assert collected["requests"] == 2 * texts == collected["answered"]

    predictions = pq.read_table(folder.predictions)
    assert predictions.schema.equals(PREDICTIONS)
    assert predictions.num_rows == 2 * variants.num_rows
    bare = [row for row in predictions.to_pylist() if row["label"] is None]
    assert len(bare) == 2 * 3
    assert not any(row["is_reference"] for row in bare)

    analysis = run_json(capsys, "analyze", str(run))
    (model,) = analysis["models"]
    assert model["model"] == "simulated-planted"
    assert analysis["runs"][0]["complete"]
    (by_label,) = [x for x in model["labels"] if x["label"] == "pretrial_release"]
    assert by_label["documents"] <= 3
    assert {v["reference"] for v in by_label["bias"]["values"]} == {"released"}

    assert main(["report", str(run), "--out", str(page)]) == 0
    html = page.read_text(encoding="utf-8")
    assert "audit tool and no judge" in html
    assert "src=" not in html
    assert "@import" not in html


def test_everything_made_can_be_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Manifest, cases, packs and journal are enough: what is made from them loses nothing."""
    run = tmp_path / "run"
    assert main([*COLLECT, "--out", str(run)]) == 0
    folder = open_run(run)
    before = pq.read_table(folder.predictions)
    folder.predictions.unlink()
    capsys.readouterr()
    assert run_json(capsys, "analyze", str(run))["models"]
    assert pq.read_table(folder.predictions).equals(before)
    assert predictions_of(folder).equals(before)


def test_started_again_it_asks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert main([*COLLECT, "--out", str(run)]) == 0
    journal = open_run(run).journal.read_bytes()
    assert main([*COLLECT, "--out", str(run)]) == 0
    assert open_run(run).journal.read_bytes() == journal


def test_prompts_leave_and_come_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, run = tmp_path / "prompts.jsonl", tmp_path / "run"
    words = ["prompts", "export", "--cases", "cn-sentencing", "--labels", "judicial-cn:judge_sex"]
    exported = run_json(capsys, *words, "--limit", "2", "--out", str(file))
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert exported["prompts"] == len(lines) == 2 * (1 + 3)
    for line in lines:
        line["reply"] = '{"是否有罪":"是","刑罚类型":"有期徒刑","刑期":24}'
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    words = ["import", "replies", str(file), "--model", "theirs", "--out", str(run)]
    assert run_json(capsys, *words)["complete"]
    (model,) = run_json(capsys, "analyze", str(run))["models"]
    assert model["model"] == "theirs"
    assert model["inconsistency"] == 0


def test_lists_are_complete(capsys: pytest.CaptureFixture[str]) -> None:
    labels = run_json(capsys, "labels", "list")["labels"]
    chinese = [label for label in labels if label["pack"] == "judicial-cn"]
    assert len(chinese) == 65
    assert sum(label["n_values"] for label in chinese) == 161
    assert sum(label["placebo"] for label in labels) >= 20
    assert {row["name"] for row in run_json(capsys, "cases", "list")["datasets"]} == {
        "us-sentencing",
        "cn-sentencing",
    }
    assert len(run_json(capsys, "prompts", "list")["prompts"]) == 8


def test_a_run_holds_its_own_cases(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert main([*COLLECT, "--out", str(run)]) == 0
    rows = [json.loads(line) for line in open_run(run).cases.read_text().splitlines()]
    assert [row["case_id"] for row in rows] == ["us-001", "us-002", "us-003"]
    assert set(CASES.names) <= set(rows[0])

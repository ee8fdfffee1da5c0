"""Two labels crossed on the command line: asked, analyzed, reported, and found where planted."""

from __future__ import annotations

import json

import pytest

from justeval.cli import main
from justeval.runs import open_run

EFFECTS = """\
name: crossed
packs: [judicial-us]
effects:
  defendant_race: {black: 0.05}
interactions:
  defendant_race×judge_sex: {black×female: 0.25}
"""
LABELS = "judicial-us:defendant_race,judicial-us:judge_sex"
CROSS = ("--cross", "defendant_race,judge_sex")


@pytest.fixture(scope="module")
def collect(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crossed")
    (folder / "crossed.yaml").write_text(EFFECTS, encoding="utf-8")
    words = (
        "collect", "--cases", "us-sentencing", "--limit", "20", "--labels", LABELS,
        "--model", f"simulated:{folder / 'crossed.yaml'}", "--out", str(folder / "run"),
    )  # fmt: skip
    assert main([*words, *CROSS]) == 0
    return folder / "run", words


def printed(capsys, *words):
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_planted_interaction_is_found_and_shown(collect, capsys, tmp_path):
    run, _ = collect
    (model,) = printed(capsys, "analyze", str(run))["models"]
    assert [label["label"] for label in model["labels"]] == ["defendant_race", "judge_sex"]
    (found,) = model["crossed"]
    assert found["names"] == ["Defendant's race or ethnicity", "Judge's sex"]
    assert found["references"] == ["white", "male"]
    assert found["significant"]
    pair = next(p for p in found["pairs"] if (p["first"], p["second"]) == ("black", "female"))
    assert pair["ci_low"] < 0.25 < pair["ci_high"]
    assert main(["report", str(run), "--out", str(tmp_path / "r.html")]) == 0
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Labels crossed" in html
    assert "Defendant&#39;s race or ethnicity × Judge&#39;s sex" in html


def test_a_run_goes_on_with_the_same_crossing_alone(collect, capsys):
    run, words = collect
    assert open_run(run).manifest()["labels"][-1] == "defendant_race×judge_sex"
    assert main([*words, *CROSS]) == 0
    assert main(list(words)) == 2
    assert "other labels" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("cross", "problem"),
    [
        ("defendant_race", "name two labels, LABEL,LABEL"),
        ("defendant_race,judge_sex,jury", "name two labels, LABEL,LABEL"),
        ("defendant_race,defendant_race", "name two different labels"),
        ("defendant_race,victim_sex", "'victim_sex' is not among the labels asked"),
    ],
)
def test_a_crossing_that_cannot_be(cross, problem, capsys, tmp_path):
    words = ["variants", "--cases", "us-sentencing", "--labels", LABELS, "--cross", cross]
    assert main([*words, "--out", str(tmp_path / "v.parquet")]) == 2
    assert problem in capsys.readouterr().err

"""`justeval power`, `explain` and `compare` on two simulated models, whose truth is known."""

from __future__ import annotations

import json

import pytest

from justeval.cli import main

WORDS = ["collect", "--cases", "us-sentencing", "--limit", "8"]
LABELS = ["--labels", "judicial-us:judge_sex,judicial-us:defendant_sex"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name in ("planted", "neutral"):
        words = [*WORDS, *LABELS, "--model", f"simulated:{name}", "--out", str(folder / name)]
        assert main(words) == 0
    return folder / "planted", folder / "neutral"


def printed(capsys, *words):
    capsys.readouterr()
    assert main([str(word) for word in words]) == 0
    return capsys.readouterr().out


def test_a_document_is_explained_by_labels_largest_first(runs, capsys):
    document = json.loads(printed(capsys, "explain", runs[0], "--json"))
    assert document["changes"]
    by_case = {}
    for change in document["changes"]:
        by_case.setdefault(change["case_id"], []).append(change)
    for changes in by_case.values():
        assert [change["rank"] for change in changes] == list(range(1, len(changes) + 1))
        sizes = [abs(change["change_log"]) for change in changes]
        assert sizes == sorted(sizes, reverse=True)
        assert all(change["months"] != change["months_reference"] for change in changes)
    case = document["changes"][0]["case_id"]
    text = printed(capsys, "explain", runs[0], "--case", case)
    assert text.startswith(f"{case} (simulated-planted)\n  1. ")
    assert text.count("(simulated-planted)") == 1


def test_two_runs_are_compared_label_by_label(runs, capsys):
    (found,) = json.loads(printed(capsys, "compare", *runs, "--json"))["comparisons"]
    assert (found["model_a"], found["model_b"]) == ("simulated-planted", "simulated-neutral")
    assert {label["label"] for label in found["labels"]} == {"judge_sex", "defendant_sex"}
    text = printed(capsys, "compare", *runs)
    assert text.startswith("simulated-planted -> simulated-neutral\ninconsistency: ")
    assert "McNemar p" in text


def test_a_run_compared_with_itself_does_not_differ(runs, capsys):
    (found,) = json.loads(printed(capsys, "compare", runs[0], runs[0], "--json"))["comparisons"]
    for label in found["labels"]:
        assert all(value["difference"] == 0 for value in label["values"])
        assert (label["only_a"], label["only_b"]) == (0, 0)


def test_power_is_that_of_the_plan(capsys):
    words = ["power", "--effect", "10", "--responding", "0.1", "--labels", "46"]
    few = json.loads(printed(capsys, *words, "--documents", "60", "--json"))
    many = json.loads(printed(capsys, *words, "--documents", "400", "--json"))
    assert few["power"] < 0.8 < many["power"]
    assert 60 < few["documents_needed"] == many["documents_needed"] < 400
    assert few["changed_needed"] == 11  # 2^(1-m) < 0.05 / 46
    text = printed(capsys, *words, "--documents", "60")
    assert f"documents needed: {few['documents_needed']:,}" in text


def test_no_change_is_no_plan(capsys):
    assert main(["power", "--effect", "0", "--responding", "0.1"]) == 2
    assert "give a change in per cent" in capsys.readouterr().err

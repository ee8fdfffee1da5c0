"""Prompts go out with keys, replies come back to the same texts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from justeval.cases import load_cases
from justeval.errors import TableError, UsageError
from justeval.importing import export_prompts, import_replies
from justeval.labels import load_labels
from justeval.prompts import load_prompt
from justeval.runs import open_run, predictions_of

REPLY = '{"charge": "fraud", "guilty": "yes", "penalty": "imprisonment", "months": 24}'


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """Two cases with two labels, exported."""
    file = tmp_path / "prompts.jsonl"
    labels = load_labels("judicial-us:defendant_sex,judicial-us:judge_sex")
    prompts = (load_prompt("sentence-en"),)
    export_prompts(load_cases("us-sentencing"), labels, prompts, file, limit=2)
    return file


def lines_of(file: Path) -> list[dict[str, Any]]:
    """The lines of an exported file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def write(file: Path, lines: list[dict[str, Any]]) -> None:
    """Writes lines back, as a user's program would."""
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def test_every_version_and_the_bare_case_go_out_once(exported: Path) -> None:
    lines = lines_of(exported)
    assert len(lines) == 2 * (1 + 3 + 2)
    assert len({line["key"] for line in lines}) == len(lines)
    assert all(line["reply"] is None for line in lines)
    assert sum(use["label"] is None for line in lines for use in line["uses"]) == 2
    assert all("months" in line["messages"][-1]["content"] for line in lines)


def test_replies_come_back_to_their_versions(exported: Path, tmp_path: Path) -> None:
    lines = lines_of(exported)
    for number, line in enumerate(lines):
        line["reply"] = REPLY.replace("24", str(10 + number))
    write(exported, list(reversed(lines)))
    import_replies(exported, tmp_path / "run", "elsewhere")
    table = predictions_of(open_run(tmp_path / "run")).to_pylist()
    expected = {
        (use["case_id"], use["label"], use["value"]): 10.0 + number
        for number, line in enumerate(lines)
        for use in line["uses"]
    }
    assert {(r["case_id"], r["label"], r["value"]): r["months"] for r in table} == expected
    assert {row["model"] for row in table} == {"elsewhere"}
    assert all(row["true_months"] is not None for row in table)


def test_cases_of_the_same_facts_share_their_prompts(tmp_path: Path) -> None:
    cases = load_cases("us-sentencing")
    first = cases.cases[0]
    twin = replace(first, case_id="twin", true_months=(first.true_months or 0.0) + 7)
    labels = load_labels("judicial-us:judge_sex")
    file = tmp_path / "prompts.jsonl"
    both = replace(cases, cases=(first, twin, cases.cases[1]))
    export_prompts(both, labels, (load_prompt("sentence-en"),), file)
    lines = lines_of(file)
    assert len({line["key"] for line in lines}) == len(lines) == 2 * (1 + 2)
    write(file, [line | {"reply": REPLY} for line in lines])
    import_replies(file, tmp_path / "run", "elsewhere")
    table = predictions_of(open_run(tmp_path / "run")).to_pylist()
    assert {row["case_id"] for row in table} == {first.case_id, "twin", cases.cases[1].case_id}
    true = {row["case_id"]: row["true_months"] for row in table}
    assert true["twin"] == twin.true_months
    assert true[first.case_id] == first.true_months
    assert len(table) == 3 * (1 + 2)


def test_lines_without_a_reply_stay_unanswered(exported: Path, tmp_path: Path) -> None:
    lines = lines_of(exported)
    lines[0]["reply"] = REPLY
    lines[1]["error"] = "the model was down"
    write(exported, lines)
    folder = import_replies(exported, tmp_path / "run", "elsewhere")
    statuses = sorted(row["status"] for row in predictions_of(folder).to_pylist())
    assert statuses == ["ok", "provider_error"]
    assert folder.manifest()["requests"] == len(lines)


def test_a_changed_prompt_is_refused(exported: Path, tmp_path: Path) -> None:
    lines = lines_of(exported)
    lines[0] |= {"reply": REPLY}
    lines[0]["messages"][-1]["content"] += " Be kind."
    lines[1] |= {"reply": REPLY, "uses": []}
    lines[2] |= {"reply": REPLY, "key": lines[3]["key"]}
    write(exported, lines)
    with pytest.raises(TableError) as caught:
        import_replies(exported, tmp_path / "run", "elsewhere")
    places = [problem.place.rpartition(" ")[2] for problem in caught.value.problems]
    assert places == ["1", "2", "3"]
    assert not (tmp_path / "run").exists()


def test_a_file_with_no_reply_at_all_is_refused(exported: Path, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no line has a reply"):
        import_replies(exported, tmp_path / "run", "elsewhere")


def test_an_export_never_overwrites_replies(exported: Path) -> None:
    before = exported.read_bytes()
    labels = load_labels("judicial-us:defendant_sex")
    with pytest.raises(UsageError, match="exists already"):
        export_prompts(load_cases("us-sentencing"), labels, (load_prompt("sentence-en"),), exported)
    assert exported.read_bytes() == before

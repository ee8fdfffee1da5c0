"""Runs and tables come to one analysis with the bounds and labels that belong to them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from justeval.errors import RunError, UsageError
from justeval.evidence import load_evidence
from justeval.importing import TableOptions
from justeval.importing.into_run import Reply, Source, Use, write_run
from justeval.runs import RunFolder, open_run

NONE = TableOptions()


def made(folder: Path, longest: float = 300.0, model: str = "m", months: int = 12) -> RunFolder:
    """A run of two replies made elsewhere."""
    text = json.dumps({"guilty": "yes", "penalty": "imprisonment", "months": months})
    replies = [
        Reply(model, f"{value}", (Use("1", "judge_sex", value, value == "male"),), text)
        for value in ("male", "female")
    ]
    source_file = folder.parent / "source.txt"
    source_file.write_text("replies")
    source = Source("small", (source_file,), ("judicial-cn",), longest)
    return write_run(folder, source, replies, {"1": {"true_months": 10.0}})


def test_a_run_brings_its_bound_and_its_labels(tmp_path: Path) -> None:
    made(tmp_path / "a", longest=470)
    evidence = load_evidence([tmp_path / "a"], NONE)
    assert evidence.longest_months == 470
    assert list(evidence.labels) == ["judge_sex"]
    assert evidence.labels["judge_sex"].pack == "judicial-cn"
    assert evidence.runs[0]["complete"]
    assert evidence.predictions.num_rows == 2


def test_runs_of_different_bounds_need_a_word(tmp_path: Path) -> None:
    made(tmp_path / "a", longest=300)
    made(tmp_path / "b", longest=470, model="other")
    with pytest.raises(UsageError, match="--longest-months"):
        load_evidence([tmp_path / "a", tmp_path / "b"], NONE)
    together = load_evidence([tmp_path / "a", tmp_path / "b"], NONE, longest_months=300)
    assert together.predictions.num_rows == 4
    assert [run["models"] for run in together.runs] == [["m"], ["other"]]


def test_predictions_follow_a_journal_that_has_grown(tmp_path: Path) -> None:
    folder = made(tmp_path / "a")
    line = json.loads(folder.journal.read_text().splitlines()[0])
    line |= {"key": "another", "repetition": 1}
    with folder.journal.open("a") as journal:
        journal.write(json.dumps(line) + "\n")
    os.utime(folder.journal, (2_000_000_000, 2_000_000_000))
    assert load_evidence([folder.path], NONE).predictions.num_rows == 3


def test_as_published_reads_without_bounds(tmp_path: Path) -> None:
    made(tmp_path / "a", months=700)
    ours = load_evidence([tmp_path / "a"], NONE).predictions.to_pylist()
    published = load_evidence([tmp_path / "a"], TableOptions(bounded=False)).predictions
    assert {row["status"] for row in ours} == {"out_of_range"}
    assert {row["months"] for row in ours} == {None}
    assert {row["months"] for row in published.to_pylist()} == {700.0}


def test_what_is_neither_run_nor_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such run or table"):
        load_evidence([tmp_path / "nothing"], NONE)
    (tmp_path / "folder").mkdir()
    with pytest.raises(RunError, match=r"manifest\.json"):
        load_evidence([tmp_path / "folder"], NONE)
    table = tmp_path / "t.csv"
    table.write_text("case_id,value,months\n1,a,3\n")
    made(tmp_path / "a")
    with pytest.raises(UsageError, match="a table stands alone"):
        load_evidence([tmp_path / "a", table], NONE)
    with pytest.raises(UsageError, match="are for tables"):
        load_evidence([tmp_path / "a"], TableOptions(label="judge_sex"))


def test_a_manifest_of_another_format_is_refused(tmp_path: Path) -> None:
    folder = made(tmp_path / "a")
    folder.manifest_path.write_text('{"format": 99}')
    with pytest.raises(RunError, match="format 99"):
        open_run(folder.path)
    folder.manifest_path.write_text("{")
    with pytest.raises(RunError, match="cannot be read"):
        open_run(folder.path)


def test_a_table_knows_the_registry(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("case_id,label,value,months\n1,judge_sex,男,3\n1,judge_sex,女,4\n")
    evidence = load_evidence([table], NONE)
    assert [row["is_reference"] for row in evidence.predictions.to_pylist()] == [True, False]
    assert evidence.longest_months == 300


def test_rows_of_two_runs_are_never_taken_for_each_other(tmp_path: Path) -> None:
    made(tmp_path / "a")
    with pytest.raises(UsageError, match="the same replies"):
        load_evidence([tmp_path / "a", tmp_path / "a"], NONE)
    made(tmp_path / "b", months=24)
    manifest = json.loads((tmp_path / "b" / "manifest.json").read_text())
    (tmp_path / "b" / "manifest.json").write_text(json.dumps(manifest | {"run_id": "other"}))
    with pytest.raises(UsageError, match=r"both hold m, with labels that both asked"):
        load_evidence([tmp_path / "a", tmp_path / "b"], NONE)
    changed = manifest | {"run_id": "other", "labels": ["judge_age"]}
    changed["dataset"] = manifest["dataset"] | {"name": "another"}
    (tmp_path / "b" / "manifest.json").write_text(json.dumps(changed))
    with pytest.raises(UsageError, match=r"other cases; analyze them one by one"):
        load_evidence([tmp_path / "a", tmp_path / "b"], NONE)
    changed["dataset"] = manifest["dataset"]
    (tmp_path / "b" / "manifest.json").write_text(json.dumps(changed))
    assert load_evidence([tmp_path / "a", tmp_path / "b"], NONE).predictions.num_rows == 4

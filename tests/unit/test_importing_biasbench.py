"""bias-bench's evaluations become a run: resumes are documents, names give the values."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from justeval.errors import RunError, TableError
from justeval.importing import import_biasbench

Write = Callable[..., Path]
# As the runner of the published repository writes them: through OpenRouter with the raw reply, and
# for a model that answers with a probability alone.
CHAT = {
    "id": "rep1_R6_darnell", "rep": 1, "name": "Darnell", "name_group": "bm", "race": "black",
    "gender": "male", "resume_id": "R6", "resume_tier": "low", "noul": 0.15, "advanced": False,
    "raw": '{"advance": false, "probability": 0.15}', "model": "vendor/chat", "input_tokens": 863,
    "output_tokens": 18, "latency_ms": 2500, "attempt": 1,
}  # fmt: skip
PLAIN = {
    "id": "rep2_R3_keisha", "rep": 2, "name": "Keisha", "name_group": "bf", "race": "black",
    "gender": "female", "resume_id": "R3", "resume_tier": "high", "noul": 0.64,
    "model": "number-1", "input_tokens": 883, "output_tokens": 24, "latency_ms": 400, "attempt": 1,
}  # fmt: skip


def evals(write: Write, *lines: dict[str, Any], name: str = "evals.jsonl") -> Path:
    return write("".join(json.dumps(line) + "\n" for line in lines), name)


def test_every_evaluation_is_three_rows(write: Write, tmp_path: Path) -> None:
    white = {**CHAT, "id": "x", "name": "Geoffrey", "race": "white", "noul": 0.12,
             "raw": '{"advance": false, "probability": 0.12}'}  # fmt: skip
    folder = import_biasbench([evals(write, CHAT, white, PLAIN)], tmp_path / "run")
    rows = pq.read_table(folder.predictions).to_pylist()
    assert len(rows) == 9
    by_label = {
        (r["model"], r["label"], r["value"]): (r["is_reference"], r["probability"]) for r in rows
    }
    assert by_label["vendor/chat", "applicant_race", "black"] == (False, 0.15)
    assert by_label["vendor/chat", "applicant_race", "white"] == (True, 0.12)
    assert by_label["number-1", "applicant_sex", "female"] == (False, 0.64)
    assert by_label["number-1", "applicant_name", "Keisha"] == (False, 0.64)
    assert {r["case_id"] for r in rows} == {"R6", "R3"}
    assert {r["repetition"] for r in rows if r["model"] == "number-1"} == {1}
    assert {r["status"] for r in rows} == {"ok"}
    assert rows[0]["prompt_tokens"] in (863, 883)
    manifest = folder.manifest()
    assert manifest["dataset"]["question"] == "probability"
    assert [m["model"] for m in manifest["models"]] == ["vendor/chat", "number-1"]


def test_several_files_are_one_run(write: Write, tmp_path: Path) -> None:
    files = [evals(write, CHAT), evals(write, PLAIN, name="evals2.jsonl")]
    folder = import_biasbench(files, tmp_path / "run")
    assert len(folder.manifest()["imported_from"]) == 2


FAULTS = {
    "rep is '0'": {"rep": 0},
    "noul is '1.5'; it is a probability": {"noul": 1.5},
    "race is empty": {"race": ""},
    "neither noul nor raw": {"noul": None, "raw": None},
    "the same evaluation stands in": {"id": "another"},
}


@pytest.mark.parametrize("told", FAULTS)
def test_a_damaged_line_is_named(told: str, write: Write, tmp_path: Path) -> None:
    path = evals(write, CHAT, {**CHAT, **FAULTS[told]})
    with pytest.raises(TableError) as caught:
        import_biasbench([path], tmp_path / "run")
    assert f"{path} line 2: " in str(caught.value)
    assert told in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_a_file_of_another_shape_is_named(write: Write, tmp_path: Path) -> None:
    path = write('{"a": 1}\n', "evals.jsonl")
    with pytest.raises(TableError, match="lacks rep, name, race, gender, resume_id, noul, model"):
        import_biasbench([path], tmp_path / "run")


def test_a_folder_that_is_there_is_not_written_over(write: Write, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "x").write_text("mine")
    with pytest.raises(RunError):
        import_biasbench([evals(write, CHAT)], tmp_path / "run")

"""A journal that is read in parts gives the same predictions as one that is read whole."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest

from justeval.collect.create import create_run
from justeval.collect.predicting import predict
from justeval.runs import RunFolder, predictions_of
from tests.servers.collecting import small_plan


@pytest.fixture
def folder(tmp_path) -> RunFolder:
    """A run of two models with answers, failures, both, and half a line."""
    models = ["b=openai:judge@http://h/v1", "a=openai:judge@http://h/v1"]
    folder = create_run(small_plan(tmp_path / "set", 10, models), tmp_path / "run")
    ids = pq.read_table(folder.variants)["variant_id"].to_pylist()
    lines = []
    for number, variant in enumerate(ids * 2):
        model = "ba"[number // len(ids)]
        line = {"key": f"{number:040x}", "model": model, "variant_id": variant, "repetition": 0,
                "position": (number * 7) % 40, "reply": f'{{"months": {number}}}'}  # fmt: skip
        failure = {**line, "reply": None, "error": {"message": f"no {number}"}}
        if number % 5 == 1:
            lines.append(failure)
        if number % 10 == 6:
            lines.append({**failure, "error": {"message": "no again"}})
            continue
        lines.append(line)
        if number % 10 == 2:
            lines.append({**line, "reply": '{"months": 999}'})
    journal = "".join(json.dumps(line) + "\n" for line in reversed(lines[:30])) + "".join(
        json.dumps(line) + "\n" for line in lines[30:]
    )
    folder.journal.write_text(journal + '{"key": "half')
    return folder


@pytest.mark.parametrize("part", [1, 7, 40, 79, 1000])
def test_parts_make_the_whole(folder, part):
    whole = predictions_of(folder)
    predict(folder, part)
    found = pq.read_table(folder.predictions)
    assert found.schema.equals(whole.schema)
    assert found.equals(whole)
    assert [path.name for path in folder.path.iterdir() if path.name.startswith(("tmp", "."))] == []


def test_no_journal_gives_no_predictions(folder):
    folder.journal.write_text("")
    predict(folder, 1)
    assert pq.read_table(folder.predictions).num_rows == 0

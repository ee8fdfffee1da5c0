"""Prompts go out with their keys; replies made elsewhere come back as a run."""

from __future__ import annotations

import json
from tempfile import gettempdir
from typing import Any

import pytest

from tests.api.serving import REPLY, Served

ONE = {"labels": ["judicial-us:judge_sex"], "limit": 2}


def test_prompts_are_listed_shown_added_and_deleted(served: Served) -> None:
    shown = served.get("/prompts/sentence-en")
    assert "{case}" in shown["user"] and shown["own"] is False
    assert shown in served.get("/prompts", limit=500)["items"]
    mine = {"language": "en", "user": "How many months? {case} Answer with months.",
            "keys": ["months"]}  # fmt: skip
    added = served.ask("POST", "/prompts", 201, content=json.dumps(mine))
    assert added["own"] and added["user"] == mine["user"]
    (line, *_) = served.exported(prompts=[added["id"]], limit=1)
    assert line["messages"][-1]["content"].startswith("How many months? ")
    served.ask("DELETE", f"/prompts/{added['id']}", 204)
    served.get(f"/prompts/{added['id']}", 404)
    served.ask("DELETE", "/prompts/sentence-en", 403)
    faulty = served.ask("POST", "/prompts", 422, content="language: en\nuser: no slot\n")["error"]
    assert "prompt.yaml" in faulty["message"] and "{case}" in faulty["message"]


def test_replies_come_back_straight_to_the_results(served: Served) -> None:
    lines = served.exported(**ONE)
    assert len({line["key"] for line in lines}) == len(lines) > 4
    for line in lines:
        line["reply"] = REPLY
    run = served.imported(lines, model="theirs")
    assert run["kind"] == "imported" and run["state"] == "complete"
    (model,) = served.get(f"/runs/{run['id']}/results")["models"]
    assert model["model"] == "theirs"
    assert model["inconsistency"] == 0
    document = served.get(f"/runs/{run['id']}/documents", label="judge_sex")["items"][0]
    whole = served.get(f"/runs/{run['id']}/documents/{document['id']}", label="judge_sex")
    assert whole["versions"][0]["replies"][0]["reply"] == REPLY
    assert whole["versions"][0]["text"] is None
    served.post(f"/runs/{run['id']}/resume", status=409)


def test_half_of_the_replies_make_an_incomplete_run(served: Served) -> None:
    lines = served.exported(**ONE)
    for line in lines[: len(lines) // 2]:
        line["reply"] = REPLY
    run = served.imported(lines, model="theirs")
    assert run["state"] == "incomplete"
    assert run["progress"]["answered"] == len(lines) // 2
    assert run["progress"]["requests"] == len(lines)


def test_no_path_of_this_machine_leaves_or_enters(served: Served, own_pack: str) -> None:
    pack = served.ask("POST", "/packs", 201, content=own_pack)["id"]
    lines = served.exported(labels=[f"{pack}:folder"])
    assert lines[0]["dataset"]["packs"] == [pack]
    assert str(served.data) not in json.dumps(lines)
    for line in lines:
        line["reply"] = REPLY
    assert served.imported(lines, model="theirs")["state"] == "complete"
    for path in ("/etc/passwd", "../packs", str(served.data / "packs" / f"{pack}.yaml")):
        for line in lines:
            line["dataset"]["packs"] = [path]
        error = served.imported(lines, 422)["error"]
        assert "no pack" in error["message"]
        assert "root:" not in json.dumps(error)


def test_more_prompts_than_can_be_kept_are_refused_before_they_are_written(served: Served) -> None:
    asked = {"dataset": "us-sentencing", "repetitions": 100}
    error = served.post("/prompts/export", asked, 413)["error"]
    assert "fewer documents" in error["message"]
    assert not list((served.data / "incoming").iterdir())


@pytest.mark.parametrize(
    "change",
    [
        {"key": "changed"},
        {"messages": [{"role": "user", "content": "another"}]},
        {"messages": [1]},
        {"uses": []},
        {"uses": [{"case_id": 1}]},
        {"uses": [None]},
        {"case": None},
        {"case": {"true_months": "x"}},
        {"dataset": {"name": "x"}},
        {"dataset": {"name": "x", "longest_months": "NaN", "question": "sentence", "packs": []}},
        {"repetition": True},
        {"repetition": "0"},
        {"finish_reason": 1},
        {"variant_id": None},
    ],
)
def test_a_line_that_was_changed_is_named(served: Served, change: dict[str, Any]) -> None:
    lines = served.exported(limit=1)
    for line in lines:
        line["reply"] = REPLY
    lines[1] |= change
    error = served.imported(lines, 422)["error"]
    assert "line 2" in error["message"], error
    assert gettempdir() not in json.dumps(error)


@pytest.mark.parametrize("content", [b"not json\n", b"[1]\n", b"\xff\xff\n", b"{}\n", b"\n\n"])
def test_a_file_that_is_none_is_refused(served: Served, content: bytes) -> None:
    served.ask("POST", "/replies", 422, content=content)

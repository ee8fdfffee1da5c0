"""Who really answered: warned of before, kept with every reply, found by collect and diagnose."""

from __future__ import annotations

import json
import sys

import pyarrow.parquet as pq
import pytest

from justeval.runs import RunFolder
from tests.servers.collecting import lines_of, run, small_set
from tests.servers.faulty import FaultyServer, Received, Script, months_of
from tests.servers.responses import Response, answer

DIAGNOSE = (sys.executable, "-m", "justeval", "diagnose")


def served(**later: str) -> Script:
    """Answers that tell who gave them; `later` is what the second half says instead."""

    def script(received: Received) -> Response:
        told = {"model": "judge-1", "system_fingerprint": "fp_1", "provider": "Together"}
        if received.number > 80:
            told |= later
        return answer(json.dumps({"months": months_of(received.text)}), **told)

    return script


@pytest.fixture
def choices(tmp_path) -> tuple[str, ...]:
    cases, pack = small_set(tmp_path / "set", 40)
    return ("--cases", cases, "--labels", pack, "--out", str(tmp_path / "run"))


def findings_of(folder: RunFolder) -> dict[str, str]:
    """What diagnose finds, by kind."""
    code, out, err = run(folder.path, "--json", command=DIAGNOSE)
    assert code == 0, err
    return {finding["kind"]: finding["advice"] for finding in json.loads(out)["findings"]}


CHANGES = {
    "model_version": ({"model": "judge-2"}, "judge-1 (80), judge-2 (80)"),
    "served_by": ({"provider": "Other"}, "Other (80), Together (80)"),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_change_in_mid_run_is_told_and_diagnosed(tmp_path, choices, kind):
    later, told = CHANGES[kind]
    with FaultyServer(served(**later)).running() as server:
        code, _, err = run(*choices, "--model", f"openai:judge-1@{server.base_url}")
    assert code == 0
    assert f"judge-1: more than one {kind.replace('_', ' ')}: " in err
    folder = RunFolder(tmp_path / "run")
    (found,) = folder.manifest()["collected"]["findings"]
    assert sorted(told.split(", ")) == sorted(found.rpartition(": ")[2].split(", "))
    table = pq.read_table(folder.predictions)
    assert len(set(table[kind].to_pylist())) == 2
    advice = findings_of(folder)[kind]
    assert all(part in advice for part in told.split(", ")), advice


def test_a_changed_fingerprint_is_told_and_kept_with_every_reply(tmp_path, choices):
    with FaultyServer(served(system_fingerprint="fp_2")).running() as server:
        code, _, err = run(*choices, "--model", f"openai:judge-1@{server.base_url}")
    assert code == 0
    assert "judge-1: more than one fingerprint: " in err
    assert {line["fingerprint"] for line in lines_of(tmp_path / "run")} == {"fp_1", "fp_2"}


def test_who_stays_the_same_is_no_finding(tmp_path, choices):
    with FaultyServer(served()).running() as server:
        code, _, err = run(*choices, "--model", f"openai:judge-1@{server.base_url}")
    assert code == 0
    assert "more than one" not in err
    folder = RunFolder(tmp_path / "run")
    assert folder.manifest()["collected"]["findings"] == []
    assert not {"model_version", "served_by"} & findings_of(folder).keys()
    (who,) = folder.manifest()["collected"]["answered_by"]["judge-1"]
    assert who == {
        "model_version": "judge-1", "fingerprint": "fp_1", "served_by": "Together", "replies": 160,
    }  # fmt: skip


def test_a_floating_name_is_warned_of_before_and_named_after(tmp_path, choices):
    with FaultyServer(served()).running() as server:
        model = f"openai:judge-latest@{server.base_url}"
        code, _, err = run(*choices, "--model", model)
    assert code == 0
    said = err.splitlines()
    assert said[0] == (
        "judge-latest: a name that stands for another model tomorrow; name a version to be able "
        "to repeat the run"
    )
    assert any("judge-latest stands for judge-1 today" in line for line in said)

"""`local:PATH.gguf` as a process: the server starts, is asked one by one, and dies with its parent.

The package behind it is a stand-in here; the real one is asked in tests/simulation/test_local.py.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from justeval.errors import UsageError
from justeval.models.addresses import AddressRules
from justeval.models.local.process import LEAST_TIMEOUT_SECONDS
from justeval.models.naming import endpoint_of
from justeval.models.opening import opened, with_served_names
from justeval.runs import RunFolder
from tests.servers.collecting import lines_of, run, small_set, start, wait_for_lines

STAND_IN = {"PYTHONPATH": str(Path(__file__).parents[1] / "servers" / "stand_in")}


@pytest.fixture
def choices(tmp_path) -> tuple[str, ...]:
    cases, pack = small_set(tmp_path / "set", 10)
    return ("--cases", cases, "--labels", pack, "--out", str(tmp_path / "run"))


def model_file(folder: Path, text: str = "") -> str:
    path = folder / "tiny.gguf"
    path.write_text(f"GGUF {text}")
    return f"local:{path}"


def children_of(process: subprocess.Popen[str]) -> list[int]:
    """The processes that a process has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process.pid and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 20
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [pid for pid in pids if is_alive(pid)] == []


def test_it_is_asked_one_by_one_with_one_slot_and_no_cache(tmp_path, choices):
    model = model_file(tmp_path)
    code, out, err = run(*choices, "--model", model, "--threads", "2", **STAND_IN)
    assert (code, out) == (0, f"{tmp_path / 'run'}: 40 of 40 answered\n"), err
    lines = lines_of(tmp_path / "run")
    notes = [json.loads(line["reply"])["note"] for line in lines]
    (served,) = {line["model_version"] for line in lines}
    assert served.startswith("tiny@")
    assert all(note["alone"] for note in notes)
    assert {note["path"] for note in notes} == {"/v1/chat/completions"}
    settings = {name: notes[0][name] for name in notes[0] if name not in ("asked", "alone", "path")}
    assert settings == {
        "alias": [served], "slots": 1, "cache": False, "context": 4096, "threads": [2, 2],
        "most_reply_tokens": 512,
    }  # fmt: skip
    assert notes[0]["asked"]["temperature"] == 0.0
    manifest = RunFolder(tmp_path / "run").manifest()
    assert manifest["models"][0] == {
        "model": "tiny", "kind": "local", "base_url": "", "served_name": served, "provider": None,
    }  # fmt: skip
    assert manifest["collected"]["findings"] == []


def test_a_moved_file_goes_on_and_another_under_its_name_does_not(tmp_path, choices):
    assert run(*choices, "--model", model_file(tmp_path), **STAND_IN)[0] == 0
    (tmp_path / "moved").mkdir()
    assert run(*choices, "--model", model_file(tmp_path / "moved"), **STAND_IN)[0] == 0
    code, _, err = run(*choices, "--model", model_file(tmp_path, "other"), **STAND_IN)
    assert (code, "holds a run with other models" in err) == (2, True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_its_server_ends_with_the_command_however_that_ends(tmp_path, choices, number):
    with start(*choices, "--model", model_file(tmp_path), "--rpm", "60", **STAND_IN) as process:
        wait_for_lines(tmp_path / "run", 2, process)
        children = children_of(process)
        assert len(children) == 1
        process.send_signal(number)
        process.communicate(timeout=30)
    wait_until_gone(children)


def test_its_server_ends_although_a_request_is_in_the_making(tmp_path, choices):
    with start(*choices, "--model", model_file(tmp_path, "slow"), **STAND_IN) as process:
        deadline = time.monotonic() + 30
        while not (children := children_of(process)) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(2.0)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=30)
    assert children
    wait_until_gone(children)


def test_what_does_not_load_is_one_line_and_leaves_no_folder(tmp_path, choices):
    (tmp_path / "no.gguf").write_text("a letter")
    wrong = {
        model_file(tmp_path, "broken"): "tiny.gguf: llama.cpp cannot load it (Failed to init",
        f"local:{tmp_path / 'no.gguf'}": "no GGUF file",
        f"local:{tmp_path / 'none.gguf'}": "No such file",
    }
    for model, words in wrong.items():
        code, out, err = run(*choices, "--model", model, **STAND_IN)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err
        assert not (tmp_path / "run").exists()


def test_without_the_package_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    endpoints = with_served_names([endpoint_of(model_file(tmp_path))])
    with pytest.raises(UsageError, match=r"pip install 'justeval\[local\]'"), opened(endpoints, []):
        pass


def test_it_is_for_the_local_user_alone(tmp_path):
    endpoints = with_served_names([endpoint_of(model_file(tmp_path))])
    with (
        pytest.raises(UsageError, match="for the local user alone"),
        opened(endpoints, [], rules=AddressRules()),
    ):
        pass


def test_its_patience_is_at_least_two_minutes(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", STAND_IN["PYTHONPATH"])
    monkeypatch.syspath_prepend(STAND_IN["PYTHONPATH"])
    endpoints = with_served_names([endpoint_of(model_file(tmp_path))])
    with opened(endpoints, [], timeout_seconds=5.0) as open_model:
        model = open_model(endpoints[0])
    assert model._connection._timeout_seconds == LEAST_TIMEOUT_SECONDS >= 120

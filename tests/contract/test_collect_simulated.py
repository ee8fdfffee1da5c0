"""`justeval collect` on the simulated model, as a process: whole, resumed, stopped, refused."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from justeval.runs import RunFolder
from tests.servers.collecting import (
    answers_of,
    closed_port,
    lines_of,
    run,
    small_set,
    start,
    wait_for_lines,
)
from tests.servers.faulty import FaultyServer, Received, faithful
from tests.servers.responses import Response

TWO = ("--model", "simulated", "--model", "simulated:neutral")


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> tuple[str, ...]:
    """Options that name 20 cases and a label of three values: 80 requests a model."""
    cases, pack = small_set(tmp_path_factory.mktemp("set"), 20)
    return ("--cases", cases, "--labels", pack)


@pytest.fixture(scope="module")
def whole(tmp_path_factory, small) -> Path:
    """A small run that is complete."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    code, out, _ = run(*small, *TWO, "--out", folder)
    assert (code, out) == (0, f"{folder}: 160 of 160 answered\n")
    return folder


def test_a_run_has_an_answer_to_every_request(whole):
    assert len(answers_of(whole)) == 160
    lines = lines_of(whole)
    assert len(lines) == 160
    assert {line["model"] for line in lines} == {"simulated-planted", "simulated-neutral"}
    assert all(line["fingerprint"].startswith("fp_") for line in lines)
    assert {line["model_version"] for line in lines} == {"simulated-planted", "simulated-neutral"}
    table = pq.read_table(RunFolder(whole).predictions)
    assert len(table) == 160
    assert sorted(set(table["position"].to_pylist())) == list(range(80))
    collected = RunFolder(whole).manifest()["collected"]
    assert (collected["answered"], collected["stopped"], collected["findings"]) == (160, [], [])


def test_the_order_of_asking_is_shuffled_and_recorded(whole):
    table = pq.read_table(RunFolder(whole).predictions).to_pandas()
    asked = table[table.model == "simulated-planted"].sort_values("position").case_id.tolist()
    assert asked != sorted(asked)
    assert RunFolder(whole).manifest()["order_seed"] == 0


def test_resumed_it_asks_only_what_is_missing(whole, small, tmp_path):
    folder, source = RunFolder(tmp_path / "run"), RunFolder(whole)
    folder.path.mkdir()
    for name in ("manifest.json", "variants.parquet", "cases.jsonl"):
        (folder.path / name).write_bytes((source.path / name).read_bytes())
    lines = source.journal.read_bytes().splitlines(keepends=True)
    failed = json.loads(lines[50]) | {"error": {"message": "no"}, "reply": None}
    kept = [*lines[:50], json.dumps(failed).encode() + b"\n"]
    folder.journal.write_bytes(b"".join(kept) + b'{"key": "half a li')
    code, _, err = run(*small, *TWO, "--out", folder.path)
    assert code == 0, err
    assert folder.journal.read_bytes().startswith(b"".join(kept))
    assert len(lines_of(folder.path)) == 161
    assert answers_of(folder.path) == answers_of(whole)
    assert run(*small, *TWO, "--out", folder.path)[0] == 0
    assert len(lines_of(folder.path)) == 161


def test_another_plan_is_refused_and_changes_nothing(whole, small):
    before = sorted((path, path.stat().st_mtime_ns) for path in whole.rglob("*"))
    code, out, err = run(*small, "--model", "simulated", "--out", whole)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "holds a run with other models" in err
    code, _, err = run(*small, *TWO, "--temperature", "0.5", "--out", whole)
    assert (code, "other parameters" in err) == (2, True)
    assert before == sorted((path, path.stat().st_mtime_ns) for path in whole.rglob("*"))


def test_a_folder_that_is_no_run_is_left_alone(small, tmp_path):
    (tmp_path / "letter.txt").write_text("mine")
    code, _, err = run(*small, "--model", "simulated", "--out", tmp_path)
    assert code == 1
    assert "exists and is no run" in err
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_loses_nothing_and_goes_on(small, tmp_path, number):
    folder = tmp_path / "run"
    choices = (*small, "--model", "simulated", "--repetitions", "3", "--out", folder)
    with start(*choices, "--rpm", "900") as process:
        wait_for_lines(folder, 30, process)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    before = answers_of(folder)
    told = f"stopped; {len(before)} answers stay on disk, the same command goes on from there"
    assert err.splitlines()[-1] == told
    assert "Traceback" not in err
    assert 30 <= len(before) < 240
    assert RunFolder(folder).manifest()["collected"]["stopped"][0]["kind"] == "interrupted"
    assert run(*choices)[0] == 0
    after = answers_of(folder)
    assert len(after) == len(lines_of(folder)) == 240
    assert before.items() <= after.items()
    assert RunFolder(folder).manifest()["collected"]["stopped"] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_before_the_first_answer_it_leaves_nothing_and_claims_nothing(
    small, tmp_path, number
):
    folder = tmp_path / "run"

    def slow(received: Received) -> Response:
        return replace(faithful(received), after_seconds=30.0)

    with FaultyServer(slow).running() as server:
        model = f"openai:judge@{server.base_url}"
        with start(*small, "--model", model, "--out", folder) as process:
            deadline = time.monotonic() + 60
            while not server.asked and time.monotonic() < deadline:
                time.sleep(0.02)
            process.send_signal(number)
            out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "stopped before the first answer"
    assert "Traceback" not in err
    assert not folder.exists()


def test_a_second_process_on_the_same_run_is_refused(small, tmp_path):
    folder = tmp_path / "run"
    choices = (*small, "--model", "simulated", "--repetitions", "3", "--out", folder)
    with start(*choices, "--rpm", "240") as process:
        wait_for_lines(folder, 5, process)
        code, out, err = run(*choices)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert (code, out) == (1, "")
    assert "another process is collecting this run" in err
    assert err.count("\n") == 1
    assert process.returncode == 130
    lines = lines_of(folder)
    assert 5 <= len(lines) == len({line["key"] for line in lines})


def test_three_kills_lose_at_most_the_line_that_was_being_written(small, tmp_path):
    folder = tmp_path / "run"
    choices = (*small, "--model", "simulated", "--repetitions", "4", "--out", folder)
    on_disk: dict[str, str] = {}
    for n in (30, 110, 190):
        with start(*choices, "--rpm", "2400") as process:
            wait_for_lines(folder, n, process)
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate(timeout=30)
        kept = answers_of(folder)
        assert on_disk.items() <= kept.items()
        on_disk = kept
    assert run(*choices)[0] == 0
    assert len(lines_of(folder)) == len(answers_of(folder)) == 320
    assert on_disk.items() <= answers_of(folder).items()
    assert len(pq.read_table(RunFolder(folder).predictions)) == 320


FULL_DISK = ("bash", "-c", 'ulimit -f 24; exec "$@"', "bash", sys.executable, "-m", "justeval")


def test_a_full_disk_stops_cleanly_and_goes_on_when_there_is_room(small, tmp_path):
    folder = tmp_path / "run"
    choices = (*small, "--repetitions", "2", "--out", folder)
    with FaultyServer(faithful).running() as server:
        model = ("--model", f"openai:judge@{server.base_url}")
        code, out, err = run("collect", *choices, *model, command=FULL_DISK)
        assert (code, out) == (1, "")
        told = "cannot be written (File too large); free space and run again"
        assert told in err.splitlines()[-1]
        assert "Traceback" not in err
        kept = answers_of(folder)
        assert 10 <= len(kept) < 160
        assert folder.joinpath("journal.jsonl").read_bytes().endswith(b"\n")
        asked = len(server.asked)
        assert run(*choices, *model)[0] == 0
        assert len(server.asked) - asked == 160 - len(kept)
    assert kept.items() <= answers_of(folder).items()
    assert len(answers_of(folder)) == len(lines_of(folder)) == 160


def test_a_closed_port_is_one_line_and_leaves_no_folder(small, tmp_path):
    folder = tmp_path / "run"
    url = f"http://127.0.0.1:{closed_port()}/v1"
    begun = time.monotonic()
    code, out, err = run(*small, "--model", "openai:judge", "--base-url", url, "--out", folder)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1] == f"justeval: judge: cannot connect to {url}: refused"
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize("model", ["openrouter:judge", "openai:judge"])
def test_a_missing_key_is_a_usage_error_before_anything_is_asked(small, tmp_path, model):
    keys = {"OPENAI_API_KEY": "", "OPENROUTER_API_KEY": ""}
    code, out, err = run(*small, "--model", model, "--out", tmp_path / "run", **keys)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "set the environment variable OPEN" in err
    assert list(tmp_path.iterdir()) == []


USAGE: dict[str, Sequence[str]] = {
    "no such model": ("--model", "judge"),
    "the same model twice": ("--model", "simulated", "--model", "simulated:planted"),
    "key in the address": ("--model", "openai:j", "--base-url", "http://u:secret-word@h/v1"),
    "query in the address": (
        "--model",
        "openai:j@http://h/v1?key=secret-word",
    ),
    "no address": ("--model", "openai:j", "--base-url", "ftp://secret-word"),
    "no such profile": ("--model", "simulated:nobody"),
    "no concurrency": ("--model", "simulated", "--concurrency", "0"),
    "rpm 0": ("--model", "simulated", "--rpm", "0"),
    "a deadline of nonsense": ("--model", "simulated", "--deadline", "soon"),
    "a key as a header": ("--model", "openai:j", "--header", "api-key=secret-word"),
    "a key without a name": ("--model", "openai:j", "--header", "secret-word"),
    "no key file": ("--model", "openai:j", "--key-file", "no-such-file"),
}


@pytest.mark.parametrize("choices", USAGE.values(), ids=USAGE.keys())
def test_a_wrong_choice_is_one_line_and_exit_2(small, tmp_path, choices):
    code, out, err = run(*small, *choices, "--out", tmp_path / "run", OPENAI_API_KEY="x")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "secret-word" not in err
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder_it_says_so(small):
    code, out, err = run(*small, "--model", "simulated")
    assert (code, out) == (2, "")
    assert "missing option --out" in err

"""`justeval collect` on the simulated model, as a process: whole, resumed, stopped, refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from socket import create_server

import pyarrow.parquet as pq
import pytest

from justeval.runs import RunFolder, read_journal, settled_lines

SMALL = ("--cases", "us-sentencing", "--labels", "judicial-us:defendant_sex", "--limit", "20")
COLLECT = (sys.executable, "-m", "justeval", "collect")


def start(*arguments: str | Path, **environment: str) -> subprocess.Popen[str]:
    """A `justeval collect` of its own process group."""
    return subprocess.Popen(
        [*COLLECT, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
    )


def collect(*arguments: str | Path, **environment: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a `justeval collect`."""
    with start(*arguments, **environment) as process:
        out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def answers(run: Path) -> dict[str, str]:
    """The answers of a run by key."""
    settled = settled_lines(read_journal(RunFolder(run).journal))
    return {key: line["reply"] for key, line in settled.items() if not line.get("error")}


def keys(run: Path) -> list[str]:
    return [line["key"] for line in read_journal(RunFolder(run).journal)]


def wait_for_lines(run: Path, n: int, process: subprocess.Popen[str]) -> None:
    """Waits until a run's journal has n lines."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        journal = RunFolder(run).journal
        if journal.exists() and journal.read_bytes().count(b"\n") >= n:
            return
        time.sleep(0.02)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A small run that is complete."""
    run = tmp_path_factory.mktemp("whole") / "run"
    code, out, _ = collect(*SMALL, "--model", "simulated", "--model", "simulated:neutral",
                           "--out", run)  # fmt: skip
    assert (code, out) == (0, f"{run}: 160 of 160 answered\n")
    return run


def test_a_run_has_an_answer_to_every_request(whole):
    assert len(answers(whole)) == 160
    lines = list(read_journal(RunFolder(whole).journal))
    assert len(lines) == 160
    assert {line["model"] for line in lines} == {"simulated-planted", "simulated-neutral"}
    assert all(line["fingerprint"].startswith("fp_") for line in lines)
    assert {line["model_version"] for line in lines} == {"simulated-planted", "simulated-neutral"}
    table = pq.read_table(RunFolder(whole).predictions)
    assert len(table) == 160
    assert sorted(set(table["position"].to_pylist())) == list(range(80))


def test_the_order_of_asking_is_shuffled_and_recorded(whole):
    table = pq.read_table(RunFolder(whole).predictions).to_pandas()
    asked = table[table.model == "simulated-planted"].sort_values("position").case_id.tolist()
    assert asked != sorted(asked)
    assert RunFolder(whole).manifest()["order_seed"] == 0


def test_resumed_it_asks_only_what_is_missing(whole, tmp_path):
    run = tmp_path / "run"
    folder, source = RunFolder(run), RunFolder(whole)
    run.mkdir()
    for name in ("manifest.json", "variants.parquet", "cases.jsonl"):
        (run / name).write_bytes((source.path / name).read_bytes())
    lines = source.journal.read_bytes().splitlines(keepends=True)
    failed = json.loads(lines[50]) | {"error": {"message": "no"}, "reply": None}
    kept = [*lines[:50], json.dumps(failed).encode() + b"\n"]
    folder.journal.write_bytes(b"".join(kept))
    code, _, err = collect(*SMALL, "--model", "simulated", "--model", "simulated:neutral",
                           "--out", run)  # fmt: skip
    assert code == 0, err
    assert folder.journal.read_bytes().startswith(b"".join(kept))
    assert len(keys(run)) == 161
    assert answers(run) == answers(whole)
    again = collect(*SMALL, "--model", "simulated", "--model", "simulated:neutral", "--out", run)
    assert again[0] == 0
    assert len(keys(run)) == 161


def test_another_plan_is_refused(whole):
    before = sorted(path.stat().st_mtime_ns for path in whole.rglob("*"))
    code, out, err = collect(*SMALL, "--model", "simulated", "--out", whole)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "holds a run with other models" in err
    code, _, err = collect(*SMALL, "--model", "simulated", "--model", "simulated:neutral",
                           "--temperature", "0.5", "--out", whole)  # fmt: skip
    assert (code, "other parameters" in err) == (2, True)
    assert before == sorted(path.stat().st_mtime_ns for path in whole.rglob("*"))


def test_a_folder_that_is_no_run_is_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("mine")
    code, _, err = collect(*SMALL, "--model", "simulated", "--out", tmp_path)
    assert code == 1
    assert "exists and is no run" in err
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_loses_nothing_and_goes_on(tmp_path, number):
    run = tmp_path / "run"
    choices = (*SMALL, "--model", "simulated", "--repetitions", "5", "--out", run)
    with start(*choices, "--rpm", "6000") as process:
        wait_for_lines(run, 50, process)
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert "stopped; what is on disk stays" in err
    assert "Traceback" not in err
    before = answers(run)
    assert 50 <= len(before) < 400
    assert collect(*choices)[0] == 0
    after = answers(run)
    assert len(after) == len(keys(run)) == 400
    assert before.items() <= after.items()


def test_a_second_process_on_the_same_run_is_refused(tmp_path):
    run = tmp_path / "run"
    choices = (*SMALL, "--model", "simulated", "--repetitions", "3", "--out", run)
    with start(*choices, "--rpm", "3000") as process:
        wait_for_lines(run, 10, process)
        code, out, err = collect(*choices)
        assert (code, out) == (1, "")
        assert "another process is collecting this run" in err
        process.communicate(timeout=60)
    assert process.returncode == 0
    assert len(keys(run)) == len(answers(run)) == 240


def test_three_kills_lose_at_most_the_line_that_was_being_written(tmp_path):
    run = tmp_path / "run"
    choices = (*SMALL, "--model", "simulated", "--repetitions", "5", "--out", run)
    on_disk: dict[str, str] = {}
    for n in (30, 110, 190):
        with start(*choices, "--rpm", "6000") as process:
            wait_for_lines(run, n, process)
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate(timeout=30)
        kept = answers(run)
        assert on_disk.items() <= kept.items()
        on_disk = kept
    assert collect(*choices)[0] == 0
    assert len(keys(run)) == len(answers(run)) == 400
    assert on_disk.items() <= answers(run).items()
    assert len(pq.read_table(RunFolder(run).predictions)) == 400


def closed_port() -> int:
    with closing(create_server(("127.0.0.1", 0))) as listener:
        return listener.getsockname()[1]


def test_a_closed_port_is_one_line_and_leaves_no_folder(tmp_path):
    run = tmp_path / "run"
    url = f"http://127.0.0.1:{closed_port()}/v1"
    start_at = time.monotonic()
    code, out, err = collect(*SMALL, "--model", "openai:judge", "--base-url", url, "--out", run)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1] == f"justeval: judge: cannot connect to {url}: refused"
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []
    assert time.monotonic() - start_at < 20


@pytest.mark.parametrize("model", ["openrouter:judge", "openai:judge"])
def test_a_missing_key_is_a_usage_error_before_anything_is_asked(tmp_path, model):
    run = tmp_path / "run"
    keys = {"OPENAI_API_KEY": "", "OPENROUTER_API_KEY": ""}
    code, out, err = collect(*SMALL, "--model", model, "--out", run, **keys)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "set the environment variable OPEN" in err
    assert list(tmp_path.iterdir()) == []


USAGE: dict[str, Sequence[str]] = {
    "no such model": ("--model", "judge"),
    "the same model twice": ("--model", "simulated", "--model", "simulated:planted"),
    "key in the address": ("--model", "openai:j", "--base-url", "http://u:secret-word@h/v1"),
    "query in the address": ("--model", "openai:j", "--base-url", "http://h/v1?key=secret-word"),
    "no address": ("--model", "openai:j", "--base-url", "ftp://secret-word"),
    "no such profile": ("--model", "simulated:nobody"),
    "no concurrency": ("--model", "simulated", "--concurrency", "0"),
    "rpm 0": ("--model", "simulated", "--rpm", "0"),
}


@pytest.mark.parametrize("choices", USAGE.values(), ids=USAGE.keys())
def test_a_wrong_choice_is_one_line_and_exit_2(tmp_path, choices):
    code, out, err = collect(*SMALL, *choices, "--out", tmp_path / "run", OPENAI_API_KEY="x")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "secret-word" not in err
    assert list(tmp_path.iterdir()) == []

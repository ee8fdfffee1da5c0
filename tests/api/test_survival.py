"""Runs outlive the service: killed at any moment, they go on and end with the same predictions."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from justeval.models.simulated import running_server
from tests.api.serving import Served, running, start_service

KEY = "sk-planted-3f9a7c15e2d84b60"
OF_THE_MOMENT = ["run_id", "asked_at", "latency_ms", "attempts"]
SLOW: dict[str, Any] = {"requests_per_minute": 1200.0, "limit": 6}
"""About 65 requests at 20 a second: time enough to be killed in."""


def predictions_of(data: Path, run: str) -> list[dict[str, Any]]:
    """All that does not depend on when and how often it was asked."""
    table = pq.read_table(data / "runs" / run / "run" / "predictions.parquet")
    rows: list[dict[str, Any]] = table.drop_columns(OF_THE_MOMENT).to_pylist()
    return rows


def child_of(served: Served, run: str) -> int:
    """The process number of the child that collects."""
    state = json.loads((served.data / "runs" / run / "state.json").read_text())
    return int(state["pid"])


def kill(pid: int) -> None:
    """Ends a process without a word, and waits until it is gone."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    for _ in range(200):
        stat = Path(f"/proc/{pid}/stat")
        if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.05)


def started(served: Served, **choices: Any) -> str:
    """A slow run in the middle of its asking."""
    run = served.start(**{**SLOW, **choices})
    served.until(run, lambda shown: shown["progress"]["answered"] >= 5)
    return run


@contextmanager
def killed_later(data: Path, *words: str, **more: Any) -> Iterator[Served]:
    """A service that a test kills itself; its child processes never outlive the test."""
    served = start_service(data, *words, **more)
    try:
        yield served
    finally:
        served.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def undisturbed(served: Served) -> list[dict[str, Any]]:
    """The predictions of the same run, never killed."""
    run = served.start(limit=6)
    assert served.ended(run)["state"] == "complete"
    return predictions_of(served.data, run)


def test_a_child_that_outlived_the_service_is_adopted(
    tmp_path: Path, undisturbed: list[dict[str, Any]]
) -> None:
    data = tmp_path / "data"
    with killed_later(data) as first:
        run = started(first, requests_per_minute=240.0)
        pid = child_of(first, run)
    with running(data) as second:
        shown = second.get(f"/runs/{run}")
        assert shown["state"] == "collecting"
        assert child_of(second, run) == pid
        assert second.get("/health")["collecting"] == 1
        ended = second.ended(run)
        assert ended["state"] == "complete", ended
    assert predictions_of(data, run) == undisturbed


@pytest.mark.slow
def test_killed_with_its_child_the_run_is_started_again(
    tmp_path: Path, undisturbed: list[dict[str, Any]]
) -> None:
    data = tmp_path / "data"
    with killed_later(data) as first:
        run = started(first)
        pid = child_of(first, run)
        kill(pid)
    with running(data) as second:
        ended = second.ended(run)
        assert ended["state"] == "complete", ended
        assert child_of_is_none(second, run)
    assert predictions_of(data, run) == undisturbed


def child_of_is_none(served: Served, run: str) -> bool:
    return '"pid": null' in (served.data / "runs" / run / "state.json").read_text()


@pytest.mark.slow
def test_a_child_that_dies_is_started_again_by_the_same_service(served: Served) -> None:
    run = started(served)
    kill(child_of(served, run))
    ended = served.ended(run)
    assert ended["state"] == "complete", ended


@pytest.mark.slow
def test_stopped_in_order_it_goes_on_at_the_next_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data) as first:
        run = started(first)
        pid = child_of(first, run)
    assert not Path(f"/proc/{pid}").exists()
    with running(data) as second:
        assert second.ended(run)["state"] == "complete"


def test_the_database_is_made_again_from_the_folders(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data) as first:
        run = first.made_elsewhere()
        csv = b"case_id,facts\nc1,The defendant took a bicycle from the yard of a neighbor.\n"
        dataset = first.ask("POST", "/datasets", 201, params={"filename": "own.csv"}, content=csv)
        before = (first.get("/runs"), first.get("/datasets"), first.get(f"/runs/{run}/results"))
    for name in ("justeval.sqlite", "justeval.sqlite-wal", "justeval.sqlite-shm"):
        (data / name).unlink(missing_ok=True)
    (data / "runs" / "stray").mkdir()
    (data / "runs" / "run-000000000000").mkdir()
    with running(data, "--reindex") as second:
        assert second.get("/runs") == before[0]
        assert second.get("/datasets") == before[1]
        assert second.get(f"/runs/{run}/results") == before[2]
        assert second.get(f"/datasets/{dataset['id']}")["documents"] == 1


def test_a_second_service_on_the_same_folder_is_refused(served: Served) -> None:
    words = [sys.executable, "-m", "justeval_api", "--port", "0", "--data", str(served.data)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "another service uses this folder" in done.stderr


@pytest.mark.slow
def test_a_stale_lock_blocks_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with killed_later(data) as first:
        run = started(first)
        kill(child_of(first, run))
    home = data / "runs" / run
    assert (home / "child.lock").exists()
    assert (home / "run" / "journal.lock").exists()
    assert (data / "service.lock").exists()
    with (home / "child.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with running(data) as second:
        assert second.ended(run)["state"] == "complete"


def test_a_run_whose_key_came_with_the_request_waits_for_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running_server(["planted"], latency_ms=5) as address:
        model = {"kind": "openai", "name": "simulated-planted", "address": address, "key": KEY}
        with killed_later(data) as first:
            run = started(first, models=[model])
            pid = child_of(first, run)
            assert KEY not in Path(f"/proc/{pid}/cmdline").read_text()
            assert KEY not in Path(f"/proc/{pid}/environ").read_text()
            kill(pid)
        with running(data) as second:
            shown = second.get(f"/runs/{run}")
            assert shown["state"] == "needs_key"
            assert shown["needs_keys"] == ["simulated-planted"]
            refused = second.post(f"/runs/{run}/resume", status=409)["error"]["message"]
            assert "needs the key of simulated-planted" in refused
            wrong = second.post(f"/runs/{run}/resume", {"keys": {"x": KEY}}, 422)
            assert KEY not in str(wrong)
            second.post(f"/runs/{run}/resume", {"keys": {"simulated-planted": KEY}})
            assert second.ended(run)["state"] == "complete"
            shown = second.get(f"/runs/{run}")
            assert KEY not in str(shown)
    assert_nowhere(KEY, data)
    shutil.rmtree(data)


def assert_nowhere(secret: str, data: Path) -> None:
    """No file of the service holds a secret, nor what it said."""
    files = [path for path in [*data.rglob("*"), Path(f"{data}.log")] if path.is_file()]
    assert len(files) > 10
    for path in files:
        assert secret.encode() not in path.read_bytes(), path

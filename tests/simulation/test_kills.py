"""Killed at random moments and resumed, a run loses, repeats and shifts nothing.

The truth is the server's own log of what it delivered and when.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import time
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from justeval.runs import Line, RunFolder
from tests.servers.collecting import TEXTS, lines_of, run, small_plan, small_set, start
from tests.servers.faulty import FaultyServer, Received, digest, faithful, months_of
from tests.servers.responses import Response

ON_DISK_WITHIN_SECONDS = 1.0


def slowly(received: Received) -> Response:
    """A faithful answer after 5 to 50 ms, so that many are in the air at a kill."""
    wait = 0.005 + int(digest(received.text), 16) % 45 / 1000
    return replace(faithful(received), after_seconds=wait)


def kill_at(server: FaultyServer, process, delivered: int, more_seconds: float) -> float:
    """Kills a process and all it started after so many deliveries; when it was done."""
    while len(server.delivered) < delivered and process.poll() is None:
        time.sleep(0.005)
    time.sleep(more_seconds)
    at = time.time()
    with contextlib.suppress(ProcessLookupError):  # it was faster than the kill
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    return at


def whole_lines(journal: Path) -> bytes:
    data = journal.read_bytes() if journal.exists() else b""
    return data[: data.rfind(b"\n") + 1]


def check_lines(lines: list[Line], text_of: dict[str, str]) -> None:
    """Every answer belongs to its text, and no key is answered twice."""
    for line in lines:
        text = text_of[line["variant_id"]]
        assert json.loads(line["reply"]) == {"charge": digest(text), "months": months_of(text)}
    assert len({line["key"] for line in lines}) == len(lines)


def killed_and_resumed(folder: Path, documents: int, kills: int, seed: int) -> None:
    """A run of `documents` x 4 requests that is killed so often at random moments."""
    rng = random.Random(seed)
    requests = documents * TEXTS
    moments = sorted(rng.randint(1, int(requests * 0.85)) for _ in range(kills))
    cases, pack = small_set(folder / "set", documents)
    out = RunFolder(folder / "run")
    with FaultyServer(slowly).running() as server:
        model = f"openai:judge@{server.base_url}"
        options = ("--cases", cases, "--labels", pack, "--model", model, "--out", out.path)
        options = (*options, "--concurrency", "32", "--rpm", "60000")
        (prompt,) = small_plan(folder / "set", documents, [model]).prompts
        on_disk: set[str] = set()
        for number, moment in enumerate(moments):
            before, asked_before = whole_lines(out.journal), len(server.asked)
            delivered_before = len(server.delivered)
            delivered = delivered_before + max(1, moment - len(on_disk))
            with start(*options) as process:
                killed = kill_at(server, process, delivered, rng.uniform(0, 0.7))
            assert whole_lines(out.journal).startswith(before), f"kill {number}: a line is gone"
            asked = {request.text for request in server.asked[asked_before:]}
            assert asked.isdisjoint(on_disk), f"kill {number}: asked again what was on disk"
            text_of = {
                row["variant_id"]: prompt.messages(row["text"])[-1]["content"]
                for row in pq.read_table(out.variants).to_pylist()
            }
            lines = lines_of(out.path)
            check_lines(lines, text_of)
            on_disk = {text_of[line["variant_id"]] for line in lines}
            safe = {
                request.text
                for at, request, _ in server.delivered[delivered_before:]
                if at < killed - ON_DISK_WITHIN_SECONDS
            }
            assert safe <= on_disk, f"kill {number}: {len(safe - on_disk)} answers are lost"
        asked_before = len(server.asked)
        code, _, err = run(*options)
        assert code == 0, err
        assert len(server.asked) - asked_before == requests - len(on_disk)
        assert len({request.text for request in server.asked}) == requests
    lines = lines_of(out.path)
    check_lines(lines, text_of)
    assert len(lines) == requests
    assert pq.read_table(out.predictions).num_rows == requests
    print(f"{kills} kills, {requests:,} requests: {len(server.delivered) - requests} asked again")


def test_three_kills_of_a_run_of_300(tmp_path):
    killed_and_resumed(tmp_path, documents=75, kills=3, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_25_kills_of_a_run_of_5000(tmp_path, seed):
    killed_and_resumed(tmp_path, documents=1250, kills=25, seed=seed)

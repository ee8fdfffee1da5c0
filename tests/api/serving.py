"""A real service in a child process, as a user starts it, and requests of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

START_SECONDS = 60.0
END_SECONDS = 90.0
ENDED = ("canceled", "incomplete", "failed", "complete", "needs_key")

REPLY = '{"guilty": "yes", "penalty": "imprisonment", "months": 24}'
SMALL: dict[str, Any] = {
    "dataset": "us-sentencing",
    "labels": ["judicial-us:defendant_race", "judicial-us:defendant_age", "placebo:folder_color"],
    "models": [{"kind": "simulated", "name": "planted"}],
    "limit": 4,
}
"""A run of a second: four documents, three labels."""


class Served:
    """A running service: its process, its address, and a client for its API."""

    def __init__(self, process: subprocess.Popen[str], address: str, data: Path) -> None:
        self.process = process
        self.address = address
        self.data = data
        self.client = httpx.Client(base_url=f"{address}/api/v1", timeout=300, trust_env=False)

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        """The JSON of an answer."""
        return self.ask("GET", path, status, params=query)

    def get_list(self, path: str, query: list[tuple[str, str]]) -> Any:
        """The JSON of an answer to a query in which a name may stand several times."""
        return self.ask("GET", path, 200, params=query)

    def post(self, path: str, body: Any = None, status: int = 200, **more: Any) -> Any:
        """The JSON of an answer to JSON."""
        return self.ask("POST", path, status, json=body, **more)

    def ask(self, method: str, path: str, status: int, **more: Any) -> Any:
        """The JSON of an answer of this status."""
        answer = self.client.request(method, path, **more)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def start(self, **choices: Any) -> str:
        """Starts a small run; its id."""
        started = self.post("/runs", {**SMALL, **choices}, 201)
        return str(started["id"])

    def exported(self, **choices: Any) -> list[dict[str, Any]]:
        """The lines of an export of prompts."""
        asked = {"dataset": "us-sentencing", "labels": SMALL["labels"], "limit": 2, **choices}
        answer = self.client.post("/prompts/export", json=asked)
        assert answer.status_code == 200, answer.text
        return [json.loads(line) for line in answer.text.splitlines()]

    def imported(self, lines: list[dict[str, Any]], status: int = 201, **query: Any) -> Any:
        """What the service makes of lines that come back."""
        content = "".join(json.dumps(line) + "\n" for line in lines).encode()
        return self.ask("POST", "/replies", status, params=query, content=content)

    def made_elsewhere(self, **query: Any) -> str:
        """A finished run, without asking anyone: the replies are the same throughout."""
        lines = [{**line, "reply": REPLY} for line in self.exported()]
        return str(self.imported(lines, **query)["id"])

    def ended(self, run: str) -> dict[str, Any]:
        """A run when it has ended."""
        return self.until(run, lambda shown: shown["state"] in ENDED)

    def until(self, run: str, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """A run as soon as the condition holds."""
        end = time.monotonic() + END_SECONDS
        while time.monotonic() < end:
            shown: dict[str, Any] = self.get(f"/runs/{run}")
            if condition(shown):
                return shown
            time.sleep(0.1)
        raise AssertionError(f"{run} is {json.dumps(shown)}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends the process, and waits for it."""
        self.client.close()
        with suppress(ProcessLookupError):
            self.process.send_signal(how)
        self.process.wait(30)
        if self.process.stderr is not None:
            self.process.stderr.close()


def start_service(data: Path, *words: str, environment: Mapping[str, str] | None = None) -> Served:
    """Starts `justeval serve` on a free port."""
    command = [sys.executable, "-m", "justeval_api", "--port", "0", "--data", str(data), *words]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "error", **(environment or {})},
        start_new_session=True,
    )
    watchdog = threading.Timer(START_SECONDS, process.kill)
    watchdog.start()
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if line.startswith("serving "):
            break
    watchdog.cancel()
    assert said and said[-1].startswith("serving "), "".join(said)
    _drain(process, data)
    return Served(process, said[-1].split()[1], data)


def _drain(process: subprocess.Popen[str], data: Path) -> None:
    """Writes what the service says from now on beside its folder."""
    stream = process.stderr

    def copy() -> None:
        assert stream is not None
        with suppress(ValueError), Path(f"{data}.log").open("a", encoding="utf-8") as log:
            for line in stream:
                log.write(line)
                log.flush()

    threading.Thread(target=copy, daemon=True).start()


@contextmanager
def running(data: Path, *words: str, **more: Any) -> Iterator[Served]:
    """A service for as long as the block runs."""
    served = start_service(data, *words, **more)
    try:
        yield served
    finally:
        served.stop()

"""Small runs for tests: a case set, a pack, a plan, and `justeval collect` as a process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from socket import create_server
from typing import Any

from justeval.cases import load_cases
from justeval.collect import Bounds, Outcome, Patience, Plan, Speed, Tally, collect, plan_prompts
from justeval.labels import load_labels
from justeval.models.naming import endpoint_of
from justeval.models.opening import opened, profiles_of, with_served_names
from justeval.models.records import Parameters
from justeval.runs import Line, RunFolder, read_journal, settled_lines

PACK = """\
pack: own
languages: [en]
labels:
  - id: folder
    name: {en: Folder}
    actor: file
    category: procedure
    demographic: false
    reference: blue
    values:
      - {id: blue, sentence: {en: The folder is blue.}}
      - {id: red, sentence: {en: The folder is red.}}
      - {id: green, sentence: {en: The folder is green.}}
"""
TEXTS = 4
"""Distinct texts a case: the bare one and three values."""


def small_set(folder: Path, documents: int) -> tuple[str, str]:
    """Writes so many cases and a pack of one label; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    cases = folder / "cases.jsonl"
    lines = (
        {
            "case_id": f"c{number}",
            "facts": f"The defendant took bicycle number {number} from a yard in the night.",
            "language": "en",
            "charge": "theft",
            "true_months": 12,
            "true_penalty": "fixed_term",
        }
        for number in range(documents)
    )
    cases.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    pack = folder / "own.yaml"
    pack.write_text(PACK, encoding="utf-8")
    return str(cases), str(pack)


def small_plan(
    folder: Path, documents: int, models: Sequence[str], repetitions: int = 1, **parameters: Any
) -> Plan:
    """A plan over a small set: documents x 4 texts x repetitions requests a model."""
    cases_path, pack = small_set(folder, documents)
    cases = load_cases(cases_path)
    return Plan(
        cases=cases,
        labels=load_labels(pack),
        endpoints=with_served_names([endpoint_of(model) for model in models]),
        prompts=plan_prompts(cases, "sentence", ()),
        parameters=Parameters(**parameters),
        repetitions=repetitions,
    )


class Quiet:
    """Shows nothing; `told` keeps what was shown last, `lines` all of it."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def show(self, tallies: Sequence[Tally], final: bool = False) -> None:
        self.lines.append(" | ".join(tally.line() for tally in tallies))


def collect_here(
    plan: Plan,
    out: Path,
    *,
    speed: Speed | None = None,
    patience: Patience | None = None,
    bounds: Bounds | None = None,
    watcher: Quiet | None = None,
    timeout: float = 20.0,
    should_stop: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Collects in this process."""
    with opened(plan.endpoints, profiles_of(plan.endpoints), timeout) as open_model:
        return collect(
            plan, out, open_model, speed, patience, bounds, watcher or Quiet(), should_stop
        )


COLLECT = (sys.executable, "-m", "justeval", "collect")


def start(
    *arguments: str | Path, command: Sequence[str] = COLLECT, **environment: str
) -> subprocess.Popen[str]:
    """A `justeval collect` in a process group of its own."""
    return subprocess.Popen(
        [*command, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
        preexec_fn=_heed_ctrl_c,
    )


def _heed_ctrl_c() -> None:
    """A shell's background jobs ignore Ctrl-C, and what they start inherits that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(*arguments: str | Path, timeout: float = 120, **options: Any) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a `justeval collect`."""
    with start(*arguments, **options) as process:
        out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err


def lines_of(run: Path) -> list[Line]:
    """The journal of a run."""
    return list(read_journal(RunFolder(run).journal))


def answers_of(run: Path) -> dict[str, str]:
    """The answers of a run by key."""
    settled = settled_lines(lines_of(run))
    return {key: line["reply"] for key, line in settled.items() if not line.get("error")}


def wait_for_lines(run: Path, n: int, process: subprocess.Popen[str]) -> None:
    """Waits until a run's journal has n lines, or the process has ended."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        journal = RunFolder(run).journal
        if journal.exists() and journal.read_bytes().count(b"\n") >= n:
            return
        time.sleep(0.02)


def closed_port() -> int:
    """A port on which nobody listens."""
    with closing(create_server(("127.0.0.1", 0))) as listener:
        return listener.getsockname()[1]

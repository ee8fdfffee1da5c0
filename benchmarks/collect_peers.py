"""Other tools that ask the same server, each in a process of its own.

In: a Python that may have requests and inspect_ai, and the bodies to ask. Out: a rate, or why
there is none.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

SLEEP_SECONDS = 0.8
THREADS_OF_THE_ORIGINAL = 5

THREADS = """
import json, sys, time
from concurrent.futures import ThreadPoolExecutor
import requests
url, bodies = sys.argv[1], json.load(sys.stdin)
def ask(body):
    answer = requests.post(url + "/chat/completions", data=body.encode(), timeout=60,
                           headers={"content-type": "application/json"})
    return answer.json()["choices"][0]["message"]["content"]
start = time.perf_counter()
with ThreadPoolExecutor(5) as pool:
    done = list(pool.map(ask, bodies))
print(len(done) / (time.perf_counter() - start))
"""
"""The pattern of the published code without its sleep: 5 threads, a connection a call."""

INSPECT = """
import json, os, sys, tempfile, time
os.environ.update(OPENAI_API_KEY="none", OPENAI_BASE_URL=sys.argv[1])
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate
bodies = [json.loads(body) for body in json.load(sys.stdin)]
samples = [Sample(input=body["messages"][-1]["content"]) for body in bodies]
with tempfile.TemporaryDirectory() as folder:
    start = time.perf_counter()
    (log,) = eval(Task(dataset=samples, solver=generate()), model="openai/judge", display="none",
                  max_connections=int(sys.argv[2]), max_samples=int(sys.argv[2]), log_dir=folder,
                  log_level="error", model_args={"responses_api": False})
    assert log.status == "success", log.error
    print(len(log.samples) / (time.perf_counter() - start))
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """Requests a second, or why none were measured."""

    rate: float | None
    words: str = ""


def peer(python: str, script: str, url: str, bodies: Sequence[bytes], connections: int) -> Measured:
    """What a script in another process comes to."""
    done = subprocess.run(
        [python, "-c", script, url, str(connections)],
        input=json.dumps([body.decode() for body in bodies]),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["ended without a word"]
        return Measured(None, said[-1])
    return Measured(float(done.stdout.split()[-1]))


def with_sleep(rate: float) -> float:
    """Requests a second of the original's threads, each of which sleeps after its call."""
    call_seconds = THREADS_OF_THE_ORIGINAL / rate
    return THREADS_OF_THE_ORIGINAL / (call_seconds + SLEEP_SECONDS)

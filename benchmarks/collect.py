"""How fast models are asked: justeval beside other ways, against one local server, in one run.

    python benchmarks/collect.py                        # answers at once, and after 200 ms
    python benchmarks/collect.py --peers OTHER/python   # with requests and inspect_ai beside
    python benchmarks/collect.py memory                 # the memory of a million requests

The server answers every request with the same judgment. The bare loop sends the same bodies as
justeval and reads the JSON that comes back; justeval also makes keys, writes the journal to disk,
shows progress, and reads every reply into predictions.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import httpx
from httpx_aiohttp import HttpxAiohttpClient

from justeval.cases import load_cases
from justeval.collect import Plan, Progress, Speed, collect, plan_prompts
from justeval.labels import load_labels
from justeval.models.chat import request_body
from justeval.models.naming import endpoint_of
from justeval.models.opening import opened
from justeval.models.records import Parameters
from justeval.variants import Variant, make_variants

HERE = Path(__file__).resolve()
REPLY = '{"charge": "fraud", "guilty": "yes", "penalty": "imprisonment", "months": 36}'
HEADERS = {"content-type": "application/json"}


class Answering(asyncio.Protocol):
    """Answers every request alike, at once or after a while."""

    body = json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "judge",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": REPLY},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 400, "completion_tokens": 30, "total_tokens": 430},
        }
    ).encode()
    head = (
        f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    response = head.encode() + body

    def __init__(self, latency_seconds: float) -> None:
        self.latency_seconds = latency_seconds
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            head = self.received[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            if len(self.received) < end + 4 + length:
                return
            self.received = self.received[end + 4 + length :]
            self._answer()

    def _answer(self) -> None:
        if self.latency_seconds:
            loop = asyncio.get_running_loop()
            loop.call_later(self.latency_seconds, self.transport.write, self.response)
        else:
            self.transport.write(self.response)


async def serve(latency_seconds: float) -> None:
    """Prints the base URL and answers until standard input closes."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Answering(latency_seconds), "127.0.0.1", 0, backlog=2048
    )
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


@contextlib.contextmanager
def serving(latency_seconds: float) -> Iterator[str]:
    """The base URL of a server in a process of its own."""
    command = [sys.executable, str(HERE), "serve", str(latency_seconds)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout and process.stdin
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def plan_for(base_url: str, documents: int | None = None) -> Plan:
    """The United States cases with all their labels, asked of the server."""
    cases = load_cases("us-sentencing")
    return Plan(
        cases=cases,
        labels=load_labels(",".join(cases.labels)),
        endpoints=(endpoint_of(f"openai:judge@{base_url}"),),
        prompts=plan_prompts(cases, cases.question, ()),
        limit=documents,
    )


def bodies_of(plan: Plan) -> list[bytes]:
    """The bodies of all requests of a plan, as justeval sends them."""
    texts = {
        item.variant_id: item.text
        for item in make_variants(plan.asked_cases, plan.labels)
        if isinstance(item, Variant)
    }
    (prompt,) = plan.prompts
    return [
        request_body(plan.endpoints[0], prompt.messages(text), Parameters())
        for text in texts.values()
    ]


async def _loop(
    bodies: Sequence[bytes], connections: int, ask: Callable[[bytes], Awaitable[object]]
) -> float:
    """Requests a second of so many workers that do nothing but ask."""
    queue = iter(bodies)

    async def work() -> None:
        for body in queue:
            await ask(body)

    start = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(connections)))
    return len(bodies) / (time.perf_counter() - start)


async def httpx_loop(
    client_class: type[httpx.AsyncClient], url: str, bodies: Sequence[bytes], connections: int
) -> float:
    """The bare loop on stock httpx, or on httpx over aiohttp."""
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    async with client_class(limits=limits, timeout=60, trust_env=False) as client:

        async def ask(body: bytes) -> object:
            response = await client.post(f"{url}/chat/completions", content=body, headers=HEADERS)
            return response.json()["choices"][0]["message"]["content"]

        return await _loop(bodies, connections, ask)


class Clock(Progress):
    """Progress that is written as always, and the time at which the asking began and ended."""

    def __init__(self) -> None:
        super().__init__(io.StringIO())
        self.ended = 0.0

    def show(self, tallies, final=False):
        super().show(tallies, final)
        self.started = tallies[0].started
        self.ended = time.monotonic()


def ours(base_url: str, connections: int) -> tuple[float, float]:
    """Requests a second of justeval: of the asking, and of all from the cases to predictions."""
    plan, clock = plan_for(base_url), Clock()
    with tempfile.TemporaryDirectory() as folder, opened(plan.endpoints, []) as open_model:
        start = time.perf_counter()
        outcome = collect(plan, Path(folder) / "run", open_model, Speed(connections), watcher=clock)
        whole = time.perf_counter() - start
    assert outcome.complete, outcome
    return outcome.requests / (clock.ended - clock.started), outcome.requests / whole


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
"""The pattern of the published code: 5 threads, a connection a call (it also sleeps 0.8 s)."""

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


def peer(python: str, script: str, url: str, bodies: Sequence[bytes], connections: int) -> float:
    """Requests a second of a script in another environment."""
    done = subprocess.run(
        [python, "-c", script, url, str(connections)],
        input=json.dumps([body.decode() for body in bodies]),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{python}: {done.stderr.strip().splitlines()[-1]}")
    return float(done.stdout.split()[-1])


def compare(latency_seconds: float, connections: int, python: str | None, rounds: int) -> None:
    """Prints the rates of all ways; each is the median of some rounds, taken in turn."""
    rates: dict[str, list[float]] = {}
    with serving(latency_seconds) as url:
        bodies = bodies_of(plan_for(url))
        for _ in range(rounds):
            bare = asyncio.run(httpx_loop(HttpxAiohttpClient, url, bodies, connections))
            rates.setdefault("bare loop, httpx on aiohttp", []).append(bare)
            asking, whole = ours(url, connections)
            rates.setdefault("justeval, asking", []).append(asking)
            rates.setdefault("justeval, from cases to predictions", []).append(whole)
        stock = asyncio.run(httpx_loop(httpx.AsyncClient, url, bodies[:2000], connections))
        rates["bare loop, stock httpx"] = [stock]
        if python:
            few = bodies[:500]
            rates["5 threads with requests"] = [peer(python, THREADS, url, few, 5)]
            rates["inspect_ai"] = [peer(python, INSPECT, url, few, connections)]
    base = statistics.median(rates["bare loop, httpx on aiohttp"])
    print(f"answers after {latency_seconds * 1000:.0f} ms, {connections} connections")
    for name, found in rates.items():
        rate = statistics.median(found)
        print(f"  {name:<38} {rate:8,.0f} a second  {rate / base:6.2f} of the bare loop")


def memory(requests: int) -> None:
    """Asks so many requests over distinct texts and prints the largest memory of the process."""
    with serving(0.0) as url:
        plan = plan_for(url)
        copies = -(-requests // len(bodies_of(plan)))
        cases = tuple(
            replace(case, case_id=f"{case.case_id}-{copy}", facts=f"{case.facts} Docket {copy}.")
            for copy in range(copies)
            for case in plan.cases.cases
        )
        plan = replace(plan, cases=replace(plan.cases, cases=cases))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder, opened(plan.endpoints, []) as open_model:
            outcome = collect(plan, Path(folder) / "run", open_model)
        seconds = time.perf_counter() - start
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"{outcome.answered:,} of {outcome.requests:,} answered in {seconds:,.0f} s; "
        f"largest memory {most / 1024:,.0f} MB ({before / 1024:,.0f} MB before)"
    )


def main() -> None:
    """Runs what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", default="speed", choices=["speed", "memory", "serve"])
    parser.add_argument("number", nargs="?", type=float, default=None)
    parser.add_argument("--peers", default=None, help="a Python that has requests and inspect_ai")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    if given.what == "serve":
        asyncio.run(serve(given.number or 0.0))
    elif given.what == "memory":
        memory(int(given.number or 1_000_000))
    else:
        compare(0.0, 64, given.peers, given.rounds)
        compare(0.2, 512, given.peers, given.rounds)


if __name__ == "__main__":
    main()

"""Latency of the service: 50 clients that poll while two runs collect and analyses are made.

    python benchmarks/service.py [--clients 50] [--seconds 30] [--documents 40]

A run of 16 simulated models x 65 labels is collected and analyzed first. Then each client asks in
turn, one request a second on average, for the model table, a page of the label table, the whole
document (as a page does that was opened before: with If-None-Match; and every tenth time without),
the progress of a run that collects, and the list of runs. All the while two more runs collect, and
a new analysis of the large run (another alpha) is asked for every few seconds. Latency is from
sending a request to the last byte of its answer, as the client sees it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import aiohttp

MODELS = 16
LARGE = {"dataset": "cn-sentencing", "labels": ["judicial-cn"], "concurrency": 128}
SLOW = {
    "dataset": "us-sentencing",
    "models": [{"kind": "simulated", "name": "planted"}],
    "requests_per_minute": 1800.0,
}
GOAL_MS = 150.0


def choices(documents: int) -> dict:
    """The large run: 16 simulated models with different planted effects."""
    models = [
        {
            "kind": "simulated",
            "name": f"judge-{i:02d}",
            "effects": {"defendant_wealth": {"penniless": 0.02 * i}},
            "noise_share": 0.3,
        }
        for i in range(MODELS)
    ]
    return {**LARGE, "models": models, "limit": documents, "name": "large"}


def start(folder: Path) -> tuple[subprocess.Popen, str]:
    """A service in a process of its own, and its address."""
    command = [sys.executable, "-m", "justeval_api", "--port", "0", "--data", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if line.startswith("serving "):
            return process, line.split()[1]
    raise SystemExit("the service did not start")


class Clients:
    """Clients that poll, and what each kind of request took."""

    def __init__(self, session: aiohttp.ClientSession, large: str, slow: str) -> None:
        self.session = session
        self.large, self.slow = large, slow
        self.took: dict[str, list[float]] = defaultdict(list)
        self.bytes: dict[str, int] = defaultdict(int)
        self.etags: dict[str, str] = {}

    async def ask(self, kind: str, path: str, conditional: bool = False) -> None:
        headers = {}
        if conditional and path in self.etags:
            headers["if-none-match"] = self.etags[path]
        begin = time.perf_counter()
        async with self.session.get(path, headers=headers) as answer:
            body = await answer.read()
            answer.raise_for_status()
        self.took[kind].append((time.perf_counter() - begin) * 1000)
        self.bytes[kind] = max(self.bytes[kind], len(body))
        if "etag" in answer.headers:
            self.etags[path] = answer.headers["etag"]

    async def poll(self, until: float, rng: random.Random) -> None:
        results = f"/api/v1/runs/{self.large}/results"
        await asyncio.sleep(rng.random())
        while time.monotonic() < until:
            kind = rng.choice(("models", "labels", "whole", "progress", "runs"))
            if kind == "models":
                await self.ask("model table", f"{results}/models")
            elif kind == "labels":
                await self.ask("label table, 100 rows", f"{results}/labels")
            elif kind == "whole" and rng.random() < 0.1:
                await self.ask("whole document", results)
            elif kind == "whole":
                await self.ask("whole document, known already", results, conditional=True)
            elif kind == "progress":
                await self.ask("progress", f"/api/v1/runs/{self.slow}/progress")
            else:
                await self.ask("list of runs", "/api/v1/runs")
            await asyncio.sleep(rng.expovariate(1.0))


async def analyses(session: aiohttp.ClientSession, large: str, until: float) -> list[float]:
    """A heavy analysis after the other, for as long as the clients poll; seconds of each."""
    took, alpha = [], 0.02
    while time.monotonic() < until:
        begin = time.perf_counter()
        async with session.get(f"/api/v1/runs/{large}/results?alpha={alpha:.3f}") as answer:
            await answer.read()
            answer.raise_for_status()
        took.append(time.perf_counter() - begin)
        alpha += 0.001
        await asyncio.sleep(2)
    return took


async def started(session: aiohttp.ClientSession, order: dict) -> str:
    async with session.post("/api/v1/runs", json=order) as answer:
        answer.raise_for_status()
        return (await answer.json())["id"]


async def measure(address: str, clients: int, seconds: float, documents: int) -> None:
    """Prints a table."""
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=900)
    async with aiohttp.ClientSession(address, connector=connector, timeout=timeout) as session:
        begin = time.perf_counter()
        large = await started(session, choices(documents))
        async with session.get(f"/api/v1/runs/{large}/events") as events:
            await events.read()
        print(f"collected in {time.perf_counter() - begin:.0f} s")
        begin = time.perf_counter()
        async with session.get(f"/api/v1/runs/{large}/results") as answer:
            document = json.loads(await answer.read())
        labels = sum(len(model["labels"]) for model in document["models"])
        took = time.perf_counter() - begin
        print(f"{len(document['models'])} models, {labels} labels; first analysis {took:.1f} s")
        slow = [await started(session, SLOW) for _ in range(2)]
        while any([await _waits(session, run) for run in slow]):
            await asyncio.sleep(0.2)
        work = Clients(session, large, slow[0])
        until = time.monotonic() + seconds
        heavy = asyncio.create_task(analyses(session, large, until))
        await asyncio.gather(*(work.poll(until, random.Random(i)) for i in range(clients)))
        _print(work, await heavy)
        for run in slow:
            async with session.post(f"/api/v1/runs/{run}/cancel") as answer:
                await answer.read()


async def _waits(session: aiohttp.ClientSession, run: str) -> bool:
    async with session.get(f"/api/v1/runs/{run}/progress") as answer:
        return (await answer.json())["answered"] == 0


def _print(work: Clients, heavy: list[float]) -> None:
    print(f"{'request':<32} {'n':>6} {'p50 ms':>8} {'p95 ms':>8} {'worst':>8} {'kB':>7}")
    every = [took for kind in work.took.values() for took in kind]
    for kind, took in [*sorted(work.took.items()), ("all", every)]:
        ordered = sorted(took)
        p95 = ordered[int(0.95 * (len(ordered) - 1))]
        size = work.bytes.get(kind, 0) / 1000
        print(
            f"{kind:<32} {len(took):>6} {statistics.median(took):>8.1f} {p95:>8.1f} "
            f"{ordered[-1]:>8.1f} {size:>7.0f}"
        )
    p95 = sorted(every)[int(0.95 * (len(every) - 1))]
    print(f"p95 of all {p95:.0f} ms (goal: under {GOAL_MS:.0f})")
    print(f"{len(heavy)} analyses meanwhile, {statistics.median(heavy):.1f} s each (median)")


def main() -> None:
    """Measures once."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--documents", type=int, default=40)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, load before {load:.1f}, "
        f"Python {platform.python_version()}"
    )
    with tempfile.TemporaryDirectory() as folder:
        process, address = start(Path(folder) / "data")
        try:
            asyncio.run(measure(address, given.clients, given.seconds, given.documents))
        finally:
            process.terminate()
            process.wait(60)


if __name__ == "__main__":
    main()

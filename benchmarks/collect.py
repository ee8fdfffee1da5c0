"""How fast models are asked: justeval beside other ways, against one local server, in one run.

    python benchmarks/collect.py                        # answers at once, and after 200 ms
    python benchmarks/collect.py --peers OTHER/python   # a Python that has requests, inspect_ai
    python benchmarks/collect.py memory                 # the memory of a million requests

The bare loop sends the same bodies as justeval and reads the JSON that comes back; justeval also
makes keys, writes the journal to disk, shows progress, and reads every reply into predictions. In
every round each way is measured once, in turn; a rate is the median of the rounds, a share the
median of the shares of its round.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx
from collect_peers import INSPECT, THREADS, Measured, peer, with_sleep
from collect_server import serving
from httpx_aiohttp import HttpxAiohttpClient

from justeval.cases import load_cases
from justeval.collect import Plan, Progress, Speed, collect, plan_prompts
from justeval.labels import load_labels
from justeval.models.chat import request_body
from justeval.models.naming import endpoint_of
from justeval.models.opening import opened
from justeval.models.records import Parameters
from justeval.variants import Variant, make_variants

HEADERS = {"content-type": "application/json"}
BARE = "bare loop, httpx on aiohttp"
OURS = "justeval, asking"
WHOLE = "justeval, from cases to predictions"
STOCK = "bare loop, stock httpx"
ORIGINAL = "5 threads with requests"
SLEEPING = "the same with 0.8 s of sleep a call"
PEER = "inspect_ai"
FEW = 300
"""Requests of the slow ways in a round; stock httpx gets twice as many."""
OF_PEER = 1500
"""Requests of inspect_ai in a round: its start costs seconds, which few requests would not bear."""


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


def ours(plan: Plan, connections: int) -> tuple[float, float]:
    """Requests a second of justeval: of the asking, and of all from the cases to predictions."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder, opened(plan.endpoints, []) as open_model:
        start = time.perf_counter()
        outcome = collect(plan, Path(folder) / "run", open_model, Speed(connections), watcher=clock)
        whole = time.perf_counter() - start
    assert outcome.complete, outcome
    return outcome.requests / (clock.ended - clock.started), outcome.requests / whole


@dataclass
class Table:
    """Rates by way, one a round; `unmeasured` says why a way has none.

    `processor` holds the processor's milliseconds a request of the ways that run in this process.
    """

    rates: dict[str, list[float]] = field(default_factory=dict)
    processor: dict[str, list[float]] = field(default_factory=dict)
    unmeasured: dict[str, str] = field(default_factory=dict)

    def add(self, way: str, rate: float, processor_ms: float | None = None) -> None:
        """Adds one round's rate."""
        self.rates.setdefault(way, []).append(rate)
        if processor_ms is not None:
            self.processor.setdefault(way, []).append(processor_ms)

    def note(self, way: str, measured: Measured) -> None:
        """Notes what a peer came to."""
        if measured.rate is None:
            self.unmeasured[way] = measured.words
        else:
            self.add(way, measured.rate)

    def print(self) -> None:
        """Prints the table in Markdown."""
        print("| way | requests a second | share of the bare loop | processor ms a request |")
        print("| --- | ---: | ---: | ---: |")
        for way in (BARE, OURS, WHOLE, STOCK, ORIGINAL, SLEEPING, PEER):
            if way in self.unmeasured:
                print(f"| {way} | not measured: {self.unmeasured[way]} | | |")
            elif way in self.rates:
                print(self._row(way))
        ratios = [
            mine / its
            for mine, its in zip(self.rates[OURS], self.rates.get(PEER, ()), strict=False)
        ]
        if ratios:
            print(f"\njusteval asks {statistics.median(ratios):.0f} times as fast as inspect_ai")

    def _row(self, way: str) -> str:
        shares = [a / b for a, b in zip(self.rates[way], self.rates[BARE], strict=True)]
        spent = statistics.median(self.processor[way]) if way in self.processor else None
        processor = "" if spent is None else f"{spent:.2f}"
        rate, share = statistics.median(self.rates[way]), statistics.median(shares)
        shown = f"{rate:,.0f}" if rate >= 20 else f"{rate:.1f}"
        return f"| {way} | {shown} | {share:.3f} | {processor} |"


def loop_round(
    table: Table,
    way: str,
    client_class: type[httpx.AsyncClient],
    url: str,
    bodies: Sequence[bytes],
    connections: int,
) -> None:
    """One round of a loop that does nothing but ask."""
    start = time.process_time()
    rate = asyncio.run(httpx_loop(client_class, url, bodies, connections))
    table.add(way, rate, (time.process_time() - start) * 1000 / len(bodies))


def our_round(table: Table, plan: Plan, requests: int, connections: int) -> None:
    """One round of justeval."""
    start = time.process_time()
    asking, whole = ours(plan, connections)
    table.add(OURS, asking)
    table.add(WHOLE, whole, (time.process_time() - start) * 1000 / requests)


def compare(latency_seconds: float, connections: int, given: argparse.Namespace) -> None:
    """Prints the rates of all ways; each round takes every way once."""
    table, python, rounds = Table(), given.peers, given.rounds
    with serving(latency_seconds) as url:
        plan = plan_for(url, given.documents)
        bodies = bodies_of(plan)
        few = bodies[:FEW]
        for _ in range(rounds):
            loop_round(table, BARE, HttpxAiohttpClient, url, bodies, connections)
            our_round(table, plan, len(bodies), connections)
            loop_round(table, STOCK, httpx.AsyncClient, url, bodies[: 2 * FEW], connections)
            table.note(ORIGINAL, peer(python, THREADS, url, few, 5))
            table.note(PEER, peer(python, INSPECT, url, bodies[:OF_PEER], connections))
    for rate in table.rates.get(ORIGINAL, ()):
        table.add(SLEEPING, with_sleep(rate))
    when = f"after {latency_seconds * 1000:.0f} ms" if latency_seconds else "at once"
    print(
        f"\nThe server answers {when}; {len(bodies):,} requests over {connections} connections, "
        f"{rounds} rounds.\n"
    )
    table.print()


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
    parser.add_argument("what", nargs="?", default="speed", choices=["speed", "memory"])
    parser.add_argument("number", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--peers", default=sys.executable, help="a Python that has the peers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=None, help="fewer documents: a quick look")
    given = parser.parse_args()
    if given.what == "memory":
        memory(given.number)
    else:
        compare(0.0, 64, given)
        compare(0.2, 512, given)


if __name__ == "__main__":
    main()

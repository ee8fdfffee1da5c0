"""How many requests are in the air, and when the next may go."""

from __future__ import annotations

import asyncio
import time

import pytest

from justeval.collect.pace import START, Pace


async def ask(pace: Pace, seconds: float = 0.0, tokens: float = 0.0) -> float:
    """One request that takes so long; when it went out."""
    await pace.enter(tokens)
    went = time.monotonic()
    await asyncio.sleep(seconds)
    pace.answered()
    pace.leave()
    return went


def test_it_begins_small_and_doubles_to_the_ceiling():
    async def run():
        pace = Pace(64)
        assert pace.limit == START
        most = 0
        for _ in range(3):
            await asyncio.gather(*(ask(pace, 0.001) for _ in range(int(pace.limit))))
            most = max(most, int(pace.limit))
        return most

    assert asyncio.run(run()) == 64


def test_the_ceiling_is_never_passed():
    async def run():
        pace, most = Pace(5), 0

        async def one():
            nonlocal most
            await pace.enter()
            most = max(most, pace.in_flight)
            await asyncio.sleep(0.001)
            pace.answered()
            pace.leave()

        await asyncio.gather(*(one() for _ in range(100)))
        return most, pace.in_flight

    assert asyncio.run(run()) == (5, 0)


def test_an_overload_halves_once_and_holds_all_back():
    async def run():
        pace = Pace(64)
        pace.limit = 64.0
        for _ in range(10):
            pace.overloaded(0.2)
        assert pace.limit == 32.0
        assert 0.1 < pace.waiting_seconds <= 0.2
        start = time.monotonic()
        went = await asyncio.gather(*(ask(pace) for _ in range(10)))
        return [at - start for at in went]

    assert min(asyncio.run(run())) >= 0.19


def test_after_an_overload_it_grows_slowly():
    async def run():
        pace = Pace(64)
        pace.limit = 32.0
        pace.overloaded(0.0)
        for _ in range(16):
            pace.answered()
        return pace.limit

    assert 19 < asyncio.run(run()) < 21  # 16 + 4 in a round of 16


def test_it_never_falls_below_one():
    async def run():
        pace = Pace(64)
        for _ in range(20):
            pace._last_cut = float("-inf")
            pace.overloaded(0.0)
        await ask(pace)
        return pace.limit

    assert asyncio.run(run()) >= 1.0


def test_requests_a_minute_are_spread_evenly():
    async def run():
        pace = Pace(64, requests_per_minute=3000)
        return sorted(await asyncio.gather(*(ask(pace) for _ in range(11))))

    went = asyncio.run(run())
    assert went[-1] - went[0] == pytest.approx(0.2, abs=0.1)
    assert went[-1] - went[0] >= 0.19


def test_tokens_a_minute_are_spread_and_corrected():
    async def run():
        pace = Pace(64, tokens_per_minute=60_000)
        start = time.monotonic()
        await ask(pace, tokens=100)
        pace.used(100, 300)
        await ask(pace, tokens=100)
        return time.monotonic() - start

    assert asyncio.run(run()) == pytest.approx(0.3, abs=0.1)


def test_closed_it_holds_nobody():
    async def run():
        pace = Pace(2)
        await pace.enter()
        await pace.enter()
        pace.overloaded(60)
        waiting = [asyncio.create_task(pace.enter()) for _ in range(3)]
        await asyncio.sleep(0.01)
        pace.close()
        await asyncio.wait_for(asyncio.gather(*waiting, pace.enter()), 1)

    asyncio.run(run())


def test_a_cancelled_request_gives_its_place_back():
    async def run():
        pace = Pace(1)
        await pace.enter()
        waiting = [asyncio.create_task(pace.enter()) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        pace.leave()
        await asyncio.wait_for(waiting[1], 1)
        pace.overloaded(60)
        pace.leave()
        paused = asyncio.create_task(pace.enter())
        await asyncio.sleep(0.01)
        paused.cancel()
        await asyncio.gather(paused, return_exceptions=True)
        return pace.in_flight

    assert asyncio.run(run()) == 0

"""The most that a run may cost."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from justeval.collect.budget import Budget

costs = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40)


@given(costs=costs, most=st.floats(0.01, 10.0), spent=st.floats(0.0, 5.0))
def test_whatever_things_cost_the_budget_holds(costs, most, spent):
    async def run():
        budget = Budget(most, spent)

        async def ask(cost: float) -> None:
            reserved = await budget.reserve(cost)
            if reserved is not None:
                await asyncio.sleep(0)
                budget.settle(reserved, cost / 2)

        await asyncio.gather(*(ask(cost) for cost in costs))
        return budget.spent_usd

    assert asyncio.run(run()) <= max(most, spent) + 1e-9


def test_without_a_bound_nothing_waits():
    async def run():
        budget = Budget()
        assert await budget.reserve(None) == 0.0
        budget.settle(0.0, 3.0)
        return budget.spent_usd

    assert asyncio.run(run()) == 3.0


def test_a_request_waits_while_one_in_the_air_may_turn_out_cheaper():
    async def run():
        budget = Budget(1.0)
        first = await budget.reserve(0.8)
        second = asyncio.create_task(budget.reserve(0.8))
        await asyncio.sleep(0)
        assert not second.done()
        budget.settle(first or 0.0, 0.1)
        return await second

    assert asyncio.run(run()) == 0.8


def test_a_cost_that_nobody_knows_goes_alone():
    async def run():
        budget = Budget(1.0)
        first = await budget.reserve(None)
        second = asyncio.create_task(budget.reserve(0.01))
        await asyncio.sleep(0)
        assert (first, second.done()) == (1.0, False)
        budget.settle(1.0, 0.2)
        assert await second == 0.01
        third = asyncio.create_task(budget.reserve(None))
        await asyncio.sleep(0)
        assert not third.done()
        budget.settle(0.01, 0.01)
        return await third

    assert asyncio.run(run()) == 1.0 - 0.2 - 0.01


def test_what_does_not_fit_is_refused():
    async def run():
        budget = Budget(1.0, spent_usd=0.95)
        assert await budget.reserve(0.1) is None
        assert await budget.reserve(0.05) is not None
        budget.settle(0.05, 0.05)
        return await budget.reserve(None)

    assert asyncio.run(run()) is None

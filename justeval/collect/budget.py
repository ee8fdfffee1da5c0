"""The most that a run may cost: no request goes out that could exceed it.

In: what a request will hardly exceed, and afterwards what it cost. Out: whether it may go. What
is in the air counts as spent until its cost is known. One budget holds for all models of a run.
"""

from __future__ import annotations

import asyncio
import math


class Budget:
    """`spent_usd` holds what earlier sessions of the run have spent, too."""

    def __init__(self, most_usd: float = math.inf, spent_usd: float = 0.0) -> None:
        self.most_usd = most_usd
        self.spent_usd = spent_usd
        self._reserved_usd = 0.0
        self._in_the_air = 0
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def bounded(self) -> bool:
        """Whether there is a bound at all."""
        return self.most_usd < math.inf

    async def reserve(self, cost_usd: float | None) -> float | None:
        """Sets aside what a request may cost; None where it does not fit.

        Waits while what is in the air may turn out cheaper. A cost that nobody knows takes all
        that is left, so that such a request goes alone.
        """
        if not self.bounded:
            return 0.0
        while True:
            left = self.most_usd - self.spent_usd - self._reserved_usd
            wanted = max(left, 0.0) if cost_usd is None else cost_usd
            alone = self._in_the_air == 0
            if 0 < left >= wanted and (alone or cost_usd is not None):
                self._reserved_usd += wanted
                self._in_the_air += 1
                return wanted
            if alone:
                return None
            change: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(change)
            await change

    def settle(self, reserved_usd: float, cost_usd: float) -> None:
        """Replaces what was set aside by what the request cost."""
        self.spent_usd += cost_usd
        if self.bounded:
            self._in_the_air -= 1
            self._reserved_usd -= reserved_usd
            if self._in_the_air == 0:
                self._reserved_usd = 0.0
            waiting, self._waiting = self._waiting, []
            for change in waiting:
                if not change.done():
                    change.set_result(None)

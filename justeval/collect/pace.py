"""How many requests are in the air at once, and when the next may go.

The number grows while answers come and is halved when the provider is overloaded. A wish to wait
(Retry-After) holds everything back until its time is over. Ceilings a minute, of requests and of
tokens, spread the requests evenly.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import deque

START = 8
START_SHARE = 8
"""The beginning: 8 requests in the air, or an eighth of the ceiling where that is more."""

CUT_SECONDS = 2.0
"""At most one halving in this time: one overload makes many requests fail together."""


class Pace:
    """Doubling, then additive increase; halving; under a ceiling, optionally so many a minute."""

    def __init__(
        self,
        ceiling: int,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
    ) -> None:
        self.ceiling = max(1, ceiling)
        self.limit = float(min(self.ceiling, max(START, self.ceiling // START_SHARE)))
        self.in_flight = 0
        self.resume_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._last_cut = -math.inf
        self._doubling_below = math.inf
        self._request_seconds = 60.0 / requests_per_minute if requests_per_minute else 0.0
        self._token_seconds = 60.0 / tokens_per_minute if tokens_per_minute else 0.0
        self._next_at = 0.0
        self._closed = asyncio.Event()

    @property
    def waiting_seconds(self) -> float:
        """Seconds until the provider may be asked again; 0 where it may now."""
        return max(0.0, self.resume_at - time.monotonic())

    async def enter(self, tokens: float = 0.0) -> None:
        """Waits for a place in the air, for the provider's pause to end, and for its turn.

        `tokens` is what the request is expected to use.
        """
        while self.in_flight >= int(self.limit) and not self._closed.is_set():
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                self._wake()
                raise
        self.in_flight += 1
        try:
            await self._turn(tokens)
        except asyncio.CancelledError:
            self.leave()
            raise

    async def _turn(self, tokens: float) -> None:
        gap = max(self._request_seconds, tokens * self._token_seconds)
        if gap:
            now = time.monotonic()
            turn = max(now, self._next_at)
            self._next_at = turn + gap
            await self._sleep(turn - now)
        while (pause := self.waiting_seconds) > 0 and not self._closed.is_set():
            await self._sleep(pause)

    async def _sleep(self, seconds: float) -> None:
        if seconds > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closed.wait(), seconds)

    def used(self, expected: float, tokens: float) -> None:
        """What a request used in place of what was expected: the next ones wait for the rest."""
        if self._token_seconds:
            self._next_at += (tokens - expected) * self._token_seconds

    def leave(self) -> None:
        """Gives the place back."""
        self.in_flight -= 1
        self._wake()

    def answered(self) -> None:
        """An answer came: the places double in a round of answers, after an overload grow by 4."""
        if self.limit < self.ceiling:
            more = 1.0 if self.limit < self._doubling_below else 4.0 / self.limit
            self.limit = min(float(self.ceiling), self.limit + more)
            self._wake()

    def overloaded(self, wait_seconds: float) -> None:
        """The provider asked to slow down: half the places, and nothing before the wait is over."""
        now = time.monotonic()
        self.resume_at = max(self.resume_at, now + wait_seconds)
        if now - self._last_cut > CUT_SECONDS:
            self._last_cut = now
            self.limit = max(1.0, self.limit / 2)
            self._doubling_below = self.limit

    def close(self) -> None:
        """Nothing goes out any more: whoever waits need not wait longer."""
        self._closed.set()
        for place in self._waiting:
            if not place.done():
                place.set_result(None)

    def _wake(self) -> None:
        free = int(self.limit) - self.in_flight
        while free > 0 and self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1

"""How many requests are in the air at once, and when the next may go.

The number grows while answers come and is halved when the provider is overloaded. A wish to wait
(Retry-After) holds everything back until its time is over.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque

START = 8
CUT_SECONDS = 2.0
"""At most one halving in this time: one overload makes many requests fail together."""


class Pace:
    """Additive increase, multiplicative decrease under a ceiling; optionally so many a minute."""

    def __init__(self, ceiling: int, requests_per_minute: float | None = None) -> None:
        self.ceiling = max(1, ceiling)
        self.limit = float(min(START, self.ceiling))
        self.in_flight = 0
        self.resume_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._last_cut = 0.0
        self._gap = 60.0 / requests_per_minute if requests_per_minute else 0.0
        self._next_at = 0.0

    @property
    def waiting_seconds(self) -> float:
        """Seconds until the provider may be asked again; 0 where it may now."""
        return max(0.0, self.resume_at - time.monotonic())

    async def enter(self) -> None:
        """Waits for a place in the air and for the provider's pause to end."""
        while self.in_flight >= int(self.limit):
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            await place
        self.in_flight += 1
        try:
            await self._turn()
        except asyncio.CancelledError:
            self.leave()
            raise

    async def _turn(self) -> None:
        while (pause := self.waiting_seconds) > 0:
            await asyncio.sleep(pause)
        if self._gap:
            now = time.monotonic()
            self._next_at = max(now, self._next_at) + self._gap
            if (wait := self._next_at - self._gap - now) > 0:
                await asyncio.sleep(wait)

    def leave(self) -> None:
        """Gives the place back."""
        self.in_flight -= 1
        self._wake()

    def answered(self) -> None:
        """An answer came: one more place for every full round of answers."""
        if self.limit < self.ceiling:
            self.limit = min(float(self.ceiling), self.limit + 1.0 / max(1.0, self.limit) * 4)
            self._wake()

    def overloaded(self, wait_seconds: float) -> None:
        """The provider asked to slow down: half the places, and nothing before the wait is over."""
        now = time.monotonic()
        self.resume_at = max(self.resume_at, now + wait_seconds)
        if now - self._last_cut > CUT_SECONDS:
            self._last_cut = now
            self.limit = max(1.0, self.limit / 2)

    def _wake(self) -> None:
        free = int(self.limit) - self.in_flight
        while free > 0 and self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1

"""Time and chance, as arguments: what a process has of them, and nothing else reads them."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from dream.night.landing import Patience

Wait = Callable[[float], Awaitable[None]]
"""Waits so many seconds without holding up the event loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The wall clock (aware UTC), a clock that never jumps (seconds), a way to wait, and a random share of a wait."""

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    sleep: Callable[[float], None]
    jitter: Callable[[float], float]

    def patience(self, seconds: float) -> Patience:
        """Return for how long a landing tries, by this clock."""
        return Patience(seconds=seconds, clock=self.monotonic, sleep=self.sleep, jitter=self.jitter)


def system_clock() -> Clock:
    """Return this machine's clock."""
    return Clock(
        now=lambda: datetime.now(UTC),
        monotonic=time.monotonic,
        sleep=time.sleep,
        jitter=lambda seconds: random.uniform(seconds / 2, seconds),  # noqa: S311  # spreads tries, guards nothing
    )

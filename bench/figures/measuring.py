"""Stopwatches, and the rows that they fill."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure: `cold` the first time, `warm` the best of the times after, beside what it is compared with."""

    what: str
    cold: str
    warm: str = ""
    reference: str = ""
    target: str = ""
    is_met: bool | None = None

    def cells(self) -> tuple[str, ...]:
        """Return what stands in the table."""
        met = {True: "yes", False: "no", None: ""}[self.is_met]
        return (self.what, self.cold, self.warm, self.reference, self.target, met)


def seconds(work: Callable[[], T]) -> tuple[float, T]:
    """Return the wall time that `work` takes, and what it returns."""
    start = time.perf_counter()
    value = work()
    return time.perf_counter() - start, value


def processor_seconds(work: Callable[[], T]) -> tuple[float, T]:
    """Return the processor time that `work` takes in this process, whoever else is busy, and what it returns."""
    start = time.process_time()
    value = work()
    return time.process_time() - start, value


def cold_and_warm(work: Callable[[], object], *, times: int = 3) -> tuple[float, float]:
    """Return the first time in seconds, and the best of `times` after it."""
    first, _ = seconds(work)
    return first, min(seconds(work)[0] for _ in range(times))


def shown(value: float) -> str:
    """Return seconds as people read them."""
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"


def say(line: str) -> None:
    """Tell the person who waits."""
    print(line, file=sys.stderr, flush=True)

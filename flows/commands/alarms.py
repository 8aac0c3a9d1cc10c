"""Work that ends in time, though what somebody typed would keep it going for ever."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTimeError(BaseException):
    """The time is up; no Exception, so that nobody on the way takes it for a fault of what it was busy with."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError in what is done here once `seconds` have passed.

    Only the main thread of a process can be woken, and only where the system has alarms: elsewhere nothing is bounded.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise OutOfTimeError

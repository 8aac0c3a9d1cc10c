"""One session with a server for all questions of a night: opened at the first, opened again where it has ended."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dream.sources.production.limits import ProbeLimits
from dream.sources.production.mcp.limits import SessionLimits
from dream.sources.production.mcp.ward import Question, Ward
from dream.sources.production.port import Down, Refused

if TYPE_CHECKING:
    from dream.sources.production.mcp.sessions import Way

_CLOSED = Down("the session was closed")


class Keeper:
    """Asks one question after the other, each within its time, in a session that is kept from one to the next.

    A session that the server has ended since the last question is opened again for the next, once and silently. One
    that dies over a question is ended by force; after so many in a row, nothing is opened any more.
    """

    def __init__(
        self, way: Callable[[], Way | Down | Refused], *, limits: ProbeLimits, sessions: SessionLimits
    ) -> None:
        """Take how the server is reached, which is asked whenever a session is opened; nothing is opened yet."""
        self._way = way
        self._limits = limits
        self._sessions = sessions
        self._modes: tuple[str, ...] = ()
        self._ward: Ward | None = None
        self._closed = False
        self._deaths: list[str] = []
        self._turn = threading.Lock()
        self._state = threading.Lock()

    def ask(self, work: Callable[[Any, Question], Awaitable[None]]) -> object:
        """Return what `work` gives the question that it puts, Down or Refused where it comes to nothing in time."""
        with self._turn:
            if len(self._deaths) >= self._sessions.deaths:
                dead = len(self._deaths)
                return Down(f"it is asked no more tonight, after {dead} sessions in a row died: {self._deaths[-1]}")
            until = time.monotonic() + self._limits.seconds
            result = self._asked(work, until)
            if isinstance(result, Down):
                self._deaths.append(result.reason)
            else:
                self._deaths.clear()
            return result

    def close(self) -> None:
        """End the session, and open no other; a question that waits is told so. More than once is as good as once."""
        with self._state:
            self._closed = True
            ward, self._ward = self._ward, None
        if ward is not None:
            ward.end(forced=False)

    def _asked(self, work: Callable[[Any, Question], Awaitable[None]], until: float) -> object:
        while True:
            kept = self._kept()
            ward = kept or self._opened()
            if not isinstance(ward, Ward):
                return ward
            late = Down(f"it gave no answer within {self._limits.seconds:g} s")
            result = ward.ask(Question(work), until=until, late=late)
            self._modes = (ward.mode,) if ward.mode else self._modes
            if ward.lost:
                ward.end(forced=True)
            if not (isinstance(result, Down) and kept and time.monotonic() < until):
                return result

    def _kept(self) -> Ward | None:
        with self._state:
            ward = self._ward
            if ward is None or not ward.lost:
                return ward
            self._ward = None
        ward.end(forced=True)
        return None

    def _opened(self) -> Ward | Down | Refused:
        from dream.sources.production.mcp.sessions import converse  # noqa: PLC0415 - a second that only its users pay

        way = self._way()
        if isinstance(way, Down | Refused):
            return way
        kept = replace(way, modes=self._modes or way.modes)
        with self._state:
            if self._closed:
                return _CLOSED
            self._ward = Ward(answer_bytes=self._limits.output_bytes, limits=self._sessions)
            self._ward.start(lambda ward: converse(kept, ward))
            return self._ward

"""A night in a thread of its own: it may block as it likes, and can be given up without taking anybody along."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from typing import Any, TypeVar

from structlog.contextvars import bound_contextvars

from dream.errors import DreamError, TransientError
from flows.calling import Call
from flows.threads import start_thread

T = TypeVar("T")

Show = Callable[[str, "Future[Any]"], Coroutine[Any, Any, None]]
"""Shows a step, by its name, until what it comes to is there; raises nothing."""

_SHOWN_SECONDS = 10
"""So long is waited until the step of a night that was given up is shown as ended."""


class GivenUpError(TransientError):
    """A night was given up; whatever it did not land until then it never will."""

    usual_way_out = "run it again: what has landed is not done again"


class Steps:
    """The steps of one night, run one by one in the night's own thread; none begins once it was given up."""

    def __init__(self, show: Show, loop: asyncio.AbstractEventLoop) -> None:
        """Show each step in `loop`, which is not the night's."""
        self._show = show
        self._loop = loop
        self._lock = threading.Lock()
        self._stopped = ""
        self._ended: Future[Any] | None = None
        self._shown: Future[None] | None = None
        self.name = ""

    async def __call__(self, name: str, step: Callable[[], T]) -> T:
        """Return what `step` returns; raises GivenUpError where nothing begins any more."""
        ended: Future[Any] = Future()
        ended.set_running_or_notify_cancel()
        with self._lock:
            if self._stopped or self._loop.is_closed():
                raise GivenUpError(self._stopped or "what ran this night has ended")
            self.name, self._ended = name, ended
            self._shown = asyncio.run_coroutine_threadsafe(self._show(name, ended), self._loop)
        try:
            with bound_contextvars(task=name):
                value = step()
        except BaseException as error:
            _settle(ended, error)
            self._wait()
            raise
        with suppress(InvalidStateError):
            ended.set_result(value)
        self._wait()
        return value

    def forbid(self, why: str) -> None:
        """Let no other step begin."""
        with self._lock:
            self._stopped = self._stopped or why

    async def stop(self, why: str) -> None:
        """Let no other step begin, and show the one that runs as failed; it is not waited for."""
        self.forbid(why)
        ended, shown = self._ended, self._shown
        if ended is None or shown is None or shown.done():
            return
        _settle(ended, GivenUpError(why))
        await asyncio.wait({asyncio.wrap_future(shown)}, timeout=_SHOWN_SECONDS)

    def _wait(self) -> None:
        """Wait until the step is shown, so that the next one is shown after it."""
        try:
            if self._shown is not None:
                self._shown.result()
        except CancelledError as error:
            raise GivenUpError(self._stopped or "what ran this night has ended") from error


async def dream_apart(
    work: Callable[[Call], Coroutine[Any, Any, T]],
    *,
    show: Show,
    stops: Sequence[Callable[[Steps], Awaitable[DreamError]]],
    name: str,
) -> T:
    """Return what `work` comes to in a thread and an event loop of its own, each of its steps shown in this loop.

    It is given up once one of `stops` knows why. Then no step of it begins any more, and what it holds, such as its
    lock, it holds until the one that hangs has ended or the process does.

    Raises:
        DreamError: of `work`, or of the one that stopped it.
    """
    steps = Steps(show, asyncio.get_running_loop())
    running = start_thread(lambda: asyncio.run(work(steps)), name=f"night of {name}")
    stopping = [asyncio.ensure_future(stop(steps)) for stop in stops]
    try:
        both: list[asyncio.Future[Any]] = [running, *stopping]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            return running.result()
        error = next(one.result() for one in stopping if one.done())
        await steps.stop(str(error))
        raise error
    finally:
        steps.forbid("its run was ended")
        for one in stopping:
            one.cancel()
        running.cancel()


def _settle(ended: Future[Any], error: BaseException) -> None:
    with suppress(InvalidStateError):
        ended.set_exception(error)

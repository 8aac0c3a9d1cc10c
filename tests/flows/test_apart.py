"""A night in a thread of its own: what hangs is given up, and takes nobody along."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import ContextVar
from functools import partial
from typing import Any

import pytest

from dream.errors import DreamError, TransientError
from flows.apart import Steps, dream_apart
from flows.calling import Call
from flows.threads import start_thread

OVERDUE = TransientError("given up")


class Shown:
    """What was shown of each step: that it began, and what it came to."""

    def __init__(self) -> None:
        self.told: list[str] = []

    async def __call__(self, name: str, ended: Future[Any]) -> None:
        self.told.append(f"{name} began")
        try:
            self.told.append(f"{name}: {await asyncio.wrap_future(ended)}")
        except DreamError as error:
            self.told.append(f"{name}: {error}")


def stopped_by(event: asyncio.Event) -> Callable[[Steps], Awaitable[DreamError]]:
    async def stop(steps: Steps) -> DreamError:
        del steps
        await event.wait()
        return OVERDUE

    return stop


def hang(hangs: threading.Event, until: threading.Event) -> None:
    hangs.set()
    until.wait()


async def apart(work: Callable[[Call], Any], *, shown: Shown | None = None, stop: asyncio.Event | None = None) -> Any:
    stops = [stopped_by(stop)] if stop else []
    return await dream_apart(work, show=shown or Shown(), stops=stops, name="acme")


def test_the_steps_of_a_night_are_shown_in_order_and_its_end_is_returned() -> None:
    shown = Shown()

    async def night(call: Call) -> str:
        first = await call("open", lambda: "one")
        return first + await call("land", lambda: "two")

    assert asyncio.run(apart(night, shown=shown)) == "onetwo"
    assert shown.told == ["open began", "open: one", "land began", "land: two"]


def test_all_of_a_night_runs_in_one_thread_that_is_not_the_loops_and_sees_what_was_bound() -> None:
    bound: ContextVar[str] = ContextVar("bound")
    bound.set("acme")

    async def night(call: Call) -> list[Any]:
        seen = [threading.get_ident(), await call("open", threading.get_ident), await call("land", bound.get)]
        return [seen[0] == seen[1], seen[0] != threading.main_thread().ident, seen[2]]

    assert asyncio.run(apart(night)) == [True, True, "acme"]


def test_a_night_that_hangs_is_given_up_and_begins_no_other_step_when_it_goes_on() -> None:
    async def play() -> tuple[list[str], list[str]]:
        hangs, goes_on, stop, ended = threading.Event(), threading.Event(), asyncio.Event(), threading.Event()
        shown, ran = Shown(), list[str]()

        async def night(call: Call) -> None:
            try:
                await call("open", partial(hang, hangs, goes_on))
                await call("land", lambda: ran.append("land"))
            except DreamError as error:
                ran.append(str(error))
                raise
            finally:
                ended.set()

        running = asyncio.create_task(apart(night, shown=shown, stop=stop))
        await start_thread(hangs.wait, name="test")
        stop.set()
        with pytest.raises(TransientError, match="given up"):
            await running
        goes_on.set()
        await start_thread(ended.wait, name="test")
        return shown.told, ran

    shown, ran = asyncio.run(play())
    assert shown == ["open began", "open: given up"]
    assert ran == ["given up"]


def test_a_night_whose_run_is_cancelled_begins_no_other_step() -> None:
    async def play() -> list[str]:
        hangs, goes_on, ended = threading.Event(), threading.Event(), threading.Event()
        ran = list[str]()

        async def night(call: Call) -> None:
            try:
                await call("open", partial(hang, hangs, goes_on))
                await call("land", lambda: ran.append("land"))
            except DreamError as error:
                ran.append(str(error))
                raise
            finally:
                ended.set()

        running = asyncio.create_task(apart(night))
        await start_thread(hangs.wait, name="test")
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        goes_on.set()
        await start_thread(ended.wait, name="test")
        return ran

    assert asyncio.run(play()) == ["its run was ended"]


def test_what_a_step_raises_is_raised_by_the_night_and_shown() -> None:
    shown = Shown()

    def broken() -> None:
        message = "the remote is down"
        raise TransientError(message)

    async def night(call: Call) -> None:
        await call("open", broken)

    with pytest.raises(TransientError, match="the remote is down"):
        asyncio.run(apart(night, shown=shown))
    assert shown.told == ["open began", "open: the remote is down"]


_HANGS = """
import asyncio, threading
from flows.threads import start_thread

async def main():
    begun = threading.Event()
    start_thread(lambda: (begun.set(), threading.Event().wait()), name="hangs")
    await start_thread(begun.wait, name="waits")
    print("over")

asyncio.run(main())
"""


def test_a_process_ends_although_a_thread_of_it_hangs() -> None:
    done = subprocess.run([sys.executable, "-c", _HANGS], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "over\n", "")

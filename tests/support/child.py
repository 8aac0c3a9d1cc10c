"""A night in a process of its own, which signals itself at a step, forked where everything is imported already."""

from __future__ import annotations

import logging
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, TypeVar

import structlog

from dream.errors import DreamError
from flows.calling import call_here
from tests.support.repositories import Hosted
from tests.support.stage import NIGHT, Stage

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Orders:
    """What can be told to another process; there it is what `start` was told."""

    path: str
    url: str
    root: str
    home: str
    extra: Mapping[str, Any]
    step: str
    by: signal.Signals
    room: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a night's process ended: its exit code, negative for a signal, and the status or error that it told."""

    told: str
    exit_code: int | None


class Started:
    """A night that is running."""

    def __init__(self, process: ForkServerProcess, answers: Connection) -> None:
        """Take what `start` made."""
        self._process = process
        self._answers = answers

    def kill(self) -> None:
        """Kill the process, and not the git program that it may have started."""
        self._process.kill()

    def wait_until_stopped(self, *, seconds: float = 60) -> None:
        """Return once it stands still where it stopped itself; raises TimeoutError."""
        deadline = time.monotonic() + seconds
        while self._state() != "T":
            if time.monotonic() > deadline or not self._process.is_alive():
                message = f"process {self._process.pid} never stopped"
                raise TimeoutError(message)
            time.sleep(0.01)

    def go_on(self) -> None:
        """Let it go on from where it stopped itself."""
        os.kill(self._process.pid or 0, signal.SIGCONT)

    def end(self, *, seconds: float = 60) -> Ended:
        """Wait for its end and return what it came to; raises TimeoutError."""
        told = ""
        try:
            if not self._answers.poll(seconds):
                self.kill()
                message = f"process {self._process.pid} never ended"
                raise TimeoutError(message)
            told = self._answers.recv()
        except (EOFError, ConnectionResetError):
            pass  # it was killed, or broke off, before it could say anything
        self._process.join(seconds)
        self._answers.close()
        return Ended(told=told, exit_code=self._process.exitcode)

    def _state(self) -> str:
        try:
            return Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return ""


def start(
    stage: Stage,
    *,
    step: str = "",
    by: signal.Signals = signal.SIGKILL,
    home: str = "home",
    room: int | None = None,
) -> Started:
    """Start a night that sends itself the signal `by` when it comes to `step`; it tells how it ended.

    With `room` it is not signalled: from `step` on no file can grow past so many bytes, and what it writes is cut off
    there, as on a disk that is full.
    """
    orders = _Orders(
        path=str(stage.hosted.path),
        url=stage.hosted.url,
        root=str(stage.root),
        home=home,
        extra=dict(stage.extra),
        step=step,
        by=by,
        room=room,
    )
    context = multiprocessing.get_context("forkserver")
    # one server forks for all who ask it, so that it imports what the nights of `bench` need as well
    context.set_forkserver_preload([__name__, "bench.faults.child"])
    answers, told = context.Pipe(duplex=False)
    process = context.Process(target=_main, args=(orders, told), daemon=True)
    process.start()
    told.close()
    return Started(process, answers)


def _main(orders: _Orders, told: Connection) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)

    async def call(name: str, step: Callable[[], T]) -> T:
        if name == orders.step and orders.room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (orders.room, orders.room))
        elif name == orders.step:
            os.kill(os.getpid(), orders.by)
        return await call_here(name, step)

    stage = Stage(hosted=Hosted(path=Path(orders.path), url=orders.url), root=Path(orders.root), extra=orders.extra)
    try:
        told.send(stage.dream(NIGHT, home=orders.home, call=call).status)
    except DreamError as error:
        told.send(f"not-landed: {error}")
        sys.exit(error.exit_code)

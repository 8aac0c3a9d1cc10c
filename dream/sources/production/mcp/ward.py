"""A session with a server that nobody can trust to end: run beside the caller, ended by force when its time is over."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from dream.sources.production.port import Down, Refused

Result = TypeVar("Result")
_GRACE_SECONDS = 1.0
_OVERHEAD = 100_000


class Ward:
    """One session: what it came to, how much of it was read, and the process that it started, if any.

    The first result that is given stays; one that is given before the session has ended is not lost by how it ends.
    """

    def __init__(self, *, answer_bytes: int) -> None:
        """Allow what answers of so many bytes take, as JSON within JSON and with all that a session says besides."""
        self.settled = threading.Event()
        self.stage = "connecting"
        self.result: object = None
        self.longest = 2 * answer_bytes + _OVERHEAD
        """The bytes of one message."""
        self._left = 2 * self.longest
        self._answer_bytes = answer_bytes
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._stop: Callable[[], object] | None = None

    def give(self, result: object) -> None:
        """Settle what the session came to, unless that is settled."""
        with self._lock:
            if not self.settled.is_set():
                self.result = result
                self.settled.set()

    def take(self, count: int) -> bool:
        """Count bytes that came; False, and the session is settled, where they are too many."""
        self._left -= count
        return self._left >= 0 or self.too_much()

    def too_much(self) -> bool:
        """Settle that more came than any answer needs; False."""
        self.give(Refused(f"it says more than an answer of {self._answer_bytes} bytes takes"))
        return False

    def holds(self, process: subprocess.Popen[bytes]) -> None:
        """Name the process, leader of a group of its own, that ends with the session."""
        self._process = process

    def kill(self) -> None:
        """End every process of the group of the session's own process, and collect it."""
        process = self._process
        if process is None:
            return
        if process.returncode is None:  # until it is collected, its number cannot be another's
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=_GRACE_SECONDS)

    def run(self, work: Callable[[Ward], Awaitable[None]]) -> None:
        """Run a session to its end in an event loop of its own."""

        async def main() -> None:
            loop, task = asyncio.get_running_loop(), asyncio.current_task()
            if task is not None:
                self._stop = lambda: loop.call_soon_threadsafe(task.cancel)
            await work(self)

        try:
            with asyncio.Runner() as runner:
                runner.run(main())
        except BaseException as error:  # noqa: BLE001 - of a thread nobody else would hear
            self.give(Down(f"the session broke off ({type(error).__name__})"))
        finally:
            self.give(Down("the session ended without an answer"))

    def stop(self) -> None:
        """Ask the session's event loop to end."""
        stop = self._stop
        if stop is not None:
            with suppress(RuntimeError):  # it has ended
                stop()


def watched(work: Callable[[Ward], Awaitable[None]], *, seconds: float, answer_bytes: int) -> object:
    """Return what a session gives its ward, Down where that takes more than `seconds`.

    Whatever the session does, this returns soon after: its process group is killed, its event loop cancelled, and a
    thread that ends in spite of neither is left behind.
    """
    ward = Ward(answer_bytes=answer_bytes)
    thread = threading.Thread(target=ward.run, args=(work,), daemon=True)
    thread.start()
    if not ward.settled.wait(seconds):
        ward.give(Down(f"it gave no answer within {seconds:g} s ({ward.stage})"))
        ward.kill()
        ward.stop()
    thread.join(_GRACE_SECONDS)
    if thread.is_alive():
        ward.kill()
        ward.stop()
        thread.join(_GRACE_SECONDS)
    ward.kill()
    return ward.result

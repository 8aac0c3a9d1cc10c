"""A session with a server that nobody can trust: run beside who asks in it, ended by force if need be."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from dream.sources.production.mcp.limits import SessionLimits
from dream.sources.production.port import Down, Refused

_OVERHEAD = 100_000


class Question:
    """One thing that a session is asked: the first result that is given to it stays."""

    def __init__(self, work: Callable[[Any, Question], Awaitable[None]]) -> None:
        """Take what puts it in a session; that gives it its result."""
        self.work = work
        self.settled = threading.Event()
        self.result: object = None
        self._lock = threading.Lock()

    def give(self, result: object) -> None:
        """Settle what came of it, unless that is settled."""
        with self._lock:
            if not self.settled.is_set():
                self.result = result
                self.settled.set()


class Ward:
    """One session: the question in it, how much of it was read, and the process that it started, if any.

    A session of which a question was not answered in time, or more was read than an answer takes, is asked nothing
    more, so that nothing it says later can answer another question.
    """

    def __init__(self, *, answer_bytes: int, limits: SessionLimits) -> None:
        """Allow for each question what answers of so many bytes take, with all that a session says besides."""
        self.stage = "connecting"
        self.mode = ""
        """The way of speaking in which it was opened, "" until it is."""
        self.lost = False
        """Whether nothing more can be asked in it."""
        self.longest = 2 * answer_bytes + _OVERHEAD
        """The bytes of one message."""
        self.limits = limits
        self._left = 2 * self.longest
        self._answer_bytes = answer_bytes
        self._lock = threading.Lock()
        self._question: Question | None = None
        self._inbox: asyncio.Queue[Question | None] = asyncio.Queue()
        self._process: subprocess.Popen[bytes] | None = None
        self._over = self._stopped = False
        self._task: asyncio.Task[Any] | None = None
        self._loop = asyncio.new_event_loop()
        self._thread: threading.Thread | None = None

    def start(self, session: Callable[[Ward], Awaitable[None]]) -> None:
        """Begin the session in a thread and an event loop of its own; it takes its questions from `questions`."""
        thread = threading.Thread(target=self._run, args=(session,), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # as many run as may
            self._loop.close()
            self.lost = True
        else:
            self._thread = thread

    def ask(self, question: Question, *, until: float, late: Down) -> object:
        """Return what comes of a question; `late`, and the session is lost, at `until` on the monotonic clock."""
        with self._lock:
            if self.lost:
                return Down("the session ended without an answer")
            self._question, self._left = question, 2 * self.longest
        self._post(question)
        if not question.settled.wait(max(0.0, until - time.monotonic())):
            question.give(Down(f"{late.reason} ({self.stage})"))
            self.lost = True
        with self._lock:
            self._question, self._left = None, 2 * self.longest
        return question.result

    async def questions(self) -> AsyncGenerator[Question, None]:
        """Yield the questions that are asked in the session, until it is to end."""
        while (question := await self._inbox.get()) is not None:
            yield question

    def fail(self, result: object) -> None:
        """Settle the question that waits, if one does, and let nothing more be asked."""
        with self._lock:
            self.lost = True
            question = self._question
        if question is not None:
            question.give(result)
        self._post(None)

    def lose(self) -> None:
        """Let nothing more be asked: the server has ended the session."""
        self.lost = True
        self._post(None)

    def take(self, count: int) -> bool:
        """Count bytes that came, for a question or since the last; False, and all is over, where they are too many."""
        with self._lock:
            self._left -= count
            is_within = self._left >= 0
        return is_within or self.too_much()

    def too_much(self) -> bool:
        """Settle that more came than any answer needs; False."""
        self.fail(Refused(f"it says more than an answer of {self._answer_bytes} bytes takes"))
        return False

    def holds(self, process: subprocess.Popen[bytes]) -> None:
        """Name the process, leader of a group of its own, that ends with the session."""
        self._process = process
        if self._over:
            self.kill()

    def kill(self) -> None:
        """End every process of the group of the session's own process, and collect it."""
        process = self._process
        if process is None:
            return
        if process.returncode is None:  # until it is collected, its number cannot be another's
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=self.limits.grace_seconds)

    def exit_code(self) -> int | None:
        """Return what the session's own process ended with by itself, None where it runs, was killed or is none."""
        process = self._process
        if process is None:
            return None
        if process.returncode is not None:
            return process.returncode if process.returncode >= 0 else None
        with suppress(ChildProcessError):
            ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            return ended.si_status if ended is not None and ended.si_code == os.CLD_EXITED else None
        return None

    def end(self, *, forced: bool) -> None:
        """End the session: by its own rules, and where that takes too long, or it is `forced`, by force.

        Its process group is killed, its event loop cancelled, and a thread that ends in spite of neither is left
        behind.
        """
        if not forced:
            self.fail(Down("the session was closed"))
            self._join()
        self._over = self.lost = True
        self.kill()
        if self._is_running():
            self._stop()
            self._join()
        self.kill()

    def _run(self, session: Callable[[Ward], Awaitable[None]]) -> None:
        async def main() -> None:
            self._task = asyncio.current_task()
            if not self._stopped:
                await session(self)

        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(main())
        except BaseException as error:  # noqa: BLE001 - of a thread nobody else would hear
            self.fail(Down(f"the session broke off ({type(error).__name__})"))
        finally:
            self.fail(Down("the session ended without an answer"))

    def _post(self, question: Question | None) -> None:
        with suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(self._inbox.put_nowait, question)

    def _stop(self) -> None:
        def cancel() -> None:
            self._stopped = True
            if self._task is not None:
                self._task.cancel()

        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(cancel)

    def _is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _join(self) -> None:
        if self._thread is not None:
            self._thread.join(self.limits.grace_seconds)

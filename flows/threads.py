"""Work in threads of our own: one that hangs takes no place in a pool, and does not keep the process from ending."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")


def start_thread(work: Callable[[], T], *, name: str) -> asyncio.Future[T]:
    """Start `work` in a daemon thread that sees the variables of this context, and return what it will come to.

    Cancelling that abandons the thread, which nobody can stop.
    """
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()
    context = copy_context()

    def run() -> None:
        try:
            value = context.run(work)
        except BaseException as error:  # noqa: BLE001  # it is raised where the future is waited for
            future.set_exception(error)
        else:
            future.set_result(value)

    threading.Thread(target=run, name=name, daemon=True).start()
    return asyncio.wrap_future(future)

"""Whatever ends a session, it leaves nothing to the garbage collector: no pipe, no stream, no event loop."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import mcp_types
import pytest
from mcp.shared.message import SessionMessage

from dream.sources.production.mcp.limits import SessionLimits
from dream.sources.production.mcp.sessions import Way, call, converse
from dream.sources.production.mcp.stdio import program_streams
from dream.sources.production.mcp.ward import Question, Ward
from dream.sources.production.port import Down
from tests.support.mcp_probes import HANGS, ORDERS, PATIENT, PREVIOUS, REPLICAS, by_command
from tests.support.mcp_server_web import running

LIMITS = SessionLimits(leaving_seconds=0.01, grace_seconds=60)
LATE = Down("late")
STEPS_OF_A_START = range(8)
"""The rounds of the event loop in which a program's three pipes are connected, and a few more."""


@pytest.fixture
def left_open(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[str]]]:
    """What tells all that was left open and could not be told of when it was collected."""
    told: list[str] = []
    gc.collect()
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: told.append(str(unraisable.exc_value)))

    def collected() -> list[str]:
        gc.collect()
        return told

    yield collected
    gc.collect()


@contextmanager
def warded(session: Callable[[Ward], Awaitable[None]]) -> Iterator[Ward]:
    """Run a session for as long as the context lasts, and until its thread has ended."""
    ward = Ward(answer_bytes=PATIENT.output_bytes, limits=LIMITS)
    ward.start(session)
    try:
        yield ward
    finally:
        ward.end(forced=False)
        assert not ward._is_running()


def broken_off(
    session: Callable[[Ward], Awaitable[None]], *, at: Callable[[Ward], bool], after: int, times: int
) -> None:
    """Run a session, and cancel it so many times, from so many rounds of its event loop after a moment on."""

    async def watched(ward: Ward) -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def look(left: int) -> None:
            if task.done():
                return
            if left > 0:
                loop.call_soon(look, left - 1 if at(ward) else left)
                return
            task.cancel()
            if left > 1 - times:
                loop.call_soon(look, left - 1)

        look(after)
        await session(ward)

    with warded(watched) as ward:
        hanging = Question(call("replicas", json.loads(HANGS), lambda _server: ""))
        assert isinstance(ward.ask(hanging, until=time.monotonic() + 60, late=LATE), Down)


@pytest.fixture
def program(tmp_path: Path) -> Way:
    command = (sys.executable, "-IS", PREVIOUS)
    return Way(command=command, environment={"TRACE": str(tmp_path / "trace")}, seconds=60)


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("after", STEPS_OF_A_START)
def test_a_session_that_is_broken_off_while_its_program_starts_leaves_nothing_open(
    program: Way, left_open: Callable[[], list[str]], after: int, times: int
) -> None:
    broken_off(lambda ward: converse(program, ward), at=lambda _ward: True, after=after, times=times)
    assert left_open() == []


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("stage", ["listing its tools", "calling"])
def test_a_session_that_is_broken_off_over_a_question_leaves_nothing_open(
    program: Way, left_open: Callable[[], list[str]], stage: str, times: int
) -> None:
    broken_off(lambda ward: converse(program, ward), at=lambda ward: ward.stage == stage, after=2, times=times)
    assert left_open() == []


@pytest.mark.parametrize("stage", ["connecting", "listing its tools", "calling"])
def test_a_session_with_a_web_server_that_is_broken_off_leaves_nothing_open(
    left_open: Callable[[], list[str]], stage: str
) -> None:
    with running() as server:
        way = Way(url=server.url, addresses=("127.0.0.1",), seconds=60)
        for after in range(0, 30, 3):
            broken_off(
                lambda ward: converse(way, ward), at=lambda ward: ward.stage == stage, after=after, times=1 + after % 2
            )
    assert left_open() == []


def test_a_program_that_reads_nothing_more_leaves_nothing_open(
    left_open: Callable[[], list[str]], tmp_path: Path
) -> None:
    """What was written to it and nobody read keeps an event loop from closing the pipe by itself."""
    params = {"said": "x" * 1_000_000}
    long = SessionMessage(mcp_types.JSONRPCNotification(jsonrpc="2.0", method="notifications/said", params=params))
    held_open = "import os, time\nif os.fork() == 0: os.setsid()\ntime.sleep(60)"  # by whom the kill does not reach
    written = threading.Event()

    async def writing(ward: Ward) -> None:
        command = (sys.executable, "-ISc", held_open)
        async with program_streams(command, {}, tmp_path, ward) as (_, to_server):
            await to_server.send(long)
            await anyio.sleep(0.2)
            written.set()
            await anyio.sleep_forever()

    with warded(writing) as ward:
        assert written.wait(60)
        ward._stop()
    assert left_open() == []


def test_a_session_for_which_no_thread_can_be_started_is_lost_and_leaves_nothing_open(
    left_open: Callable[[], list[str]], tmp_path: Path
) -> None:
    usual = threading.stack_size(1 << 46)
    try:
        with by_command(tmp_path / "trace") as probe:
            assert probe.ask("replicas", ORDERS) == Down("the session ended without an answer")
    finally:
        threading.stack_size(usual)
    assert left_open() == []


@pytest.mark.parametrize(
    "fault", ["", "hang-tools/list", "end-initialize", "end-tools/call", "leaves-a-child", "asks-back"]
)
def test_a_probe_leaves_nothing_open_when_it_is_closed(
    left_open: Callable[[], list[str]], tmp_path: Path, fault: str
) -> None:
    with by_command(tmp_path / "trace", *([fault] if fault else [])) as probe:
        if fault == "hang-tools/list":
            asking = threading.Thread(target=probe.ask, args=("replicas", ORDERS))
            asking.start()
            probe.close()
            asking.join()
        else:
            assert (probe.ask("replicas", ORDERS) == REPLICAS) is not fault.startswith("end")
        probe.close()
    assert left_open() == []

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TextIO

import pytest
import structlog

from flows.telling.board import is_shown
from flows.telling.logs import configure_logs
from flows.telling.terminal_board import live_board


def pipe_without_a_reader() -> int:
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def terminal_that_was_closed() -> int:
    person, terminal = os.openpty()
    os.close(person)
    return terminal


def disk_that_is_full() -> int:
    return os.open("/dev/full", os.O_WRONLY)


@pytest.fixture(params=[pipe_without_a_reader, terminal_that_was_closed, disk_that_is_full])
def unread(request: pytest.FixtureRequest) -> Iterator[TextIO]:
    """A stream that nothing can be written to any more."""
    stream = open(request.param(), "w", encoding="utf-8", closefd=True)  # noqa: PTH123, SIM115 - it has no path
    yield stream
    with suppress(OSError):
        stream.close()
    structlog.reset_defaults()


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_line_that_nobody_reads_any_more_costs_no_night(unread: TextIO, form: str) -> None:
    configure_logs(form=form, stream=unread)
    structlog.get_logger().warning("night.opened", tasks=3)
    structlog.get_logger().warning("night.opened", tasks=4)


@pytest.mark.parametrize(("kind", "shown"), [("xterm", True), ("dumb", False)])
def test_a_terminal_that_cannot_take_a_line_back_is_told_by_the_log(
    monkeypatch: pytest.MonkeyPatch, kind: str, *, shown: bool
) -> None:
    person, mine = os.openpty()
    with (
        open(person, "rb"),  # noqa: PTH123 - it has no path
        open(mine, "w", encoding="utf-8") as stream,  # noqa: PTH123 - as above
        monkeypatch.context() as patched,
    ):
        patched.setattr(sys, "stderr", stream)
        patched.setenv("TERM", kind)
        with live_board(form="text", level="INFO"):
            assert is_shown() is shown


def test_prefects_own_lines_that_nobody_reads_any_more_end_no_process(
    unread: TextIO, capsys: pytest.CaptureFixture[str]
) -> None:
    from prefect.logging.handlers import PrefectConsoleHandler  # noqa: PLC0415  # two seconds that few tests need

    handler = PrefectConsoleHandler(stream=unread)
    logging.getLogger("prefect").addHandler(handler)
    try:
        configure_logs()
        handler.emit(logging.LogRecord("prefect.flow_runs", logging.INFO, "", 1, "Beginning", (), None))
    finally:
        logging.getLogger("prefect").removeHandler(handler)
    assert "Logging error" not in capsys.readouterr().err

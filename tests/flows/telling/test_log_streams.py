from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import TextIO

import pytest
import structlog

from flows.telling.logs import configure_logs


@pytest.fixture
def unread() -> Iterator[TextIO]:
    """A stream whose reader has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    stream = open(writing, "w", encoding="utf-8", closefd=True)  # noqa: PTH123, SIM115 - it has no path
    yield stream
    with suppress(BrokenPipeError):
        stream.close()
    structlog.reset_defaults()


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_line_that_nobody_reads_any_more_costs_no_night(unread: TextIO, form: str) -> None:
    configure_logs(form=form, stream=unread)
    structlog.get_logger().warning("night.opened", tasks=3)
    structlog.get_logger().warning("night.opened", tasks=4)


def test_prefects_own_lines_that_nobody_reads_any_more_end_no_process(unread: TextIO) -> None:
    from prefect.logging.handlers import PrefectConsoleHandler  # noqa: PLC0415  # two seconds that few tests need

    handler = PrefectConsoleHandler(stream=unread)
    logging.getLogger("prefect").addHandler(handler)
    try:
        configure_logs()
        handler.emit(logging.LogRecord("prefect.flow_runs", logging.INFO, "", 1, "Beginning", (), None))
    finally:
        logging.getLogger("prefect").removeHandler(handler)
    assert handler.console.quiet

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest
import structlog
from structlog.contextvars import bound_contextvars

from flows.telling.logs import configure_logs


@pytest.fixture(autouse=True)
def _defaults_afterwards() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def test_a_line_of_text_begins_with_what_every_line_has() -> None:
    stream = io.StringIO()
    configure_logs(stream=stream)
    with bound_contextvars(task="tidy", night="2026-10-22", organisation="acme"):
        structlog.get_logger().info("task.planned", written=3, outcome="changed")
    _, _, rest = stream.getvalue().partition(" ")
    assert (
        rest == "level=info event=task.planned organisation=acme night=2026-10-22 task=tidy written=3 outcome=changed\n"
    )


def test_a_line_of_json_is_one_document() -> None:
    stream = io.StringIO()
    configure_logs(form="json", stream=stream)
    structlog.get_logger().warning("mirror.rebuilt", cause="asked\nfor")
    document = json.loads(stream.getvalue())
    assert {name: value for name, value in document.items() if name != "timestamp"} == {
        "cause": "asked\\nfor",
        "event": "mirror.rebuilt",
        "level": "warning",
    }


def test_what_is_below_the_level_is_not_said() -> None:
    stream = io.StringIO()
    configure_logs(level="WARNING", stream=stream)
    structlog.get_logger().info("night.opened")
    assert stream.getvalue() == ""


def test_no_value_acts_on_a_terminal_or_begins_a_line() -> None:
    stream = io.StringIO()
    configure_logs(stream=stream)
    structlog.get_logger().info("branch.moved", by="\x1b[2Jlevel=error\nevent=forged\u202e")
    assert stream.getvalue().count("\n") == 1
    assert "\x1b" not in stream.getvalue()
    assert "\u202e" not in stream.getvalue()


def test_logs_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs()
    structlog.get_logger().info("night.landed")
    out, err = capsys.readouterr()
    assert (out, "event=night.landed" in err) == ("", True)

"""How far nights are: counted while they go on, shown on a terminal alone, and in the place of what is logged."""

from __future__ import annotations

import asyncio
import io
import sys

import pytest
import structlog
from rich.console import Console

from flows.calling import call_here
from flows.telling.board import Board, Progress, following, is_shown, showing
from flows.telling.following import followed
from flows.telling.logs import configure_logs
from flows.telling.terminal_board import live_board, render_board


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(board: Board, *, now: float) -> list[str]:
    console = Console(file=io.StringIO(), width=100)
    with console.capture() as captured:
        console.print(render_board(board, now=now))
    return [" ".join(line.split()) for line in captured.get().splitlines()]


def test_a_night_is_followed_from_step_to_step() -> None:
    told = []
    with following("acme") as progress:
        call = followed(call_here, progress)
        asyncio.run(call("open", lambda: told.append(progress.told)))
        progress.asked = lambda: 1_200
        asyncio.run(call("tidy", lambda: told.append(progress.told)))
        assert (progress.percent, progress.ended) == (16.7, False)
    assert told == ["open, step 1 of 12", "tidy, step 2 of 12, 1,200 questions asked"]
    assert (progress.percent, progress.ended) == (100.0, True)


def test_a_board_has_a_line_for_each_night_that_is_under_way_and_counts_those_that_ended() -> None:
    board: Board = []
    assert not is_shown()
    with showing(board):
        assert is_shown()
        with following("acme"):
            pass
        with following("birch") as birch:
            birch.step, birch.since = "[red]tidy", 100.0
            assert drawn(board, now=165.4) == ["birch 1:05 [red]tidy, step 1 of 12", "1 ended"]


def test_nothing_is_on_a_board_that_nobody_shows() -> None:
    with following("acme") as progress:
        assert progress == Progress(organisation="acme", since=progress.since, asked=progress.asked)


@pytest.mark.parametrize(
    ("form", "level", "tty"), [("json", "INFO", True), ("text", "DEBUG", True), ("text", "INFO", False)]
)
def test_nothing_but_logs_is_shown_without_a_terminal_or_where_they_are_wanted(
    monkeypatch: pytest.MonkeyPatch, form: str, level: str, *, tty: bool
) -> None:
    stream = Terminal() if tty else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with live_board(form=form, level=level), following("acme"):
        assert not is_shown()
    assert stream.getvalue() == ""


def test_a_terminal_shows_the_night_and_of_the_logs_only_what_went_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with live_board(form="text", level="INFO"), following("acme") as progress:
        configure_logs()
        progress.step = "tidy"
        structlog.get_logger().info("night.opened")
        structlog.get_logger().warning("mirror.rebuilt")
    structlog.reset_defaults()
    assert "mirror.rebuilt" in stream.getvalue()
    assert "1 ended" in stream.getvalue()
    assert "night.opened" not in stream.getvalue()

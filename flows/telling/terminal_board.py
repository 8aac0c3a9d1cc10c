"""A line for each night that is under way, kept up to date on the terminal of whoever waits for it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from flows.telling.board import Board, showing
from flows.telling.log_streams import lasting

if TYPE_CHECKING:
    from rich.console import RenderableType

_A_MINUTE = 60


@contextmanager
def live_board(*, form: str, level: str, under_prefect: bool = False) -> Iterator[None]:
    """Show on standard error, where that is a terminal, how far the nights within this context are.

    What is logged meanwhile is told from `warning` on, above the lines. Without a terminal that can take lines back,
    with logs as JSON and with those for looking for defects nothing is shown, and everything logged.
    """
    if form != "text" or level == "DEBUG" or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # noqa: PLC0415  # only a terminal needs it
    from rich.live import Live  # noqa: PLC0415

    console = Console(file=lasting(sys.stderr), highlight=False)
    if console.is_dumb_terminal:
        yield
        return
    board: Board = []
    with ExitStack() as stack:
        if under_prefect:
            stack.enter_context(_quiet_prefect())
        stack.enter_context(showing(board))
        stack.enter_context(
            Live(
                get_renderable=lambda: render_board(board, now=monotonic()),
                console=console,
                refresh_per_second=4,
                transient=True,
                redirect_stdout=False,
            )
        )
        yield


def render_board(board: Board, *, now: float) -> RenderableType:
    """Return the nights that are under way, one a line, and how many have ended; `now` as their clock has it."""
    from rich.table import Table  # noqa: PLC0415  # as above
    from rich.text import Text  # noqa: PLC0415

    lines = Table.grid(padding=(0, 2))
    under_way = [one for one in board if not one.ended]
    for one in under_way:
        lines.add_row(Text(one.organisation), Text(_lasted(now - one.since)), Text(one.told))
    if len(board) > len(under_way):
        lines.add_row(Text(f"{len(board) - len(under_way)} ended"))
    return lines


def _lasted(seconds: float) -> str:
    return f"{int(seconds) // _A_MINUTE}:{int(seconds) % _A_MINUTE:02}"


@contextmanager
def _quiet_prefect() -> Iterator[None]:
    """Let Prefect tell only of what went wrong, as its lines would tear those of the nights apart."""
    import prefect.main  # noqa: F401, PLC0415  # sets up its logging, which prefect itself does not

    from flows.telling.run_logs import prefect_consoles  # noqa: PLC0415

    levels = {handler: handler.level for handler in prefect_consoles()}
    for handler in levels:
        handler.setLevel(logging.WARNING)
    try:
        yield
    finally:
        for handler, level in levels.items():
            handler.setLevel(level)

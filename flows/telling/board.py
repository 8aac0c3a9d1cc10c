"""How far nights are while they are under way, for whoever shows it: a terminal, or Prefect's page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic

STEPS = 12
"""The eight tasks of a night, and before and after them open, read, land and remember."""


@dataclass(slots=True, kw_only=True)
class Progress:
    """Where one night is: its step, how many of its steps are done, and since when (a clock that never jumps)."""

    organisation: str
    step: str = ""
    done: int = 0
    steps: int = STEPS
    since: float = field(default_factory=monotonic)
    ended: bool = False
    asked: Callable[[], int] = lambda: 0  # nobody is asked before there are models

    @property
    def percent(self) -> float:
        """How much of the night is done, counted in steps."""
        return 100.0 if self.ended else min(99.0, round(100 * self.done / self.steps, 1))

    @property
    def told(self) -> str:
        """Read `tidy, step 9 of 12, 40 questions asked`."""
        asked = self.asked()
        questions = f", {asked:,} questions asked" if asked else ""
        return f"{self.step or 'waiting'}, step {min(self.done + 1, self.steps)} of {self.steps}{questions}"


Board = list[Progress]
"""The nights that this process has begun, as a terminal shows them."""

_BOARD: ContextVar[Board | None] = ContextVar("board", default=None)


def is_shown() -> bool:
    """Whether a terminal shows how far the nights of this context are, so that no log needs to."""
    return _BOARD.get() is not None


@contextmanager
def showing(board: Board) -> Iterator[None]:
    """Let every night that begins within this context be put on `board`."""
    token = _BOARD.set(board)
    try:
        yield
    finally:
        _BOARD.reset(token)


@contextmanager
def following(organisation: str) -> Iterator[Progress]:
    """Give the progress of a night that begins now, and put it on the board where there is one."""
    progress = Progress(organisation=organisation)
    board = _BOARD.get()
    if board is not None:
        board.append(progress)
    try:
        yield progress
    finally:
        progress.ended = True

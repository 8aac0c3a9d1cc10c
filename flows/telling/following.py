"""Following a night: its board is told of each step that begins and ends, and of each question."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TypeVar

from flows.calling import Call
from flows.clock import Clock
from flows.dreaming import ModelMaker, NightModels
from flows.telling.board import Progress
from flows.workplace import Workplace

T = TypeVar("T")


def followed(call: Call, progress: Progress) -> Call:
    """Return `call`, which tells `progress` of each step that begins and ends."""

    async def run(name: str, step: Callable[[], T]) -> T:
        progress.step = name
        value = await call(name, step)
        progress.done += 1
        return value

    return run


def counted(models: ModelMaker, progress: Progress) -> ModelMaker:
    """Return `models`, whose questions `progress` can count."""

    def make(workplace: Workplace, *, night: date, clock: Clock) -> NightModels:
        made = models(workplace, night=night, clock=clock)
        progress.asked = lambda: sum(row.questions for row in made.ledger.rows())
        return made

    return make

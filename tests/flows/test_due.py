"""Which night a run dreams, however late it begins."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

import pytest

from dream.errors import UsageError
from flows.clock import Clock
from flows.due import find_due

SCHEDULED = datetime(2026, 10, 22, 4, 0, tzinfo=UTC)


@dataclass
class Time:
    """A clock that goes on only when somebody waits."""

    now: datetime
    waited: list[float] = field(default_factory=list)

    def clock(self) -> Clock:
        return Clock(now=lambda: self.now, monotonic=lambda: 0.0, sleep=lambda _: None, jitter=lambda wait: wait)

    async def pause(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.now += timedelta(seconds=seconds)

    def due(self, scheduled: datetime | None) -> date:
        return asyncio.run(find_due(scheduled, clock=self.clock(), pause=self.pause))


@pytest.mark.parametrize("days", [0, 1, 3, 40])
def test_a_run_that_begins_late_dreams_the_newest_night_that_is_due(days: int) -> None:
    time = Time(SCHEDULED + timedelta(days=days, seconds=3))
    assert (time.due(SCHEDULED), time.waited) == (date(2026, 10, 22) + timedelta(days=days), [])


def test_late_runs_of_three_nights_dream_one() -> None:
    time = Time(SCHEDULED + timedelta(days=2, hours=5))
    assert {time.due(SCHEDULED + timedelta(days=day)) for day in range(3)} == {date(2026, 10, 24)}


def test_a_run_by_hand_in_the_evening_dreams_the_night_of_that_morning() -> None:
    assert Time(SCHEDULED + timedelta(hours=19)).due(None) == date(2026, 10, 22)


def test_a_clock_that_is_some_seconds_behind_waits_for_the_scheduled_instant() -> None:
    time = Time(SCHEDULED - timedelta(seconds=7))
    assert (time.due(SCHEDULED), time.waited) == (date(2026, 10, 22), [7.0])


def test_a_clock_that_is_far_behind_is_told_and_never_dreams_the_night_before() -> None:
    with pytest.raises(UsageError, match="the night 2026-10-22 was started, and by this machine's clock") as told:
        Time(SCHEDULED - timedelta(minutes=11)).due(SCHEDULED)
    assert told.value.way_out == "correct this machine's clock or the server's: dream doctor shows it"

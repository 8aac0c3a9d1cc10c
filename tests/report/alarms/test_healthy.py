"""Organisations whose nights are as they should be, over weeks: no night of them is degraded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

import pytest

from dream.memory.records import Change, Effect, Figures, LeftOut, LossRecord, NightRecord
from dream.memory.windows import scheduled_instant
from dream.report.alarms.alarm import Alarm
from tasks.ruling import account_of
from tests.report.alarms.raised import kinds, raised
from tests.report.records import record, spend, task

FIRST = date(2026, 8, 3)
SATURDAY = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What a day held: conversations, how many statements of them were new, and the size of the memory before."""

    night: date
    sessions: int = 0
    new: int = 0
    topics: int = 10
    statements: int = 100
    unchecked: int = 0


def dreamt(day: Day) -> NightRecord:
    """The night after a day: what is new is written, one statement in three into a new note; the rest is known."""
    known = day.sessions - min(day.new, day.sessions)
    silent = {"nothing-to-say": known} if known else {}
    number = f"{day.night:%j}"
    effects = [
        Effect(
            id=f"{number}-{new}",
            task="distil",
            kind="add",
            changes=(Change(path=f"topic-{number if new % 3 == 0 else 0}.md", added=(f"- Fact {number} {new}.",)),),
            created=(f"topic-{number}.md",) if new % 3 == 0 else (),
        )
        for new in range(day.new)
    ]
    distil = task(
        "changed" if day.new else "unchanged",
        inputs=day.sessions,
        written=day.sessions - known,
        not_written=silent,
        left_out=[LeftOut(input=f"thread_{number}", reason="near-duplicate", operation="add a.md")] * known,
        findings=account_of("distil", Counter({"admitted": day.new, "near-duplicate": 3 * known})),
        spend=spend(calls=day.sessions, input=9_000 * day.sessions) if day.sessions else {},
    )
    verified = task("unchanged", inputs=25, not_written={"verified": 25})
    return record(
        {
            "daily_note": task(inputs=day.sessions, written=day.sessions),
            "distil": distil,
            "production_verification": verified,
        },
        night=day.night,
        consuming=("daily_note", "distil"),
        effects=tuple(effects),
        loss=LossRecord(topic_notes=day.topics, statement_count=day.statements),
        figures=Figures(notes=day.topics, statements=day.statements, unchecked=day.unchecked),
    )


def growing(days: int = 60, *, weekends: bool = True) -> Iterator[Day]:
    """A new organisation: an empty memory that fills, faster at first."""
    random, topics, statements = Random(8), 0, 0  # noqa: S311 - a simulated memory, not a secret
    for number in range(days):
        night = FIRST + timedelta(days=number)
        is_off = not weekends and (night - timedelta(days=1)).weekday() >= SATURDAY
        new = 0 if is_off else random.randint(2, 14 if number < 14 else 7)
        sessions = 0 if is_off else new + random.randint(0, 6)
        yield Day(night=night, sessions=sessions, new=new, topics=topics, statements=statements)
        topics, statements = topics + (new + 2) // 3, statements + new


def adopting() -> Iterator[Day]:
    """A memory of a thousand notes whose nights have just begun: its queue of unchecked notes is worked off."""
    for number, day in enumerate(growing(45)):
        yield Day(night=day.night, sessions=3, new=2, topics=1_000 + number, unchecked=max(1_000 - 24 * number, 0))


def about_nothing() -> Iterator[Day]:
    """A month with a conversation a day that says nothing that lasts; twice as many would be told of."""
    for day in growing(31):
        yield Day(night=day.night, sessions=1)


def holidays() -> Iterator[Day]:
    """Two weeks of work, a month off, and work again, at once with three times the sessions."""
    for number, day in enumerate(growing(58)):
        is_off = 14 <= number < 44
        yield Day(night=day.night, sessions=0 if is_off else 12 if number > 43 else 4, new=0 if is_off else 2)


@pytest.mark.parametrize(
    "days",
    [
        growing,
        lambda: growing(weekends=False),
        adopting,
        about_nothing,
        holidays,
        lambda: (Day(night=FIRST + timedelta(days=number)) for number in range(31)),
    ],
    ids=["growing", "working days", "adopting", "about nothing", "holidays", "no sessions"],
)
def test_no_night_of_a_healthy_organisation_is_degraded(days: Callable[[], Iterator[Day]]) -> None:
    records = [dreamt(day) for day in days()]
    assert {one.night: kinds(at(records, one.night)) for one in records} == {one.night: [] for one in records}


def at(records: Sequence[NightRecord], night: date) -> tuple[Alarm, ...]:
    """The alarms as of a night that has landed."""
    return raised([one for one in records if one.night <= night], now=scheduled_instant(night))

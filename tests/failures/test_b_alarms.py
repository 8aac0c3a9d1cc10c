"""B28: nights that report success and write nothing, for weeks."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from dream.memory.records import NightRecord
from dream.memory.windows import scheduled_instant
from dream.report.alarms.alarm import Alarm
from tests.report.alarms.raised import raised
from tests.report.records import NIGHT, nights_before, record, task

SATURDAY = 5
CONSUMING = ("daily_note", "distil", "pr_outcomes", "learnings")


def weeks(nights: list[date], **fields: object) -> list[NightRecord]:
    told = {name: task("unchanged", **fields) for name in CONSUMING}
    return [record(told, night=night, consuming=CONSUMING) for night in nights]


def test_b28_seven_nights_of_input_and_nothing_accepted_are_degraded_with_the_reasons_of_each_task() -> None:
    nights = weeks(nights_before(7), inputs=3, not_written={"quote-not-found": 2, "nothing-to-say": 1})
    assert raised(nights) == tuple(
        Alarm(
            kind="zero-yield",
            why=f"{name.replace('_', ' ')}: 7 nights with input and nothing written "
            "(14 quote-not-found, 7 nothing-to-say)",
            since=NIGHT - timedelta(days=6),
            way_out="dream report acme --night 2026-10-22",
            task=name,
        )
        for name in CONSUMING
    )


def test_b28_a_task_that_writes_nothing_for_sixty_days_is_told_on_every_one_of_them_after_the_first_week() -> None:
    nights = weeks(nights_before(60), inputs=1, not_written={"quote-not-found": 1})
    told = [bool(raised(nights[: last + 1], now=scheduled_instant(nights[last].night))) for last in range(60)]
    assert told == [False] * 6 + [True] * 54


def test_b28_working_days_are_enough() -> None:
    days = [night for night in nights_before(14) if (night - timedelta(days=1)).weekday() < SATURDAY][-7:]
    assert [one.task for one in raised(weeks(days, inputs=1, not_written={"secret": 1}))] == list(CONSUMING)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"inputs": 2, "not_written": {"nothing-to-say": 1, "nobody-spoke": 1}},
        {"inputs": 1, "not_written": {"near-duplicate": 1}},
        {"inputs": 1, "not_written": {"undone": 1}},
        {"inputs": 1, "written": 1},
    ],
    ids=["no input", "about nothing", "known already", "decided by people", "written"],
)
def test_b28_seven_nights_with_nothing_to_accept_are_not_degraded(fields: dict[str, object]) -> None:
    assert raised(weeks(nights_before(7), **fields)) == ()

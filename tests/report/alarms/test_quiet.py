from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest

from dream.memory.records import NightRecord
from dream.memory.windows import scheduled_instant
from dream.report.alarms.alarm import Alarm
from tests.report.alarms.raised import kinds, raised
from tests.report.records import NIGHT, nights_before, record, task


def quiet(count: int, fields: Mapping[str, Any]) -> list[NightRecord]:
    return [
        record({"daily_note": task("unchanged", **fields)}, night=night, consuming=("daily_note",))
        for night in nights_before(count)
    ]


def test_seven_nights_with_input_and_nothing_written_are_degraded_with_their_reasons() -> None:
    assert raised(quiet(7, {"inputs": 3, "not_written": {"secret": 2}, "pending": 1})) == (
        Alarm(
            kind="zero-yield",
            why="daily note: 7 nights with input and nothing written (14 secret, 7 pending)",
            since=NIGHT - timedelta(days=6),
            way_out="dream report acme --night 2026-10-22",
            task="daily_note",
        ),
    )


@pytest.mark.parametrize(
    "nights",
    [
        quiet(7, {}),
        quiet(6, {"inputs": 1, "not_written": {"secret": 1}}),
        [
            *quiet(7, {"inputs": 1, "not_written": {"secret": 1}})[:-1],
            record({"daily_note": task(inputs=1, written=1)}, consuming=("daily_note",)),
        ],
        [
            record({"tidy": task("unchanged", inputs=1, not_written={"declined": 1})}, night=night)
            for night in nights_before(9)
        ],
        [],
    ],
    ids=["no input", "six nights", "one was written", "a look that found nothing wrong", "no night"],
)
def test_nights_that_are_as_they_should_be_are_not_degraded(nights: Sequence[NightRecord]) -> None:
    assert raised(nights) == ()


def test_nights_with_input_that_lie_weeks_apart_are_no_week() -> None:
    refused = {"daily_note": task("unchanged", inputs=1, not_written={"secret": 1})}
    dates = nights_before(15)
    apart = [record(refused, night=night, consuming=("daily_note",)) for night in (dates[0], *dates[-6:])]
    assert raised(apart) == ()
    assert len(raised([record(refused, night=dates[1], consuming=("daily_note",)), *apart[1:]])) == 1


def test_what_was_wrong_is_told_until_the_next_night_lands_and_no_longer_than_alarms_look_back() -> None:
    nights = quiet(7, {"inputs": 1, "not_written": {"secret": 1}})
    told = {days: kinds(raised(nights, now=scheduled_instant(NIGHT + timedelta(days=days)))) for days in (0, 1, 6, 7)}
    assert told == {0: ["zero-yield"], 1: ["zero-yield"], 6: ["not-landed", "zero-yield"], 7: ["not-landed"]}
    later = record(
        {"daily_note": task(inputs=1, written=1)}, night=NIGHT + timedelta(days=1), consuming=("daily_note",)
    )
    assert kinds(raised([*nights, later])) == ["zero-yield"]
    assert raised([*nights, later], now=scheduled_instant(NIGHT + timedelta(days=1))) == ()


def silent(per_night: int, fields: Mapping[str, Any] | None = None, count: int = 7) -> list[NightRecord]:
    told = task("unchanged", inputs=per_night, not_written={"nothing-to-say": per_night}, **(fields or {}))
    return [record({"distil": told}, night=night, consuming=("distil",)) for night in nights_before(count)]


def test_a_model_that_finds_nothing_in_a_week_of_conversations_is_degraded() -> None:
    assert raised(silent(3)) == (
        Alarm(
            kind="found-nothing",
            why="distil: 7 nights, 21 conversations, and the model found nothing in any",
            since=NIGHT - timedelta(days=6),
            way_out="dream doctor acme",
            task="distil",
        ),
    )


@pytest.mark.parametrize(
    "nights",
    [
        silent(2),
        silent(9, count=6),
        [*silent(9)[:-1], record({"distil": task(inputs=9, written=1, not_written={"nothing-to-say": 8})})],
        [
            record({"distil": task("unchanged", inputs=9, not_written={"already-written": 9})}, night=night)
            for night in nights_before(9)
        ],
    ],
    ids=["a few about nothing", "six nights", "one was worth keeping", "what the memory says"],
)
def test_conversations_about_nothing_are_no_fault_of_the_model(nights: Sequence[NightRecord]) -> None:
    assert raised(nights) == ()

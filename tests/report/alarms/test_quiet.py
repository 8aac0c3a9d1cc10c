from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest

from dream.memory.records import NightRecord
from dream.report.alarms.alarm import Alarm
from tests.report.alarms.raised import raised
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

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from dream.memory.records import NightRecord
from dream.report.alarms.alarm import Alarm
from tests.report.alarms.raised import raised
from tests.report.records import NIGHT, nights_before, record, spend, task


def spent(*nights: tuple[int, int]) -> list[NightRecord]:
    """Nights that took so many tokens for so many inputs, the newest last."""
    made = []
    for night, (tokens, inputs) in zip(nights_before(len(nights)), nights, strict=True):
        took = spend(calls=4, input=tokens - tokens // 10, output=tokens // 10) if tokens else {}
        made.append(record({"distil": task(inputs=inputs, written=inputs, spend=took)}, night=night))
    return made


USUAL, MUCH, NOTHING = (30_000, 6), (90_000, 6), (0, 0)


def test_two_nights_that_take_three_times_what_nights_took_before_for_as_many_inputs_are_told() -> None:
    assert raised(spent(*[USUAL] * 5, MUCH, (93_000, 5))) == (
        Alarm(
            kind="spend",
            why="2 nights in a row took many times what nights took before, the last 93,000 tokens in place of 30,000",
            since=NIGHT - timedelta(days=1),
            way_out="dream report acme --night 2026-10-22",
        ),
    )
    working_days = spent(USUAL, USUAL, NOTHING, NOTHING, USUAL, USUAL, USUAL, MUCH, MUCH)
    assert [alarm.kind for alarm in raised(working_days)] == ["spend"]


@pytest.mark.parametrize(
    "nights",
    [
        [*[USUAL] * 6, MUCH],
        [*[USUAL] * 5, MUCH, USUAL],
        [*[USUAL] * 5, MUCH, (89_000, 6)],
        [*[USUAL] * 5, (300_000, 60), (310_000, 62)],
        [*[(5_000, 6)] * 5, (19_000, 6), (19_000, 6)],
        [*[USUAL] * 4, MUCH, MUCH],
        [*[USUAL] * 4, MUCH, MUCH, NOTHING],
        [*[NOTHING] * 5, MUCH, MUCH],
    ],
    ids=[
        "one night",
        "over",
        "less",
        "many more inputs",
        "little",
        "six nights",
        "quiet tonight",
        "the first that asked",
    ],
)
def test_nights_that_take_what_their_inputs_need_are_not_degraded(nights: Sequence[tuple[int, int]]) -> None:
    assert raised(spent(*nights)) == ()


def test_what_a_task_takes_that_asked_no_model_before_is_to_be_expected() -> None:
    nights = spent(*[USUAL] * 5, USUAL, USUAL)
    tidy = task(inputs=100, spend=spend(calls=100, input=200_000))
    asking = [one.model_copy(update={"tasks": {**one.tasks, "tidy": tidy}}) for one in nights[-2:]]
    assert raised([*nights[:-2], *asking]) == ()

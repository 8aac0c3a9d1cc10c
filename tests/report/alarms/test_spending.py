from __future__ import annotations

from collections.abc import Sequence

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


USUAL = (30_000, 6)


def test_a_night_that_takes_three_times_what_nights_took_before_for_each_input_is_told() -> None:
    assert raised(spent(*[USUAL] * 6, (90_000, 6))) == (
        Alarm(
            kind="spend",
            why="the night took 90,000 tokens, 3.0 times the 30,000 that nights took before",
            since=NIGHT,
            way_out="dream report acme --night 2026-10-22",
        ),
    )


@pytest.mark.parametrize(
    "nights",
    [
        [*[USUAL] * 6, (89_000, 6)],
        [*[USUAL] * 6, (300_000, 60)],
        [*[(5_000, 6)] * 6, (19_000, 6)],
        [USUAL, USUAL, (90_000, 6)],
        [*[USUAL] * 5, (90_000, 6), USUAL],
        [*[USUAL] * 5, (90_000, 6), (0, 0)],
        [*[(0, 0)] * 6, (90_000, 6)],
    ],
    ids=["less", "many more inputs", "little", "no trend yet", "yesterday", "quiet tonight", "the first that asked"],
)
def test_nights_that_take_what_their_inputs_need_are_not_degraded(nights: Sequence[tuple[int, int]]) -> None:
    assert raised(spent(*nights)) == ()

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest

from dream.memory.records import LeftOut
from dream.report.alarms.alarm import Alarm
from tests.report.alarms.raised import raised
from tests.report.records import NIGHT, nights_before, record, spend, task

WAITING = {"inputs": 1, "pending": 1, "left_out": [LeftOut(input="thread_1", reason="judge-unfit")]}


def test_a_judge_that_failed_its_examination_is_told_since_the_first_of_its_nights() -> None:
    well, unfit = {"distil": task()}, {"daily_note": task(), "distil": task("unchanged", **WAITING)}
    nights = nights_before(3)
    records = [record(tasks, night=night) for tasks, night in zip((well, unfit, unfit), nights, strict=True)]
    assert raised(records) == (
        Alarm(
            kind="judge-unfit",
            why="distil wrote nothing: the judge did not pass its examination",
            since=NIGHT - timedelta(days=1),
            way_out="dream report acme --night 2026-10-22",
            task="distil",
        ),
    )
    assert raised([record(unfit, night=nights[1]), record(well)]) == ()


@pytest.mark.parametrize(
    ("outcome", "unanswered"), [("unchanged", {"over-budget": 1}), ("unchanged", {"stopped": 1}), ("failed", {})]
)
def test_a_judge_that_was_kept_from_its_examination_is_no_judge_that_failed_it(
    outcome: str, unanswered: Mapping[str, int]
) -> None:
    waiting = task(outcome, **WAITING, spend=spend("judge", unanswered=unanswered))
    assert raised([record({"distil": waiting})]) == ()

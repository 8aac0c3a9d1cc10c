from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from dream.memory.records import Change, Effect, Figures, LossRecord, NightRecord
from dream.report.alarms.alarm import Alarm
from tests.report.alarms.raised import raised
from tests.report.records import NIGHT, nights_before, record, task

FIRST = NIGHT - timedelta(days=6)


def unchecked(counts: Sequence[int | None], **fields: Any) -> list[NightRecord]:
    verified = task(**{"inputs": 25, "not_written": {"verified": 25}, **fields})
    return [
        record(
            {"production_verification": verified},
            night=night,
            figures=None if count is None else Figures(notes=400, unchecked=count),
        )
        for night, count in zip(nights_before(len(counts)), counts, strict=True)
    ]


def test_a_queue_that_grew_in_each_of_seven_nights_by_a_fifth_is_told() -> None:
    assert raised(unchecked([100, 104, 108, 112, 114, 116, 119, 120])) == (
        Alarm(
            kind="unchecked-notes",
            why="the queue of unchecked notes grew in 7 nights in a row, from 100 to 120",
            since=FIRST,
            way_out="dream report acme --night 2026-10-22",
            task="production_verification",
        ),
    )


@pytest.mark.parametrize(
    "counts",
    [
        [104, 104, 108, 112, 116, 119, 122, 130],
        [100, 104, 108, 112, 114, 116, 118, 119],
        [100, 104, 108, 108, 112, 116, 119, 130],
        [0, 1, 2, 3, 4, 5, 6, 24],
        [2_000, 1_975, 1_950, 1_925, 1_900, 1_875, 1_850, 1_825],
        [100, None, 108, 112, 114, 116, 119, 120],
        [None] * 8,
    ],
    ids=[
        "six nights",
        "less than a fifth",
        "one night did not",
        "few",
        "adopted",
        "one without figures",
        "old records",
    ],
)
def test_a_queue_that_does_not_grow_every_night_or_hardly_is_as_it_should_be(counts: Sequence[int | None]) -> None:
    assert raised(unchecked(counts)) == ()


def test_a_queue_of_nights_that_do_not_verify_is_nobodys() -> None:
    counts = [100, 110, 120, 130, 140, 150, 160, 170]
    assert raised(unchecked(counts, outcome="skipped", inputs=0, not_written={})) == ()


def grown(
    each: int,
    *,
    nights: int = 7,
    created: str = "",
    sizes: Sequence[tuple[int, int]] = (),
    taken: int = 0,
    path: str = "a.md",
) -> list[NightRecord]:
    """Nights that each write as many statements into a note that was there; `sizes` are what they began with."""
    made = []
    for number, night in enumerate(nights_before(nights)):
        lines = tuple(f"- {night.isoformat()}: Fact {fact} of night {number}." for fact in range(each))
        gone = tuple(f"- Old fact {fact} of night {number}." for fact in range(taken))
        changed = Change(path=path, added=lines, removed=gone)
        effect = Effect(
            id=f"{number}", task="distil", kind="add", changes=(changed,), created=(created,) * bool(created)
        )
        topics, statements = sizes[number] if sizes else (10, 100)
        loss = LossRecord(topic_notes=topics, statement_count=statements)
        made.append(record({"distil": task()}, night=night, effects=(effect,), loss=loss))
    return made


def test_many_statements_in_a_week_and_no_new_topic_are_told() -> None:
    assert raised(grown(8)) == (
        Alarm(
            kind="growth",
            why="nights wrote 56 statements beside 100 that stood, and no new topic note",
            since=FIRST,
            way_out="dream log acme --night 2026-10-22",
        ),
    )


@pytest.mark.parametrize(
    "records",
    [
        grown(8, nights=6),
        grown(7),
        grown(8, sizes=[(10, 300)] * 7),
        grown(8, sizes=[(10, 40)] * 7),
        grown(8, created="services/new.md"),
        grown(8, sizes=[(10, 100)] * 6 + [(11, 150)]),
        grown(8, taken=3),
        grown(8, path="daily/2026-10-01.md"),
    ],
    ids=[
        "six nights",
        "too few",
        "much stood",
        "little stood",
        "new topics",
        "people made topics",
        "taken away",
        "no topic note",
    ],
)
def test_a_memory_that_grows_as_it_should_is_not_degraded(records: list[NightRecord]) -> None:
    assert raised(records) == ()

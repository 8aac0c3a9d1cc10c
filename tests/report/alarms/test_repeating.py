from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from dream.memory.records import Change, Effect, NightRecord
from dream.report.alarms.alarm import Alarm
from tests.report.alarms.raised import raised
from tests.report.records import NIGHT, nights_before, record, task

SAID = "- {day}: The ledger keeps rows for seven years. [thread_{number}, {day}]"


def changing(night: date, *changes: Change, reverted: bool = False, deleted: Sequence[str] = ()) -> NightRecord:
    gone = dict.fromkeys(deleted, "b" * 40)
    effect = Effect(id=night.isoformat(), task="tidy", kind="add", changes=changes, deleted=gone, reverted=reverted)
    return record({"tidy": task()}, night=night, effects=(effect,))


def line(night: date, text: str = SAID) -> str:
    return text.format(day=night.isoformat(), number=night.day)


def adding(night: date, *, path: str = "ledger.md", text: str = SAID) -> Change:
    return Change(path=path, added=("", line(night, text)))


def test_a_line_that_is_written_again_in_each_of_seven_nights_is_told_whatever_its_date_and_sources() -> None:
    nights = [changing(night, adding(night)) for night in nights_before(7)]
    assert raised(nights) == (
        Alarm(
            kind="same-output",
            why="tidy changed the same 1 line of ledger.md in 7 nights in a row",
            since=NIGHT - timedelta(days=6),
            way_out="dream revert acme --night 2026-10-22 --task tidy --dry-run",
            task="tidy",
        ),
    )
    assert raised(nights[1:]) == ()
    assert raised([*nights[:3], changing(nights[3].night), *nights[4:]]) == ()


def test_a_line_that_is_put_back_and_taken_out_in_turn_is_told() -> None:
    nights = nights_before(7)
    flapping = [
        Change(path="ledger.md", added=(line(night),))
        if number % 2
        else Change(path="ledger.md", removed=(line(nights[max(number - 1, 0)]),))
        for number, night in enumerate(nights)
    ]
    told = raised([changing(night, change) for night, change in zip(nights, flapping, strict=True)])
    assert [alarm.kind for alarm in told] == ["same-output"]


def test_a_note_that_is_taken_away_again_every_night_is_told() -> None:
    assert [alarm.kind for alarm in raised([changing(one, deleted=["a.md"]) for one in nights_before(7)])] == [
        "same-output"
    ]


def test_what_was_reverted_or_only_dated_anew_or_counted_on_is_no_output_again() -> None:
    nights = nights_before(7)
    reverted = [changing(night, adding(night), reverted=night == NIGHT) for night in nights]
    dated = [changing(one, Change(path="a.md", removed=(line(nights[0]),), added=(line(one),))) for one in nights]
    counted = [
        changing(
            night,
            Change(path="a.md", removed=(f"- {number} were merged.",), added=(f"- {number + 1} were merged.",)),
        )
        for number, night in enumerate(nights)
    ]
    daily = [changing(night, adding(night, path=f"daily/{night}.md", text="## acme/web")) for night in nights]
    elsewhere = [changing(night, adding(night, path=f"{night.day}.md")) for night in nights]
    headings = [changing(night, Change(path="a.md", added=("", "---"))) for night in nights]
    for healthy in (reverted, dated, counted, daily, elsewhere, headings):
        assert raised(healthy) == ()

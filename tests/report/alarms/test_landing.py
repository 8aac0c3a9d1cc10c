from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import pytest

from dream.memory.windows import scheduled_instant
from dream.report.alarms.alarm import Alarm
from dream.report.attempts import Attempt
from tests.report.alarms.raised import kinds, raised
from tests.report.records import NIGHT, attempt, record, task

YESTERDAY = NIGHT - timedelta(days=1)
DOWN = attempt("not-landed", exit=3, reason="the remote is down", needs="a retry")
DUE = scheduled_instant(NIGHT)
LANDED = record({"tidy": task()}, night=YESTERDAY)


def late(hours: float, attempts: Mapping[date, Sequence[Attempt]] | None = None) -> tuple[Alarm, ...]:
    """The alarms so many hours after the night of yesterday, the last that landed, was due."""
    return raised([LANDED], attempts, now=scheduled_instant(YESTERDAY) + timedelta(hours=hours))


def test_a_night_that_has_not_landed_two_hours_after_it_was_due_is_told_with_the_reason_of_its_last_run() -> None:
    assert late(26) == ()
    assert late(26.1, {NIGHT: [DOWN]}) == (
        Alarm(
            kind="not-landed",
            why="no night has landed after that of 2026-10-21: the remote is down",
            since=NIGHT,
            way_out="dream run acme",
        ),
    )


def test_nights_that_nothing_begins_any_more_are_told_as_well() -> None:
    (alarm,) = late(26.1)
    assert alarm.why == "no night has landed after that of 2026-10-21: no later run is known here"


def test_a_failure_that_only_a_person_ends_leads_to_the_doctor() -> None:
    refused = attempt("not-landed", hour=5, reason="the credential is refused", needs="a person")
    (alarm,) = late(26.1, {NIGHT: [DOWN, refused]})
    assert (alarm.way_out, alarm.why.rpartition(": ")[2]) == ("dream doctor acme", "the credential is refused")


def test_a_night_that_landed_late_is_waited_for_as_long_as_one_that_landed_in_time() -> None:
    at_noon = attempt(night=YESTERDAY, hour=12)
    assert late(33, {YESTERDAY: [at_noon]}) == ()
    assert kinds(late(34.1, {YESTERDAY: [at_noon]})) == ["not-landed"]


@pytest.mark.parametrize("status", ["paused", "shadow"])
def test_nights_that_were_to_land_nothing_are_no_alarm_while_they_run(status: str) -> None:
    nights = [NIGHT + timedelta(days=days) for days in range(5)]
    runs = {night: [attempt(status, night=night)] for night in nights}
    assert raised([LANDED], runs, now=scheduled_instant(nights[-1]) + timedelta(hours=26)) == ()
    (alarm,) = raised([LANDED], runs, now=scheduled_instant(nights[-1]) + timedelta(hours=27))
    assert alarm.since == NIGHT + timedelta(days=5)


def test_an_organisation_that_has_never_landed_is_told_since_its_first_run() -> None:
    runs = {YESTERDAY: [attempt("not-landed", night=YESTERDAY, needs="a person", reason="it is no memory")]}
    assert raised([], runs, now=DUE) == ()
    assert raised([], runs, now=DUE + timedelta(hours=3)) == (
        Alarm(
            kind="not-landed",
            why="no landing of it is known here: it is no memory",
            since=YESTERDAY,
            way_out="dream doctor acme",
        ),
    )
    assert raised([], {}, now=DUE) == ()


def test_a_run_whose_clock_is_ahead_does_not_hide_that_nothing_landed() -> None:
    ahead = attempt(night=NIGHT + timedelta(days=9))
    assert kinds(late(26.1, {NIGHT + timedelta(days=9): [ahead]})) == ["not-landed"]
    assert kinds(late(26.1, {NIGHT: [ahead]})) == ["not-landed"]

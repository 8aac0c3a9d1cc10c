"""When systems that gave nights no answer need a person."""

from __future__ import annotations

from dream.memory.allowance import LossLimits
from dream.memory.records import NightRecord
from dream.memory.systems import refusal_of
from dream.report.needs import Need
from dream.report.status import Status, render_status, status_of
from dream.report.story import Story
from dream.report.systems import system_needs
from tests.report.records import NIGHT, attempt, nights_before, record, task

DOWN = "probe orders-db is down: no answer within 10 s; 2 notes keep the date of the last check"
WRITES = refusal_of("orders-db", "a role that can write: dream (INSERT on orders)")


def nights(*findings: tuple[str, ...]) -> list[NightRecord]:
    """So many nights up to now with what the look at production found in each."""
    return [
        record({"production_verification": task("unchanged", findings=found)}, night=night)
        for night, found in zip(nights_before(len(findings)), findings, strict=True)
    ]


def status(records: list[NightRecord]) -> Status:
    return status_of("acme", due=NIGHT, records=records, attempts={}, limits=LossLimits(), shown=3)


def test_a_system_that_is_down_for_a_night_or_two_needs_nothing_and_is_said() -> None:
    told = status(nights((), (DOWN,)))
    assert (told.wanted, told.needs) == ("nothing", ())
    assert told.remarks == ("system orders-db was down in the last night: no answer within 10 s",)
    assert "note: system orders-db was down in the last night" in render_status(told)
    told = status(nights((DOWN,), (), (DOWN,), (DOWN,)))
    assert told.remarks == ("system orders-db was down 2 nights in a row: no answer within 10 s",)


def test_a_system_that_is_down_for_three_nights_needs_a_person() -> None:
    told = status(nights((), (DOWN,), (DOWN,), (DOWN,)))
    assert told.remarks == ()
    assert told.needs == (
        Need(
            wanted="a person",
            why="system orders-db was down 3 nights in a row: no answer within 10 s",
            way_out="dream doctor acme",
        ),
    )


def test_a_system_that_refuses_everything_for_three_nights_needs_a_person() -> None:
    refused = (refusal_of("status", "status 403"),)
    assert status(nights(refused, refused)).wanted == "nothing"
    (need,) = status(nights(refused, refused, refused)).needs
    assert (
        str(need) == "a person: system status refused every question 3 nights in a row: status 403: dream doctor acme"
    )


def test_a_role_that_can_write_needs_a_person_at_once() -> None:
    need = Need(
        wanted="a person",
        why="system orders-db is not asked: a role that can write: dream (INSERT on orders)",
        way_out="take its privileges away, or name another role: docs/production.md, SQL",
    )
    (night,) = nights((WRITES,))
    assert status([night]).needs == (need,)
    assert Story(organisation="acme", night=NIGHT, record=night, records=[night]).needs == (need,)


def test_a_credential_that_a_night_missed_needs_a_person_at_once_and_is_told_once() -> None:
    missing = "probe web is down: organisation acme: the credential env:WEB is missing: the variable is not set"
    run = attempt(findings=(missing,))
    needs = system_needs("acme", nights(()), {NIGHT: [run]})
    assert [need.wanted for need in needs] == ["a person"]
    assert system_needs("acme", nights(()), {NIGHT: [run]}, told={"web"}) == []


def test_a_system_that_answered_again_needs_nothing() -> None:
    assert system_needs("acme", nights((DOWN,), (DOWN,), (DOWN,), ()), {}) == []
    assert system_needs("acme", [], {}) == []

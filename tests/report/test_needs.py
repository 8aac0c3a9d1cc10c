from __future__ import annotations

import pytest

from dream.memory.state import PendingInput
from dream.report.needs import (
    Need,
    landing_needs,
    most_wanted,
    set_aside_needs,
    task_needs,
)
from tests.report.records import NIGHT, attempt, nights_before, record, spend, task

AGAIN = "dream run acme --night 2026-10-22"


def test_a_night_that_has_not_run_needs_a_run() -> None:
    assert landing_needs("acme", NIGHT, []) == [
        Need(wanted="a retry", why="the night of 2026-10-22 has not run", way_out=AGAIN)
    ]


def test_a_night_that_could_not_land_needs_what_its_last_run_asked_for() -> None:
    runs = [
        attempt("not-landed", needs="a retry", reason="the remote is down"),
        attempt("not-landed", hour=5, needs="a person", reason="the credential is refused", way_out="renew it"),
    ]
    assert landing_needs("acme", NIGHT, runs) == [
        Need(wanted="a person", why="nothing landed: the credential is refused", way_out="renew it")
    ]


def test_a_superseded_night_needs_nothing() -> None:
    assert landing_needs("acme", NIGHT, [attempt("superseded")]) == []


@pytest.mark.parametrize("reason", ["unauthorised", "misconfigured", "quota"])
def test_a_task_whose_model_lets_nobody_in_needs_a_person_at_once(reason: str) -> None:
    failed = record({"distil": task("failed", reason=f"its model could not be asked: {reason}")})
    assert task_needs("acme", [failed]) == [
        Need(
            wanted="a person",
            why=f"distil failed: its model could not be asked: {reason}",
            way_out="dream doctor acme",
        )
    ]


@pytest.mark.parametrize("reason", ["unauthorised", "misconfigured", "quota"])
def test_a_task_whose_key_or_money_was_gone_in_the_middle_of_its_work_needs_a_person_too(reason: str) -> None:
    cut_off = record({"distil": task(spend=spend("dreamer", unanswered={reason: 1, "stopped": 4}))})
    assert task_needs("acme", [cut_off]) == [
        Need(
            wanted="a person",
            why=f"distil could not ask all of its questions: {reason}",
            way_out="dream doctor acme",
        )
    ]


@pytest.mark.parametrize("reason", ["over-budget", "stopped", "outage", "refused", "invalid"])
def test_what_else_went_unanswered_in_a_task_that_did_its_work_needs_nothing(reason: str) -> None:
    assert task_needs("acme", [record({"distil": task(spend=spend("dreamer", unanswered={reason: 1}))})]) == []


def test_a_task_whose_model_was_down_needs_a_retry() -> None:
    failed = record({"distil": task("failed", reason="its model could not be asked: outage")})
    assert [need.wanted for need in task_needs("acme", [failed])] == ["a retry"]


def test_a_failed_task_needs_a_retry_and_after_three_nights_a_person() -> None:
    failed = {"tidy": task("failed", reason="broken"), "daily_note": task()}
    nights = [record(failed, night=night) for night in nights_before(3)]
    assert task_needs("acme", nights[2:]) == [Need(wanted="a retry", why="tidy failed: broken", way_out=AGAIN)]
    assert task_needs("acme", nights) == [
        Need(wanted="a person", why="tidy has failed 3 nights in a row: broken", way_out="dream report acme")
    ]


def test_inputs_that_were_set_aside_need_a_person_and_those_that_wait_do_not() -> None:
    pending = [
        PendingInput(task="daily_note", input="thread_1", nights=3, set_aside=True),
        PendingInput(task="daily_note", input="thread_2", nights=1),
    ]
    assert set_aside_needs("acme", pending) == [
        Need(wanted="a person", why="daily note has set aside thread_1", way_out="see why with: dream report acme")
    ]


def test_a_person_can_do_what_a_retry_does() -> None:
    retry, person = Need(wanted="a retry", why="x"), Need(wanted="a person", why="y")
    assert [most_wanted(needs) for needs in ([], [retry], [retry, person])] == ["nothing", "a retry", "a person"]

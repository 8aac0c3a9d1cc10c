from __future__ import annotations

from dream.report.accounts import Account, counted, in_order, many, night_account
from tests.report.records import record, task


def test_the_account_of_a_night_is_the_sum_of_its_tasks() -> None:
    night = record(
        {
            "daily_note": task(inputs=5, written=3, not_written={"no-person": 1}, pending=1, refusals={"secret": 2}),
            "tidy": task(inputs=2, written=1, not_written={"no-person": 1}, refusals={"secret": 1}),
        }
    )
    assert night_account(night) == Account(
        inputs=7, written=4, not_written={"no-person": 2}, pending=1, refusals={"secret": 3}
    )
    assert str(night_account(night)) == "7 in = 4 written + 2 not written + 1 pending"


def test_an_account_that_does_not_add_up_says_so() -> None:
    account = Account(inputs=5, written=3)
    assert not account.adds_up
    assert str(account) == "5 in ≠ 3 written + 0 not written + 0 pending: this account does not add up"


def test_reasons_are_counted_most_first() -> None:
    assert counted({"secret": 1, "near-duplicate": 3, "displaced": 1}) == "3 near-duplicate, 1 displaced, 1 secret"
    assert counted({}) == ""


def test_tasks_stand_in_the_order_of_a_night_and_unknown_ones_last() -> None:
    tasks = {"tidy": 1, "learnings": 2, "daily_note": 3}
    assert list(in_order(tasks, ("daily_note", "tidy"))) == ["daily_note", "tidy", "learnings"]


def test_one_of_a_kind_has_no_plural() -> None:
    assert (many(1, "file"), many(0, "file")) == ("1 file", "0 files")

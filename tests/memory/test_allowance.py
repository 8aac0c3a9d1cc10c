"""What may be taken away in a night and in a month, and for whom the rest is kept."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from dream.memory.allowance import (
    VERIFICATION,
    Allowance,
    Budget,
    Charge,
    LossLimits,
    month_budget,
    night_budget,
    past_charges,
)
from dream.memory.loss import Loss, LostStatement
from dream.memory.records import LossRecord, NightRecord

TONIGHT = date(2026, 10, 22)
LIMITS = LossLimits()


def loss(notes: int = 0, statements: int = 0) -> Loss:
    return Loss(
        notes=tuple(f"{n}.md" for n in range(notes)),
        statements=tuple(LostStatement("a.md", str(n)) for n in range(statements)),
        topic_notes=0,
        statement_count=0,
    )


def charge(night: date, task: str = "tidy", *, notes: int = 0, statements: int = 0) -> Charge:
    return Charge(night=night, task=task, notes=notes, statements=statements)


def allowance(topic_notes: int = 40, statements: int = 200, *past: Charge) -> Allowance:
    return Allowance(tonight=TONIGHT, topic_notes=topic_notes, statements=statements, past=past)


@pytest.mark.parametrize(
    ("topic_notes", "expected"),
    [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (6, 3), (20, 3), (26, 3), (27, 4), (40, 6), (1_000, 150)],
)
def test_a_night_may_take_three_notes_or_15_percent_and_never_more_than_half(topic_notes: int, expected: int) -> None:
    assert night_budget(topic_notes, 0, LIMITS).notes == expected


@pytest.mark.parametrize(("statements", "expected"), [(0, 5), (33, 5), (40, 6), (1_000, 150)])
def test_a_night_may_take_five_statements_or_15_percent(statements: int, expected: int) -> None:
    assert night_budget(10, statements, LIMITS).statements == expected


@pytest.mark.parametrize(
    ("topic_notes", "statements", "expected"),
    [
        (1, 0, Budget(notes=0, statements=15)),
        (4, 60, Budget(notes=2, statements=15)),
        (12, 64, Budget(notes=3, statements=16)),
        (100, 1_000, Budget(notes=25, statements=250)),
    ],
)
def test_a_month_may_take_a_quarter(topic_notes: int, statements: int, expected: Budget) -> None:
    assert month_budget(topic_notes, statements, LIMITS) == expected


def test_of_forty_notes_twenty_three_deletions_come_to_six() -> None:
    left, deferred = allowance(), []
    for _ in range(23):
        proposed = loss(notes=sum(notes for notes, _ in left.by_task().values()) + 1)
        reason = left.refuses(proposed, VERIFICATION)
        if reason:
            deferred.append(reason)
        else:
            left = left.charge(proposed, VERIFICATION)
    assert left.by_task() == {VERIFICATION: (6, 0)}
    assert deferred == ["deferred-night-notes"] * 17


def test_statements_have_a_budget_of_their_own() -> None:
    assert allowance().refuses(loss(notes=1, statements=30), VERIFICATION) == ""
    assert allowance().refuses(loss(notes=1, statements=31), VERIFICATION) == "deferred-night-statements"


def test_earlier_landings_of_the_same_night_count() -> None:
    left = allowance(40, 200, charge(TONIGHT, VERIFICATION, notes=4, statements=20))
    assert left.refuses(loss(notes=2, statements=10), VERIFICATION) == ""
    assert left.refuses(loss(notes=3), VERIFICATION) == "deferred-night-notes"
    assert left.refuses(loss(statements=11), VERIFICATION) == "deferred-night-statements"


def test_the_last_thirty_dates_share_a_budget_and_older_ones_do_not_count() -> None:
    first = date(2026, 9, 23)
    before = date(2026, 9, 22)
    assert allowance(40, 200, charge(first, VERIFICATION, notes=8)).refuses(loss(notes=3), VERIFICATION) == (
        "deferred-month-notes"
    )
    assert allowance(40, 200, charge(before, VERIFICATION, notes=8)).refuses(loss(notes=3), VERIFICATION) == ""
    assert allowance(40, 200, charge(first, VERIFICATION, statements=45)).refuses(loss(statements=6), VERIFICATION) == (
        "deferred-month-statements"
    )


def test_half_of_the_month_is_kept_for_verification() -> None:
    used = charge(date(2026, 10, 1), "tidy", notes=5)
    assert allowance(40, 200, used).refuses(loss(notes=1), "tidy") == "deferred-kept-for-verification"
    assert allowance(40, 200, used).refuses(loss(notes=5), VERIFICATION) == ""
    assert allowance(40, 200, used).refuses(loss(notes=6), VERIFICATION) == "deferred-month-notes"
    assert allowance().refuses(loss(statements=26), "tidy") == "deferred-kept-for-verification"


def test_what_verification_took_leaves_the_others_their_half() -> None:
    used = charge(date(2026, 10, 1), VERIFICATION, notes=5)
    assert allowance(40, 200, used).refuses(loss(notes=5), "tidy") == ""
    assert allowance(40, 200, used).refuses(loss(notes=6), "tidy") == "deferred-month-notes"


def test_a_budget_that_is_used_up_stops_only_what_takes_more_away() -> None:
    spent = allowance(4, 20, charge(TONIGHT, "tidy", notes=9, statements=90))
    assert spent.refuses(loss(), "tidy") == ""
    assert spent.refuses(loss(notes=1), "tidy") == "deferred-night-notes"
    assert spent.refuses(loss(statements=1), VERIFICATION) == "deferred-night-statements"


def test_bringing_back_what_another_task_took_is_credited_to_the_landing() -> None:
    left = allowance().charge(loss(notes=2, statements=6), VERIFICATION).charge(loss(notes=1, statements=6), "distil")
    assert left.by_task() == {VERIFICATION: (2, 6), "distil": (-1, 0)}
    assert left.charge(loss(notes=1, statements=6), "tidy") == left


def test_records_tell_what_past_nights_took() -> None:
    record = NightRecord(
        night=date(2026, 10, 21),
        scheduled=datetime(2026, 10, 21, 4, tzinfo=UTC),
        run="r",
        base="b",
        loss=LossRecord(notes=1, statements=4, by_task={VERIFICATION: (1, 3), "tidy": (0, 1)}),
    )
    assert past_charges([record]) == (
        charge(record.night, VERIFICATION, notes=1, statements=3),
        charge(record.night, "tidy", statements=1),
    )

from __future__ import annotations

from datetime import timedelta

from dream.memory.allowance import Budget, LossLimits
from dream.memory.records import LossRecord
from dream.report.losses import LossAccount, loss_lately, loss_tonight
from tests.report.records import NIGHT, record

LIMITS = LossLimits()


def lost(notes: int, statements: int, *, topic_notes: int = 40, statement_count: int = 200) -> LossRecord:
    return LossRecord(
        notes=notes,
        statements=statements,
        topic_notes=topic_notes,
        statement_count=statement_count,
        by_task={"tidy": (notes, statements)},
    )


def test_what_a_night_took_away_stands_against_what_it_might() -> None:
    tonight = loss_tonight(record(loss=lost(1, 4)), LIMITS)
    assert tonight == LossAccount(notes=1, statements=4, budget=Budget(notes=6, statements=30))
    assert str(tonight) == "1 of 6 notes, 4 of 30 statements"


def test_thirty_nights_count_together_and_the_thirty_first_does_not() -> None:
    records = [
        record(night=NIGHT - timedelta(days=30), loss=lost(5, 50)),
        record(night=NIGHT - timedelta(days=29), loss=lost(1, 2)),
        record(night=NIGHT, loss=lost(2, 3)),
    ]
    assert loss_lately(records, NIGHT, LIMITS) == LossAccount(
        notes=3, statements=5, budget=Budget(notes=10, statements=50)
    )


def test_a_night_whose_memory_was_not_measured_has_no_budget() -> None:
    unmeasured = record(loss=LossRecord(notes=1, statements=2))
    assert str(loss_tonight(unmeasured, LIMITS)) == "1 notes, 2 statements"
    assert loss_tonight(unmeasured, LIMITS).payload() == {
        "notes": 1,
        "statements": 2,
        "notes_budget": None,
        "statements_budget": None,
    }

from __future__ import annotations

from decimal import Decimal

import pytest

from dream.memory.records import RoleSpend
from dream.report.spend import SpendAccount, dollars_of, night_spend, spend_of
from tests.report.records import record, spend, task


def test_a_night_without_a_model_took_nothing() -> None:
    assert night_spend(record({"tidy": task()})) == SpendAccount()
    assert str(SpendAccount()) == "0 tokens"


def test_the_roles_and_tasks_of_a_night_add_up() -> None:
    night = record(
        {
            "daily_note": task(spend=spend(questions=2, calls=2, input=100, cached=40, output=10, dollars="0.1")),
            "distil": task(
                spend={
                    **spend(calls=1, input=50, output=5, dollars="0.2", unanswered={"refused": 1}),
                    **spend("judge", calls=3, input=30, output=3, dollars="0.0001"),
                }
            ),
        }
    )
    assert night_spend(night) == SpendAccount(
        questions=4, unanswered=1, calls=6, input=180, cached=40, output=18, dollars=Decimal("0.3001")
    )
    assert str(night_spend(night)) == "198 tokens in 6 calls, 0.3001 US dollars"


def test_dollars_that_are_not_known_are_said_not_to_be() -> None:
    known = RoleSpend(model="openai/a", calls=1, input=1_000, dollars="0.5")
    unknown = RoleSpend(model="openai/b", calls=1, input=1_000)
    assert str(spend_of([unknown])) == "1,000 tokens in 1 call, US dollars not known (no price is known for openai/b)"
    assert str(spend_of([known, unknown])) == (
        "2,000 tokens in 2 calls, at least 0.5000 US dollars (no price is known for openai/b)"
    )


@pytest.mark.parametrize("dollars", ["", "much", "NaN", "Infinity", "1e999999", "-3"])
def test_dollars_that_nobody_can_have_spent_are_none(dollars: str) -> None:
    assert dollars_of(RoleSpend(model="openai/a", dollars=dollars)) == 0

from __future__ import annotations

from decimal import Decimal

import pytest

from dream.models.budget import Budget, Spent


@pytest.mark.parametrize(
    ("spent", "ceiling"),
    [
        (Spent(tokens=2_000_000, dollars=Decimal(5), calls=500, seconds=3599.9), ""),
        (Spent(tokens=2_000_001), "the ceiling of 2,000,000 tokens a night"),
        (Spent(dollars=Decimal("5.0001")), "the ceiling of 5 US dollars a night"),
        (Spent(calls=501), "the ceiling of 500 calls a night"),
        (Spent(seconds=3600), "the ceiling of 60 minutes a night"),
    ],
)
def test_the_ceiling_that_is_passed_is_named(spent: Spent, ceiling: str) -> None:
    assert Budget().passed(spent) == ceiling


def test_a_ceiling_reads_as_it_was_written() -> None:
    assert (
        Budget(dollars=Decimal("10.50")).passed(Spent(dollars=Decimal(11))) == "the ceiling of 10.5 US dollars a night"
    )
    assert Budget(dollars=Decimal(100)).passed(Spent(dollars=Decimal(101))) == "the ceiling of 100 US dollars a night"

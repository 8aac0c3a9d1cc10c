from __future__ import annotations

from datetime import date
from decimal import Decimal

from dream.models.port import Usage
from dream.models.prices import Price, PriceTable

PRICE = Price(input=Decimal(3), cached=Decimal("0.3"), cache_written=Decimal("3.75"), output=Decimal(15))
TABLE = PriceTable(dated=date(2026, 11, 1), prices={"openai/test": PRICE})


def test_each_kind_of_token_has_its_price() -> None:
    usage = Usage(input=1_000_000, cached=400_000, cache_written=100_000, output=200_000, calls=3)
    assert TABLE.cost("openai/test", usage) == Decimal("1.5") + Decimal("0.12") + Decimal("0.375") + Decimal(3)


def test_a_model_without_a_price_costs_nobody_knows_what() -> None:
    assert TABLE.cost("openai/other", Usage(input=10)) is None


def test_more_cached_tokens_than_tokens_never_make_a_question_cheaper_than_the_cache() -> None:
    assert PRICE.of(Usage(input=1, cached=1_000_000)) == Decimal("0.3")

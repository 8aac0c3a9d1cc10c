from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from config.models import Price
from config.prices import PriceList, load_prices
from dream.errors import UsageError
from tests.config.test_models import EXAMPLES


def test_no_file_is_no_price() -> None:
    assert load_prices(None) == PriceList()


def test_the_example_is_a_price_list() -> None:
    assert load_prices(EXAMPLES / "prices.yaml") == PriceList(
        dated=date(2026, 11, 1),
        models={
            "openai/example-large": Price(
                input=Decimal("2.5"), output=Decimal(10), cached=Decimal("0.25"), cache_written=Decimal("2.5")
            ),
            "anthropic/example-reviewer": Price(input=Decimal(3), output=Decimal(15)),
        },
    )


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("modles: {}", "modles: unknown key; did you mean models?"),
        ("models: {openai/x: {input: 1}}", "models.openai/x.output: is missing"),
        ("models: {openai/x: {input: .nan, output: 1}}", "models.openai/x.input: must be a finite number"),
        ("dated: soon", "dated: "),
    ],
)
def test_what_is_wrong_with_a_price_list_is_said_with_its_key(tmp_path: Path, text: str, cause: str) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as refusal:
        load_prices(path)
    assert str(refusal.value).startswith(f"{path}: {cause}")
    assert "DREAM_PRICES" in refusal.value.way_out


def test_a_price_list_that_is_not_there_is_wrong_configuration(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_prices(tmp_path / "none.yaml")

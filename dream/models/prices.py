"""What models cost: a dated table, and what a usage comes to by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from dream.models.port import Usage

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens: read afresh, read from a provider's cache, written to it, and answered."""

    input: Decimal
    cached: Decimal
    cache_written: Decimal
    output: Decimal

    def of(self, usage: Usage) -> Decimal:
        """Return what `usage` costs, in US dollars."""
        fresh = max(usage.input - usage.cached - usage.cache_written, 0)
        dear = (
            fresh * self.input
            + usage.cached * self.cached
            + usage.cache_written * self.cache_written
            + usage.output * self.output
        )
        return dear / _MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceTable:
    """Prices by the name that a model answers under (`openai/<model>`), and the day on which they were looked up."""

    dated: date | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)

    def cost(self, model: str, usage: Usage) -> Decimal | None:
        """Return what `usage` costs, in US dollars; None where the price of `model` is not known."""
        price = self.prices.get(model)
        return None if price is None else price.of(usage)

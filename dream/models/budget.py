"""What one organisation's night may spend on models, and what it has spent."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Tokens in and out, US dollars (of calls whose price is known), calls, and seconds of waiting for answers."""

    tokens: int = 0
    dollars: Decimal = Decimal(0)
    calls: int = 0
    seconds: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        """Return the sum."""
        return Spent(
            tokens=self.tokens + other.tokens,
            dollars=self.dollars + other.dollars,
            calls=self.calls + other.calls,
            seconds=self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The ceilings of one organisation's night."""

    tokens: int = 2_000_000
    dollars: Decimal = Decimal(5)
    calls: int = 500
    seconds: float = 3600.0

    def passed(self, spent: Spent) -> str:
        """Return which ceiling `spent` goes beyond, in words; empty where it goes beyond none."""
        if spent.tokens > self.tokens:
            return f"the ceiling of {self.tokens:,} tokens a night"
        if spent.dollars > self.dollars:
            return f"the ceiling of {self.dollars.normalize():f} US dollars a night"
        if spent.calls > self.calls:
            return f"the ceiling of {self.calls} calls a night"
        if spent.seconds >= self.seconds:
            return f"the ceiling of {self.seconds / 60:g} minutes a night"
        return ""

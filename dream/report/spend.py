"""What the models of a task, a night or many nights took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from dream.memory.records import NightRecord, RoleSpend, TaskRecord

_SHOWN = Decimal("0.0001")
_MOST_DOLLARS = 1_000_000_000
"""Nobody spends more in a night; a record that says so was damaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendAccount:
    """Questions, calls, tokens and US dollars; the dollars of the models in `unpriced` are not known and not in it."""

    questions: int = 0
    unanswered: int = 0
    calls: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    dollars: Decimal = Decimal(0)
    unpriced: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.input + self.output

    def __str__(self) -> str:
        """Read `12,345 tokens in 14 calls, 0.0421 US dollars`, saying where dollars are not known."""
        if not self.calls:
            return "0 tokens"
        calls = "1 call" if self.calls == 1 else f"{self.calls:,} calls"
        return f"{self.tokens:,} tokens in {calls}, {self.shown_dollars}"

    @property
    def shown_dollars(self) -> str:
        """Read `0.0421 US dollars`, or that not all of them are known."""
        known = f"{self.dollars.quantize(_SHOWN)} US dollars"
        if not self.unpriced:
            return known
        why = f"no price is known for {', '.join(self.unpriced)}"
        return f"at least {known} ({why})" if self.dollars else f"US dollars not known ({why})"

    def payload(self) -> dict[str, Any]:
        """Return the JSON values of this account; dollars as text, because they are exact."""
        return {
            "questions": self.questions,
            "unanswered": self.unanswered,
            "calls": self.calls,
            "input": self.input,
            "cached": self.cached,
            "output": self.output,
            "tokens": self.tokens,
            "dollars": f"{self.dollars:f}",
            "unpriced": list(self.unpriced),
        }


def spend_of(spends: Iterable[RoleSpend]) -> SpendAccount:
    """Return what all of `spends` come to."""
    listed = list(spends)
    return SpendAccount(
        questions=sum(one.questions for one in listed),
        unanswered=sum(sum(one.unanswered.values()) for one in listed),
        calls=sum(one.calls for one in listed),
        input=sum(one.input for one in listed),
        cached=sum(one.cached for one in listed),
        output=sum(one.output for one in listed),
        dollars=sum((dollars_of(one) for one in listed), Decimal(0)),
        unpriced=tuple(sorted({one.model for one in listed if one.calls and not one.dollars})),
    )


def dollars_of(spend: RoleSpend) -> Decimal:
    """Return the US dollars of one role, none where they are not known or not a number."""
    try:
        dollars = Decimal(spend.dollars or 0)
    except ArithmeticError:
        return Decimal(0)
    return dollars if dollars.is_finite() and 0 <= dollars < _MOST_DOLLARS else Decimal(0)


def shown_dollars(spend: RoleSpend) -> str:
    """Return the US dollars of one role for a table."""
    return str(dollars_of(spend).quantize(_SHOWN)) if spend.dollars else "not known"


def tasks_spend(tasks: Iterable[TaskRecord]) -> SpendAccount:
    """Return what `tasks` took together."""
    return spend_of(one for task in tasks for one in task.spend.values())


def night_spend(record: NightRecord) -> SpendAccount:
    """Return what a night took."""
    return tasks_spend(record.tasks.values())


def spend_lately(records: Sequence[NightRecord], night: date, nights: int) -> SpendAccount:
    """Return what the last `nights` nights up to `night` took."""
    first = night - timedelta(days=nights - 1)
    return tasks_spend(task for one in records if first <= one.night <= night for task in one.tasks.values())

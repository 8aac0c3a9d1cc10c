"""What nights took away, against what they may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from dream.memory.allowance import Budget, LossLimits, month_budget, night_budget, past_charges
from dream.memory.records import NightRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class LossAccount:
    """Notes and statements lost; `budget` is None where the size of the memory then is not recorded."""

    notes: int = 0
    statements: int = 0
    budget: Budget | None = None

    def __str__(self) -> str:
        """Read `1 of 3 notes, 4 of 12 statements`."""
        if self.budget is None:
            return f"{self.notes} notes, {self.statements} statements"
        return f"{self.notes} of {self.budget.notes} notes, {self.statements} of {self.budget.statements} statements"

    def payload(self) -> dict[str, int | None]:
        """Return the JSON values of this account."""
        return {
            "notes": self.notes,
            "statements": self.statements,
            "notes_budget": self.budget.notes if self.budget else None,
            "statements_budget": self.budget.statements if self.budget else None,
        }


def loss_tonight(record: NightRecord, limits: LossLimits) -> LossAccount:
    """Return what the landings of one night took away."""
    size = _size(record)
    return LossAccount(
        notes=record.loss.notes,
        statements=record.loss.statements,
        budget=night_budget(*size, limits) if size else None,
    )


def loss_lately(records: Sequence[NightRecord], night: date, limits: LossLimits) -> LossAccount:
    """Return what the nights up to `night`, as many as the limits count together, took away."""
    first = night - timedelta(days=limits.month_nights - 1)
    charges = [charge for charge in past_charges(records) if first <= charge.night <= night]
    tonight = next((record for record in records if record.night == night), None)
    size = _size(tonight) if tonight else None
    return LossAccount(
        notes=sum(charge.notes for charge in charges),
        statements=sum(charge.statements for charge in charges),
        budget=month_budget(*size, limits) if size else None,
    )


def _size(record: NightRecord) -> tuple[int, int] | None:
    """Return the topic notes and statements that the night began with."""
    loss = record.loss
    return (loss.topic_notes, loss.statement_count) if loss.topic_notes or loss.statement_count else None

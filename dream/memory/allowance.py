"""How much a night may take away, and what the nights before it have left of that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from dream.memory.loss import Loss
from dream.memory.records import NightRecord

VERIFICATION = "production_verification"


@dataclass(frozen=True, slots=True, kw_only=True)
class LossLimits:
    """Every number of the loss budget; `percent` of what tonight's base has, or the plain number if that is more.

    A note is new for `new_nights`, from the night that first sees it.
    """

    night_notes: int = 3
    night_statements: int = 5
    night_percent: int = 15
    month_notes: int = 3
    month_statements: int = 15
    month_percent: int = 25
    month_nights: int = 30
    most_notes_percent: int = 50
    verification_percent: int = 50
    new_nights: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How many notes and statements may go."""

    notes: int
    statements: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What a task took away in one night; below 0 where it brought back what another had taken."""

    night: date
    task: str
    notes: int
    statements: int


def night_budget(topic_notes: int, statements: int, limits: LossLimits) -> Budget:
    """Return what one night may take away from a base of that size."""
    return Budget(
        notes=min(
            max(limits.night_notes, topic_notes * limits.night_percent // 100),
            topic_notes * limits.most_notes_percent // 100,
        ),
        statements=max(limits.night_statements, statements * limits.night_percent // 100),
    )


def month_budget(topic_notes: int, statements: int, limits: LossLimits) -> Budget:
    """Return what the nights of a month, tonight's included, may take away; the base is tonight's."""
    return Budget(
        notes=min(
            max(limits.month_notes, topic_notes * limits.month_percent // 100),
            topic_notes * limits.most_notes_percent // 100,
        ),
        statements=max(limits.month_statements, statements * limits.month_percent // 100),
    )


def past_charges(records: Iterable[NightRecord]) -> tuple[Charge, ...]:
    """Return what landed nights have taken away, from their records."""
    return tuple(
        Charge(night=record.night, task=task, notes=notes, statements=statements)
        for record in records
        for task, (notes, statements) in record.loss.by_task.items()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What this landing may still take away from a base of `topic_notes` and `statements`.

    `past` is what landed before, tonight's earlier landings included; what lies further back than the limits look is
    ignored. `charged` is what this landing has taken away so far, by task.
    """

    tonight: date
    topic_notes: int
    statements: int
    past: tuple[Charge, ...] = ()
    limits: LossLimits = field(default_factory=LossLimits)
    charged: tuple[Charge, ...] = ()

    def refuses(self, loss: Loss, task: str) -> str:
        """Return why `task` may not bring this landing to `loss`, or nothing.

        Only what takes more away than is charged already can be refused, so a budget that earlier nights have used up
        stops nothing else. Reasons: `deferred-night-notes`, `deferred-night-statements`, `deferred-month-notes`,
        `deferred-month-statements`, and `deferred-kept-for-verification`.
        """
        more = self.more(loss, task)
        tonight = [charge for charge in (*self.past, *self.charged, more) if charge.night == self.tonight]
        lately = [*self._lately(), *self.charged, more]
        by_others = [charge for charge in lately if charge.task != VERIFICATION]
        night = night_budget(self.topic_notes, self.statements, self.limits)
        month = month_budget(self.topic_notes, self.statements, self.limits)
        checks = [
            (tonight, night, "night-notes", "night-statements"),
            (lately, month, "month-notes", "month-statements"),
        ]
        if task != VERIFICATION:
            left = _without_reserve(month, self.limits)
            checks.append((by_others, left, "kept-for-verification", "kept-for-verification"))
        for charges, budget, notes_reason, statements_reason in checks:
            if more.notes > 0 and sum(charge.notes for charge in charges) > budget.notes:
                return f"deferred-{notes_reason}"
            if more.statements > 0 and sum(charge.statements for charge in charges) > budget.statements:
                return f"deferred-{statements_reason}"
        return ""

    def charge(self, loss: Loss, task: str) -> Allowance:
        """Return the allowance after `task` has brought this landing to `loss`."""
        more = self.more(loss, task)
        return self if not (more.notes or more.statements) else replace(self, charged=(*self.charged, more))

    def by_task(self) -> dict[str, tuple[int, int]]:
        """Return the notes and statements that each task of this landing took away."""
        totals: dict[str, tuple[int, int]] = {}
        for charge in self.charged:
            notes, statements = totals.get(charge.task, (0, 0))
            totals[charge.task] = (notes + charge.notes, statements + charge.statements)
        return totals

    def more(self, loss: Loss, task: str) -> Charge:
        """Return what bringing this landing to `loss` takes away beyond what is charged already."""
        return Charge(
            night=self.tonight,
            task=task,
            notes=len(loss.notes) - sum(charge.notes for charge in self.charged),
            statements=len(loss.statements) - sum(charge.statements for charge in self.charged),
        )

    def _lately(self) -> list[Charge]:
        first = self.tonight - timedelta(days=self.limits.month_nights - 1)
        return [charge for charge in self.past if charge.night >= first]


def _without_reserve(budget: Budget, limits: LossLimits) -> Budget:
    return Budget(
        notes=budget.notes - budget.notes * limits.verification_percent // 100,
        statements=budget.statements - budget.statements * limits.verification_percent // 100,
    )

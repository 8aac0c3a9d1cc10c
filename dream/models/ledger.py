"""The ledger of one night: what every task asked and got, and what of the budget is left."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

import structlog

from dream.errors import DreamError
from dream.models.budget import Budget, Spent
from dream.models.port import Reason, Replied, Reply, Role, Unanswered, Usage
from dream.models.prices import PriceTable

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one role was asked for one task.

    `usage` is what the answers took, kept ones with what they took when they were paid for, so that a night that is
    run again tells the same; `kept` counts those. `unanswered` counts questions without a reply, by reason.
    """

    task: str
    role: Role
    model: str
    questions: int = 0
    kept: int = 0
    usage: Usage = field(default_factory=Usage)
    unanswered: Mapping[Reason, int] = field(default_factory=dict)

    @property
    def answered(self) -> int:
        """How many questions got a reply."""
        return self.questions - sum(self.unanswered.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """Room in the budget for one call that is under way; `number` tells it from others alike."""

    number: int
    model: str
    expected: Spent


class Ledger:
    """Counts one night's questions, and lets no call begin for which the budget has no room; safe among threads."""

    def __init__(
        self,
        budget: Budget,
        prices: PriceTable,
        *,
        before: Spent | None = None,
        keep: Callable[[Spent], None] = lambda _: None,
    ) -> None:
        """Go on from what this night had spent `before`.

        `keep` writes down what is spent, calls under way included, before each call and after it; where it raises a
        DreamError, no call begins.
        """
        self.budget = budget
        self.prices = prices
        self._settled = before or Spent()
        self._keep = keep
        self._open: dict[int, Reservation] = {}
        self._number = 0
        self._waiting_since = 0.0
        self._rows: dict[tuple[str, Role, str], Row] = {}
        self._lock = threading.Lock()

    def reserve(self, model: str, expected: Usage, *, now: float) -> Reservation | str:
        """Return room for a call that may take as much as `expected`, or the ceiling that stands against it.

        `now` is that of a clock that never jumps, in seconds.
        """
        with self._lock:
            more = self._spent_by(model, expected)
            passed = self.budget.passed(self._committed(now) + more)
            if passed:
                return f"{passed} leaves no room for another question"
            self._number += 1
            reservation = Reservation(number=self._number, model=model, expected=more)
            if not self._open:
                self._waiting_since = now
            self._open[reservation.number] = reservation
            try:
                self._keep(self._committed(now))
            except DreamError as error:
                self._close(reservation, now)
                log.warning("spend.not_written", cause=str(error))
                return "what is spent cannot be written down"
            return reservation

    def charge(self, reservation: Reservation, paid: Usage, *, now: float) -> None:
        """Put what the call took in the place of what was reserved for it."""
        with self._lock:
            self._close(reservation, now)
            self._settled += self._spent_by(reservation.model, paid)
            try:
                self._keep(self._committed(now))
            except DreamError as error:
                log.warning("spend.not_written", cause=str(error))

    def wait(self, seconds: float) -> None:
        """Count `seconds` of waiting between two calls."""
        with self._lock:
            self._settled += Spent(seconds=seconds)

    def note(
        self, task: str, role: Role, model: str, answer: Replied[Reply] | Unanswered, *, kept: bool = False
    ) -> None:
        """Count a question of `task` and how it ended; what it took was charged before, or long ago if it was kept."""
        with self._lock:
            row = self._rows.get((task, role, model), Row(task=task, role=role, model=model))
            unanswered = dict(row.unanswered)
            if isinstance(answer, Unanswered):
                unanswered[answer.reason] = unanswered.get(answer.reason, 0) + 1
            self._rows[task, role, model] = replace(
                row,
                questions=row.questions + 1,
                kept=row.kept + kept,
                usage=row.usage + answer.usage,
                unanswered=unanswered,
            )

    def rows(self, task: str = "") -> tuple[Row, ...]:
        """Return the rows of `task`, or of all tasks, ordered by task, role and model."""
        with self._lock:
            return tuple(row for key, row in sorted(self._rows.items()) if task in ("", row.task))

    def spent(self, *, now: float) -> Spent:
        """Return what this night has spent so far, in all its runs, with what calls under way may take."""
        with self._lock:
            return self._committed(now)

    def _spent_by(self, model: str, usage: Usage) -> Spent:
        cost = self.prices.cost(model, usage)
        return Spent(tokens=usage.tokens, calls=usage.calls, dollars=cost or Decimal(0))

    def _committed(self, now: float) -> Spent:
        waited = Spent(seconds=now - self._waiting_since if self._open else 0.0)
        return sum((one.expected for one in self._open.values()), self._settled + waited)

    def _close(self, reservation: Reservation, now: float) -> None:
        del self._open[reservation.number]
        if not self._open:
            self._settled += Spent(seconds=now - self._waiting_since)

"""How one night of an organisation went, as a line among many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from dream.memory.allowance import LossLimits
from dream.memory.records import NightRecord
from dream.memory.windows import scheduled_instant
from dream.report.accounts import Account, night_account
from dream.report.attempts import Attempt
from dream.report.losses import LossAccount, loss_tonight
from dream.report.pauses import Pause
from dream.report.spend import SpendAccount, night_spend, tasks_spend

Ended = Literal["landed", "tasks failed", "not landed", "superseded", "paused", "shadow", "no run"]

_LANDS_NOWHERE: Mapping[str, Ended] = {"paused": "paused", "shadow": "shadow"}
"""Ends of runs that were to land nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightLine:
    """How one night went: its record where it landed, else what its last run said."""

    night: date
    ended: Ended
    failed: tuple[str, ...] = ()
    account: Account = field(default_factory=Account)
    loss: LossAccount = field(default_factory=LossAccount)
    spend: SpendAccount = field(default_factory=SpendAccount)
    spend_by_task: Mapping[str, SpendAccount] = field(default_factory=dict)
    runs: int = 0
    reason: str = ""

    def payload(self) -> dict[str, Any]:
        """Return the JSON values of this night."""
        return {
            "night": self.night.isoformat(),
            "ended": self.ended,
            "failed": list(self.failed),
            "inputs": self.account.inputs,
            "written": self.account.written,
            "not_written": dict(self.account.not_written),
            "pending": self.account.pending,
            "refusals": dict(self.account.refusals),
            "loss": self.loss.payload(),
            "tokens": self.spend.tokens,
            "spend": self.spend.payload(),
            "spend_by_task": {name: spend.payload() for name, spend in self.spend_by_task.items()},
            "runs": self.runs,
            "reason": self.reason,
        }


def night_line(
    night: date,
    record: NightRecord | None,
    attempts: Sequence[Attempt],
    *,
    limits: LossLimits,
    pause: Pause | None,
) -> NightLine:
    """Return how `night` went, by its record or else by the runs that are noted; one that `pause` kept from running."""
    if record is not None:
        failed = tuple(name for name, task in record.tasks.items() if task.outcome == "failed")
        return NightLine(
            night=night,
            ended="tasks failed" if failed else "landed",
            failed=failed,
            account=night_account(record),
            loss=loss_tonight(record, limits),
            spend=night_spend(record),
            spend_by_task={name: tasks_spend([task]) for name, task in record.tasks.items() if task.spend},
            runs=max(len(attempts), record.landings),
        )
    if not attempts and pause and pause.since <= scheduled_instant(night):
        return NightLine(night=night, ended="paused", reason=str(pause))
    if not attempts:
        return NightLine(night=night, ended="no run")
    last = attempts[-1]
    if last.status in _LANDS_NOWHERE:
        ended = _LANDS_NOWHERE[last.status]
        return NightLine(night=night, ended=ended, failed=last.failed, runs=len(attempts), reason=last.reason)
    ended = "superseded" if last.needs == "nothing" else "not landed"
    reason = "it landed, and the branch has no record of it any more" if last.status == "landed" else last.status
    return NightLine(night=night, ended=ended, runs=len(attempts), reason=last.reason or reason)

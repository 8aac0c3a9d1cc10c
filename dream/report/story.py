"""Everything that is told of one night, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from dream.memory.allowance import LossLimits
from dream.memory.records import NightRecord, TaskRecord
from dream.memory.state import PendingInput
from dream.report.accounts import account_of, in_order, night_account, spoken
from dream.report.alarms.alarm import Alarm
from dream.report.attempts import Attempt, Wanted, findings_of
from dream.report.losses import loss_lately, loss_tonight
from dream.report.needs import Need, landing_needs, most_wanted, set_aside_needs, task_needs
from dream.report.pauses import held_needs
from dream.report.shadow import LANDED_NOWHERE
from dream.report.spend import SpendAccount, tasks_spend
from dream.report.standing import Standing
from dream.report.systems import system_needs

UNDONE = "undone since: "
"""How a survey begins the line of an effect that somebody undid."""

_ENDED = {"not-landed": "nothing landed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class NightCommit:
    """One commit of a night: which task made it, what it says of itself, and the lines of its diff."""

    id: str
    task: str
    subject: str
    body: str = ""
    files: tuple[str, ...] = ()
    diff: tuple[str, ...] = ()
    is_revert: bool = False

    def payload(self) -> dict[str, Any]:
        """Return the JSON values of this commit, without its diff."""
        return {
            "id": self.id,
            "task": self.task,
            "subject": self.subject,
            "body": self.body,
            "files": list(self.files),
            "revert": self.is_revert,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One night of one organisation; `record` is None where nothing of it has landed.

    `records` are those of all nights that the branch remembers, oldest first, `commits` those of this night, oldest
    first; `dry` tells of a night that would be, `shadow` of one that was rehearsed, `remarks` of what could not be
    looked at; `order` is that of the tasks. `standing` is the memory as it now stands, `alarms` are those that stood
    when the night had ended.
    """

    organisation: str
    night: date
    record: NightRecord | None = None
    records: Sequence[NightRecord] = ()
    commits: Sequence[NightCommit] = ()
    attempts: Sequence[Attempt] = ()
    pending: Sequence[PendingInput] = ()
    findings: Sequence[str] = ()
    alarms: Sequence[Alarm] = ()
    remarks: Sequence[str] = ()
    branch: str = "main"
    tip: str = ""
    dry: bool = False
    shadow: bool = False
    order: Sequence[str] = ()
    limits: LossLimits = field(default_factory=LossLimits)
    standing: Standing | None = None

    @property
    def ended(self) -> str:
        """How the night ended, in a few words."""
        if self.record is None:
            return _ended(self.attempts[-1]) if self.attempts else "has not run"
        if self.shadow:
            return f"{LANDED_NOWHERE}, tasks failed" if self.failed else LANDED_NOWHERE
        if self.dry:
            return "dry run"
        return "landed, tasks failed" if self.failed else "landed"

    @property
    def tasks(self) -> Mapping[str, TaskRecord]:
        """What each task came to, in order; nothing where nothing has landed."""
        return in_order(self.record.tasks, self.order) if self.record else {}

    @property
    def failed(self) -> tuple[str, ...]:
        """The tasks that failed."""
        return tuple(name for name, task in self.tasks.items() if task.outcome == "failed")

    @property
    def spend(self) -> SpendAccount:
        """What the models of this night took."""
        return tasks_spend(self.tasks.values())

    @property
    def found(self) -> tuple[str, ...]:
        """Everything that this night found, each once: by its record, its tasks and its runs."""
        of_tasks = [finding for task in self.tasks.values() for finding in task.findings]
        of_record = self.record.findings if self.record else ()
        return tuple(dict.fromkeys((*of_record, *of_tasks, *self.findings, *findings_of(self.attempts))))

    @property
    def undone(self) -> tuple[str, ...]:
        """What people undid of nights before, an effect each."""
        return tuple(one.removeprefix(UNDONE) for one in self.found if one.startswith(UNDONE))

    @property
    def set_aside(self) -> tuple[str, ...]:
        """The inputs that a task gave up after too many failed nights, a line each."""
        return tuple(f"{spoken(one.task)}: {one.input} ({one.nights} nights)" for one in self.pending if one.set_aside)

    @property
    def needs(self) -> tuple[Need, ...]:
        """What this night needs from people."""
        if self.record is None:
            return tuple(landing_needs(self.organisation, self.night, self.attempts))
        upto = [record for record in self.records if record.night < self.night]
        return (
            *task_needs(self.organisation, [*upto, self.record]),
            *held_needs(self.organisation, self.record),
            *set_aside_needs(self.organisation, self.pending),
            *(one for one in self._system_needs(upto) if one.wanted != "nothing"),
        )

    @property
    def wanted(self) -> Wanted:
        """What its needs and alarms come to."""
        return most_wanted(self.needs, self.alarms)

    def _system_needs(self, before: Sequence[NightRecord]) -> list[Need]:
        records = [*before, self.record] if self.record else []
        return system_needs(self.organisation, records, {self.night: self.attempts})

    def payload(self) -> dict[str, Any]:
        """Return the JSON document of this night."""
        record = self.record
        return {
            "organisation": self.organisation,
            "night": self.night.isoformat(),
            "ended": self.ended,
            "tip": self.tip,
            "shadow": self.shadow,
            "needs": [need.payload() for need in self.needs],
            "degraded": [alarm.payload() for alarm in self.alarms],
            "inputs": str(night_account(record)) if record else "",
            "tasks": {
                name: {
                    "outcome": task.outcome,
                    "reason": task.reason,
                    "commit": task.commit,
                    "inputs": task.inputs,
                    "written": task.written,
                    "not_written": dict(task.not_written),
                    "pending": task.pending,
                    "refusals": dict(task.refusals),
                    "left_out": [one.model_dump(mode="json") for one in task.left_out],
                    "adds_up": account_of(task).adds_up,
                    "spend": {role: one.model_dump(mode="json") for role, one in task.spend.items()},
                }
                for name, task in self.tasks.items()
            },
            "commits": [commit.payload() for commit in self.commits],
            "loss": {
                "night": loss_tonight(record, self.limits).payload(),
                "lately": loss_lately(self.records, self.night, self.limits).payload(),
                "by_task": {name: list(lost) for name, lost in record.loss.by_task.items()},
            }
            if record
            else {},
            "tokens": self.spend.tokens,
            "spend": self.spend.payload(),
            "findings": list(self.found),
            "arrived": list(record.arrived) if record else [],
            "set_aside": [item.model_dump(mode="json") for item in self.pending if item.set_aside],
            "runs": [attempt.model_dump(mode="json") for attempt in self.attempts],
            "remarks": list(self.remarks),
        }


def _ended(attempt: Attempt) -> str:
    """Return how a run ended that left no record."""
    if attempt.status == "paused":
        return f"{attempt.reason}; {attempt.way_out}"
    return _ENDED.get(attempt.status, attempt.status)

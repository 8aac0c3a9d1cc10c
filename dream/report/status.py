"""How the nights of one organisation have gone, and what they need."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, Literal

from dream.memory.allowance import LossLimits
from dream.memory.records import LEFT_UNASKED, NightRecord
from dream.memory.state import PendingInput
from dream.report.accounts import Account, night_account, spoken
from dream.report.alarms.alarm import Alarm, alarm_lines
from dream.report.alarms.landing import NOT_LANDED
from dream.report.attempts import Attempt, Wanted
from dream.report.escaping import one_line
from dream.report.losses import LossAccount, loss_lately, loss_tonight
from dream.report.needs import Need, landing_needs, most_wanted, set_aside_needs, task_needs
from dream.report.spend import SpendAccount, night_spend, spend_lately, tasks_spend
from dream.report.systems import system_needs
from dream.report.tables import text_table

Ended = Literal["landed", "tasks failed", "not landed", "superseded", "no run"]

LOOK_BACK_NIGHTS = 90
"""How far back nights are looked at."""

_FINE = ("landed", "superseded")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What there is to know of an organisation's nights; `remarks` say what could not be looked at.

    `degraded` says why nights that end well are of no use any more.
    """

    organisation: str
    nights: tuple[NightLine, ...] = ()
    newest_landed: date | None = None
    failing_since: date | None = None
    without_landing: tuple[date, ...] = ()
    needs: tuple[Need, ...] = ()
    degraded: tuple[Alarm, ...] = ()
    loss: LossAccount = field(default_factory=LossAccount)
    spend: SpendAccount = field(default_factory=SpendAccount)
    remarks: tuple[str, ...] = ()

    @property
    def wanted(self) -> Wanted:
        """What all needs and alarms come to: a person, but where nights only do not land, which is a need as well."""
        return "a person" if any(one.kind != NOT_LANDED for one in self.degraded) else most_wanted(self.needs)

    @property
    def word(self) -> Literal["degraded", "failing", "sound"]:
        """How the organisation is, in a word."""
        if self.degraded:
            return "degraded"
        return "failing" if self.failing_since else "sound"

    def payload(self) -> dict[str, Any]:
        """Return the JSON document of this status."""
        return {
            "organisation": self.organisation,
            "status": self.word,
            "degraded": [alarm.payload() for alarm in self.degraded],
            "needs": self.wanted,
            "reasons": [need.payload() for need in self.needs],
            "newest_landed": self.newest_landed.isoformat() if self.newest_landed else None,
            "failing_since": self.failing_since.isoformat() if self.failing_since else None,
            "without_landing": [night.isoformat() for night in self.without_landing],
            "loss_lately": self.loss.payload(),
            "tokens": self.spend.tokens,
            "spend_lately": self.spend.payload(),
            "remarks": list(self.remarks),
            "nights": [line.payload() for line in self.nights],
        }


def status_of(
    organisation: str,
    *,
    due: date,
    records: Sequence[NightRecord],
    attempts: Mapping[date, Sequence[Attempt]],
    pending: Sequence[PendingInput] = (),
    troubles: Sequence[Need] = (),
    unset: Mapping[str, Need] = MappingProxyType({}),
    degraded: Sequence[Alarm] = (),
    remarks: Sequence[str] = (),
    limits: LossLimits,
    shown: int,
) -> Status:
    """Return the status of the nights up to `due`, of which the newest `shown` are listed.

    Args:
        organisation: whose nights they are.
        due: the newest night that is due.
        records: what landed, oldest first.
        attempts: how this installation's runs ended, by night, oldest first.
        pending: the inputs that wait, or were set aside.
        troubles: what the branch itself needs: it cannot be reached, or was rewritten.
        unset: the systems whose credential is missing here and now, by name.
        degraded: the alarms that are raised now.
        remarks: what could not be looked at.
        limits: the loss budget.
        shown: how many nights are listed.
    """
    landed = {record.night: record for record in records}
    lines = [_line(night, landed.get(night), attempts.get(night, ()), limits) for night in _days(landed, attempts, due)]
    known = [line for line in lines if line.ended != "no run" or line.night == due]
    missing_nights = tuple(line.night for line in lines if line.ended in ("not landed", "no run"))
    newest = records[-1].night if records else None
    unlanded = [] if newest and newest >= due else landing_needs(organisation, due, attempts.get(due, ()))
    failed = task_needs(organisation, records)
    systems = system_needs(organisation, records, attempts, told=unset)
    return Status(
        organisation=organisation,
        nights=tuple(known[:shown]),
        newest_landed=newest,
        failing_since=_failing_since(lines),
        without_landing=missing_nights,
        needs=(
            *troubles,
            *unlanded,
            *(need for need in failed if not unlanded or need.wanted == "a person"),  # tonight's run does the rest
            *set_aside_needs(organisation, pending),
            *unset.values(),
            *(need for need in systems if need.wanted != "nothing"),
        ),
        degraded=tuple(degraded),
        loss=loss_lately(records, newest, limits) if newest else LossAccount(),
        spend=spend_lately(records, newest, limits.month_nights) if newest else SpendAccount(),
        remarks=(
            *remarks,
            *_left_unasked(records[-1:]),
            *(need.why for need in systems if need.wanted == "nothing"),
        ),
    )


def render_status(status: Status) -> str:
    """Return what a person is told, for a terminal."""
    degraded = "degraded, " if status.degraded else ""
    lines = [f"{status.organisation}: {degraded}needs {status.wanted}", *alarm_lines(status.degraded)]
    lines += [f"  {need.wanted}: {one_line(need.why)}" + _way_out(need) for need in status.needs]
    lines += [f"  note: {one_line(remark)}" for remark in status.remarks]
    if status.failing_since:
        lines.append(f"  failing since the night of {status.failing_since.isoformat()}")
    if status.without_landing:
        lines.append(f"  nights without a landing: {', '.join(_stretches(status.without_landing))}")
    if status.newest_landed:
        lines.append(f"  loss over the last nights: {status.loss}; spend: {status.spend}")
    else:
        lines.append("  no night has landed yet")
    if status.nights:
        head = ("night", "ended", "in", "written", "not written", "pending", "lost", "tokens", "what failed, or why")
        lines += [
            f"  {line}" for line in text_table(head, [_cells(line) for line in status.nights], aligned="<<>>>>>><")
        ]
    return "\n".join(lines)


def _left_unasked(records: Sequence[NightRecord]) -> Iterator[str]:
    """Yield what a ceiling, or a model out of reach, kept the tasks of `records` from asking."""
    for record in records:
        for name, task in record.tasks.items():
            for finding in task.findings:
                if LEFT_UNASKED in finding and task.spend:
                    yield f"{spoken(name)} in the night of {record.night.isoformat()}: {finding}"


def _stretches(nights: Sequence[date]) -> Iterator[str]:
    """Yield `2026-10-01`, or `2026-10-03 to 2026-10-05` for nights in a row, newest first."""
    left = list(nights)
    while left:
        row = [left.pop(0)]
        while left and left[0] == row[-1] - timedelta(days=1):
            row.append(left.pop(0))
        yield row[0].isoformat() if len(row) == 1 else f"{row[-1].isoformat()} to {row[0].isoformat()}"


def _way_out(need: Need) -> str:
    return f"\n    {one_line(need.way_out)}" if need.way_out else ""


def _cells(line: NightLine) -> tuple[str, ...]:
    if line.ended not in ("landed", "tasks failed"):
        return (line.night.isoformat(), line.ended, "", "", "", "", "", "", line.reason)
    account = line.account
    return (
        line.night.isoformat(),
        line.ended,
        str(account.inputs),
        str(account.written),
        str(sum(account.not_written.values())),
        str(account.pending),
        f"{line.loss.notes}+{line.loss.statements}",
        str(line.spend.tokens),
        ", ".join(map(spoken, line.failed)),
    )


def _line(night: date, record: NightRecord | None, attempts: Sequence[Attempt], limits: LossLimits) -> NightLine:
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
    if not attempts:
        return NightLine(night=night, ended="no run")
    last = attempts[-1]
    ended: Ended = "superseded" if last.needs == "nothing" else "not landed"
    reason = "it landed, and the branch has no record of it any more" if last.status == "landed" else last.status
    return NightLine(night=night, ended=ended, runs=len(attempts), reason=last.reason or reason)


def _days(landed: Collection[date], attempts: Collection[date], due: date) -> list[date]:
    """Return every night from the first known one, or as far back as one looks, up to the one that is due."""
    known = [night for night in (*landed, *attempts) if night <= due]
    if not known:
        return []
    back = min((due - min(known)).days, LOOK_BACK_NIGHTS)
    return [due - timedelta(days=days) for days in range(back + 1)]


def _failing_since(lines: Sequence[NightLine]) -> date | None:
    """Return the first of the nights that have gone wrong up to now; one that is due and has not run is not failing."""
    since = None
    for line in lines[1:] if lines and lines[0].ended == "no run" else lines:
        if line.ended in _FINE:
            break
        since = line.night
    return since

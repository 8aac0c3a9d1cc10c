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
from dream.report.accounts import spoken
from dream.report.alarms.alarm import Alarm, alarm_lines
from dream.report.attempts import Attempt, Wanted
from dream.report.escaping import one_line
from dream.report.losses import LossAccount, loss_lately
from dream.report.needs import Need, landing_needs, most_wanted, set_aside_needs, task_needs
from dream.report.night_line import NightLine, night_line
from dream.report.pauses import Pause
from dream.report.shadow import LET_LAND, turn_on
from dream.report.spend import SpendAccount, spend_lately
from dream.report.systems import system_needs
from dream.report.tables import text_table

LOOK_BACK_NIGHTS = 90
"""How far back nights are looked at."""

_FINE = ("landed", "superseded", "paused", "shadow")


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What there is to know of an organisation's nights; `remarks` say what could not be looked at.

    `degraded` says why nights that end well are of no use any more, `pauses` what people have stopped; in `shadow`
    nights land nowhere.
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
    pauses: tuple[Pause, ...] = ()
    shadow: bool = False

    @property
    def wanted(self) -> Wanted:
        """What all needs and alarms come to."""
        return most_wanted(self.needs, self.degraded)

    @property
    def word(self) -> Literal["degraded", "paused", "failing", "shadow", "sound"]:
        """How the organisation is, in a word."""
        if self.degraded:
            return "degraded"
        if any(not pause.tasks for pause in self.pauses):
            return "paused"
        return "failing" if self.failing_since else "shadow" if self.shadow else "sound"

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
            "paused": [pause.payload(self.organisation) for pause in self.pauses],
            "shadow": self.shadow,
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
    pauses: Sequence[Pause] = (),
    shadow: bool = False,
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
        pauses: what people have paused and holds now.
        shadow: whether nights land nowhere.
        limits: the loss budget.
        shown: how many nights are listed.
    """
    landed = {record.night: record for record in records}
    pause = next((one for one in pauses if not one.tasks), None)
    lines = [
        night_line(night, landed.get(night), attempts.get(night, ()), limits=limits, pause=pause)
        for night in _days(landed, attempts, due)
    ]
    known = [line for line in lines if line.ended != "no run" or line.night == due]
    missing_nights = tuple(line.night for line in lines if line.ended in ("not landed", "no run"))
    newest = records[-1].night if records else None
    unlanded = [] if pause or (newest and newest >= due) else landing_needs(organisation, due, attempts.get(due, ()))
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
        pauses=tuple(pauses),
        shadow=shadow,
    )


def render_status(status: Status) -> str:
    """Return what a person is told, for a terminal."""
    degraded = "degraded, " if status.degraded else ""
    lines = [f"{status.organisation}: {degraded}needs {status.wanted}", *alarm_lines(status.degraded)]
    lines += [f"  {one_line(pause.told(status.organisation), most=1000)}" for pause in status.pauses]
    if status.shadow:
        lines.append(f"  in shadow, where nights land nowhere; {LET_LAND}: {turn_on(status.organisation)}")
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

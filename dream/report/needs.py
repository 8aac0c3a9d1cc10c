"""What a night, or an organisation, needs from people: nothing, a retry, or a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from dream.errors import DreamError, TransientError
from dream.memory.records import NOT_ASKED, NightRecord, TaskRecord
from dream.memory.state import PendingInput
from dream.report.accounts import spoken
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.landing import NOT_LANDED
from dream.report.attempts import Attempt, Wanted

FAILED_NIGHTS = 3
"""After so many nights in which a task failed, trying again is no longer the answer."""

_NOBODY_BUT_A_PERSON = frozenset({"unauthorised", "misconfigured", "quota"})
"""Why questions go unanswered until somebody sees to the key, the address, the model or the money."""

_ONLY_A_PERSON_HELPS = tuple(f"{NOT_ASKED}{reason}" for reason in sorted(_NOBODY_BUT_A_PERSON))
"""How reasons of a task begin that no other run makes go away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Something that is not as it should be: what helps, why, and how."""

    wanted: Wanted
    why: str
    way_out: str = ""

    def __str__(self) -> str:
        """Read `a retry: tidy failed: dream run acme`."""
        return ": ".join(part for part in (self.wanted, self.why, self.way_out) if part)

    def payload(self) -> dict[str, str]:
        """Return the JSON values of this need."""
        return {"wanted": self.wanted, "why": self.why, "way_out": self.way_out}


def need_after(error: DreamError) -> Need:
    """Return what helps after `error`: a retry where it may pass by itself, else a person."""
    wanted: Wanted = "a retry" if isinstance(error, TransientError) else "a person"
    return Need(wanted=wanted, why=str(error), way_out=error.way_out)


def most_wanted(needs: Sequence[Need], alarms: Sequence[Alarm] = ()) -> Wanted:
    """Return what all needs and alarms come to; a person can do what a retry does.

    An alarm asks for a person, but where nights only do not land, which is a need as well.
    """
    wanted = {need.wanted for need in needs} | {"a person" for one in alarms if one.kind != NOT_LANDED}
    return "a person" if "a person" in wanted else "a retry" if "a retry" in wanted else "nothing"


def landing_needs(organisation: str, night: date, attempts: Sequence[Attempt]) -> list[Need]:
    """Return what a night needs of which nothing landed: what its last run asked for."""
    again = _again(organisation, night)
    if not attempts:
        return [Need(wanted="a retry", why=f"the night of {night.isoformat()} has not run", way_out=again)]
    last = attempts[-1]
    if last.needs == "nothing":
        return []
    why = f"nothing landed: {last.reason or last.status}"
    return [Need(wanted=last.needs, why=why, way_out=last.way_out or again)]


def task_needs(organisation: str, records: Sequence[NightRecord]) -> list[Need]:
    """Return what the failed tasks of the newest of `records` (oldest first) need."""
    if not records:
        return []
    night = records[-1].night
    needs = []
    for name, task in records[-1].tasks.items():
        if task.outcome != "failed":
            needs += _cut_off(organisation, name, task)
            continue
        nights = _failed_nights(records, name)
        if task.reason.startswith(_ONLY_A_PERSON_HELPS):
            why = f"{spoken(name)} failed: {task.reason}"
            needs.append(Need(wanted="a person", why=why, way_out=f"dream doctor {organisation}"))
        elif nights >= FAILED_NIGHTS:
            why = f"{spoken(name)} has failed {nights} nights in a row: {task.reason}"
            needs.append(Need(wanted="a person", why=why, way_out=f"dream report {organisation}"))
        else:
            why = f"{spoken(name)} failed: {task.reason}"
            needs.append(Need(wanted="a retry", why=why, way_out=_again(organisation, night)))
    return needs


def _cut_off(organisation: str, name: str, task: TaskRecord) -> list[Need]:
    """Return what a task needs that did some of its work before its key or its money was gone."""
    reasons = {reason for role in task.spend.values() for reason in role.unanswered} & _NOBODY_BUT_A_PERSON
    why = f"{spoken(name)} could not ask all of its questions: {', '.join(sorted(reasons))}"
    return [Need(wanted="a person", why=why, way_out=f"dream doctor {organisation}")] if reasons else []


def set_aside_needs(organisation: str, pending: Sequence[PendingInput]) -> list[Need]:
    """Return what inputs need that a task gave up after too many failed nights."""
    aside: dict[str, list[str]] = {}
    for item in pending:
        if item.set_aside:
            aside.setdefault(item.task, []).append(item.input)
    return [
        Need(
            wanted="a person",
            why=f"{spoken(task)} has set aside {', '.join(inputs[:5])}" + _more(len(inputs) - 5),
            way_out=f"see why with: dream report {organisation}",
        )
        for task, inputs in sorted(aside.items())
    ]


def _failed_nights(records: Sequence[NightRecord], task: str) -> int:
    count = 0
    for record in reversed(records):
        if task not in record.tasks or record.tasks[task].outcome != "failed":
            break
        count += 1
    return count


def _again(organisation: str, night: date) -> str:
    return f"dream run {organisation} --night {night.isoformat()}"


def _more(left: int) -> str:
    return f" and {left} more" if left > 0 else ""

"""What keeps a night or one of its tasks from going on: the pauses that people made, and the breaker."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

import structlog

from dream.errors import DreamError
from dream.memory.outcomes import Skipped
from dream.memory.records import HELD, NightRecord
from dream.memory.state import Tombstone
from dream.night.breaker import BreakerLimits, Held, held_tasks
from dream.night.result import NightResult
from dream.night.steps import PlannedTask
from dream.night.survey import Survey
from dream.report.accounts import spoken
from dream.report.needs import Need, need_after
from dream.report.pauses import Pause, held_need
from flows.clock import Clock
from flows.pausing import Pauses, read_pauses
from flows.workplace import Workplace
from tasks.order import AFRESH, TASKS

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """What keeps nights from going on: what people have paused, and what needs a person or a retry."""

    pauses: tuple[Pause, ...] = ()
    needs: tuple[Need, ...] = ()

    @property
    def is_paused(self) -> bool:
        """Whether no night goes on at all."""
        return any(not pause.tasks for pause in self.pauses)


def held_back(
    workplace: Workplace, records: Sequence[NightRecord], tombstones: Collection[Tombstone], *, now: datetime
) -> HeldBack:
    """Return what keeps the next night of an organisation, or tasks of it, from going on; what is not known is a need.

    `records` (oldest first) and `tombstones` are those of the branch as it now stands.
    """
    try:
        pauses = read_pauses(workplace.settings, workplace.name, now=now)
    except DreamError as error:
        return HeldBack(needs=(need_after(error),))
    reasons = _reasons(workplace, pauses, records, tombstones)
    held = [held_need(workplace.name, task, why) for task, why in reasons.items() if why.startswith(HELD)]
    return HeldBack(pauses=pauses.holding, needs=tuple(held))


class Brakes:
    """Asks whether a night of one organisation may go on, and remembers the answer for its tasks until asked again."""

    def __init__(self, workplace: Workplace, clock: Clock) -> None:
        """Ask by this clock; nothing is read yet."""
        self._workplace = workplace
        self._clock = clock
        self._pauses = Pauses()

    def stopped(self, night: date) -> NightResult | None:
        """Return how `night` ends if it is paused now, None where it may go on; raises what read_pauses raises."""
        name = self._workplace.name
        self._pauses = read_pauses(self._workplace.settings, name, now=self._clock.now())
        pause = self._pauses.whole
        if pause is None:
            return None
        log.info("night.paused", since=pause.since.isoformat(), everyone=pause.everyone)
        return NightResult(
            organisation=name, night=night, status="paused", reason=str(pause), way_out=pause.way_out(name)
        )

    def of_tasks(self, records: Sequence[NightRecord], tombstones: Collection[Tombstone]) -> Mapping[str, str]:
        """Return why each task that is paused is to be left out, by its name, with the command that lets it go on.

        Of a task that people have paused and the breaker holds, the breaker's reason is told: it needs a person.
        """
        return _reasons(self._workplace, self._pauses, records, tombstones)

    def left_out(self, planned: Sequence[PlannedTask], survey: Survey) -> list[PlannedTask]:
        """Return `planned` in which each task that is paused on `survey` contributes nothing; what it spent stays."""
        reasons = self.of_tasks(survey.records, survey.tombstones)
        return [_skipped(task, reasons[task.name]) if task.name in reasons else task for task in planned]


def newly_held(workplace: Workplace, survey: Survey, gone: Collection[str], *, now: datetime) -> tuple[str, ...]:
    """Return what is told of each task that the breaker holds once the effects whose ids are `gone` are taken back.

    Nothing of one that it holds already, and nothing where it is not known what is forgiven.
    """
    try:
        pauses = read_pauses(workplace.settings, workplace.name, now=now)
    except DreamError:
        return ()
    taken_back = [_taken_back(record, gone) for record in survey.records]
    before, after = (_held(workplace, pauses, records, survey.tombstones) for records in (survey.records, taken_back))
    return tuple(
        f"{spoken(task)} is then {one.why}; once it is mended: {one.way_out(workplace.name)}"
        for task, one in after.items()
        if task not in before
    )


def _skipped(task: PlannedTask, why: str) -> PlannedTask:
    empty = PlannedTask(name=task.name, outcome=Skipped(why))
    return replace(empty, spend=task.spend, findings=task.findings)


def _reasons(
    workplace: Workplace, pauses: Pauses, records: Sequence[NightRecord], tombstones: Collection[Tombstone]
) -> dict[str, str]:
    name = workplace.name
    held = _held(workplace, pauses, records, tombstones)
    reasons = {task: f"{one}; {one.way_out(name, (task,))}" for task in TASKS if (one := pauses.of_task(task))}
    reasons |= {task: f"{one.why}; {one.way_out(name)}" for task, one in held.items()}
    return {task: why for task, why in reasons.items() if task not in AFRESH}


def _held(
    workplace: Workplace, pauses: Pauses, records: Sequence[NightRecord], tombstones: Collection[Tombstone]
) -> Mapping[str, Held]:
    limits = BreakerLimits(**workplace.organisation.limits.breaker.model_dump())
    return held_tasks(records, tombstones, forgiven=pauses.forgiven, limits=limits)


def _taken_back(record: NightRecord, gone: Collection[str]) -> NightRecord:
    effects = (one.model_copy(update={"reverted": True}) if one.id in gone else one for one in record.effects)
    return record.model_copy(update={"effects": tuple(effects)})

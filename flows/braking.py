"""What keeps a night or one of its tasks from going on: the pauses that people made, and the breaker."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date

import structlog

from dream.memory.outcomes import Skipped
from dream.memory.records import NightRecord
from dream.memory.state import Tombstone
from dream.night.breaker import BreakerLimits, held_tasks
from dream.night.result import NightResult
from dream.night.steps import PlannedTask
from dream.night.survey import Survey
from flows.clock import Clock
from flows.pausing import Pauses, read_pauses
from flows.workplace import Workplace
from tasks.order import AFRESH, TASKS

log = structlog.get_logger()


class Brakes:
    """Asks whether a night of one organisation may go on, and remembers the answer for its tasks until asked again."""

    def __init__(self, workplace: Workplace, clock: Clock) -> None:
        """Ask by this clock; nothing is read yet."""
        self._workplace = workplace
        self._clock = clock
        self._pauses = Pauses()

    @property
    def pauses(self) -> Pauses:
        """What was paused when it was last asked."""
        return self._pauses

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
        name = self._workplace.name
        held = held_tasks(
            records,
            tombstones,
            forgiven=self._pauses.forgiven,
            limits=BreakerLimits(**self._workplace.organisation.limits.breaker.model_dump()),
        )
        reasons = {
            task: f"{pause}; {pause.way_out(name, (task,))}"
            for task in TASKS
            if (pause := self._pauses.of_task(task)) is not None
        }
        reasons |= {task: f"{one.why}; {one.way_out(name)}" for task, one in held.items()}
        return {task: why for task, why in reasons.items() if task not in AFRESH}

    def left_out(self, planned: Sequence[PlannedTask], survey: Survey) -> list[PlannedTask]:
        """Return `planned` in which each task that is paused on `survey` contributes nothing; what it spent stays."""
        reasons = self.of_tasks(survey.records, survey.tombstones)
        return [_skipped(task, reasons[task.name]) if task.name in reasons else task for task in planned]


def _skipped(task: PlannedTask, why: str) -> PlannedTask:
    empty = PlannedTask(name=task.name, outcome=Skipped(why))
    return replace(empty, spend=task.spend, findings=task.findings)

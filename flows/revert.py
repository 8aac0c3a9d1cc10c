"""Taking back a night, or one task of it: nothing else is undone, and the next night does not redo it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from dream.errors import UsageError
from dream.memory.notes import NoteCache
from dream.memory.records import Effect, NightRecord
from dream.memory.tree import Tree
from dream.memory.undone import effect_paths
from dream.memory.windows import current_night, scheduled_instant, window_end
from dream.night.branch import Signing
from dream.night.reverting import Conflict, Reverted, Undoing, revert_effects
from dream.night.steps import Rewritten
from dream.night.survey import Survey, survey_head
from dream.repository.lock import lock
from dream.repository.mirror import Mirror
from flows.afresh import index_afresh, settled_state, state_afresh
from flows.at_once import land_at_once
from flows.clock import Clock
from flows.opening import CONSUMING, fetch_head
from flows.workplace import Workplace
from tasks.order import AFRESH, TASKS
from tasks.state_update import without_done


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertResult:
    """What was taken back, what conflicts, and where the branch now stands."""

    organisation: str
    night: date
    tip: str
    commits: tuple[str, ...]
    effects: tuple[Effect, ...]
    conflicts: tuple[Conflict, ...]
    dry_run: bool
    remarks: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 where something could not be taken back, else 0."""
        return 1 if self.conflicts else 0

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person is told, a line each."""
        verb = "would be taken back" if self.dry_run else "taken back"
        return (
            *(f"{verb}: {one.task}: {one.kind} in {_paths(one)}" for one in self.effects),
            *(f"conflict: {one.effect.task}: {one.effect.kind} in {one.path}: {one.reason}" for one in self.conflicts),
            *(() if self.effects or self.conflicts else (self._nothing,)),
            *self.remarks,
        )

    @property
    def _nothing(self) -> str:
        return f"nothing of it stands any more; {'it is done again' if self.commits else 'nothing to take back'}"

    def payload(self) -> dict[str, Any]:
        """Return the JSON document of the revert."""
        return {
            "organisation": self.organisation,
            "night": self.night.isoformat(),
            "tip": self.tip,
            "commits": list(self.commits),
            "taken_back": [_effect_payload(one) for one in self.effects],
            "conflicts": [{**_effect_payload(one.effect), "reason": one.reason} for one in self.conflicts],
            "remarks": list(self.remarks),
            "dry_run": self.dry_run,
            "exit": self.exit_code,
        }


def revert_night(
    workplace: Workplace, *, night: date, task: str | None, retry: bool, dry_run: bool, clock: Clock
) -> RevertResult:
    """Take back what `task`, or every task, of `night` did, and land that.

    With `retry` the task's inputs are looked at again by the next night; without, what was taken back stays undone.

    Raises:
        UsageError: there is no record of that night, or the task makes nothing that could be taken back.
        DreamError: nothing landed, and why.
    """
    if task is not None and (task not in TASKS or task in AFRESH):
        reason = "is made afresh every night" if task in AFRESH else "does not exist"
        message = f"the task {task!r} {reason}"
        raise UsageError(
            message, way_out=f"tasks to take back: {', '.join(name for name in TASKS if name not in AFRESH)}"
        )
    tasks = [task] if task else [name for name in TASKS if name not in AFRESH]
    with lock(workplace.home, wait_seconds=workplace.settings.lock_wait_seconds):
        mirror = workplace.mirror()
        undo = _Undo(workplace, mirror, night=night, tasks=tasks, retry=retry, clock=clock)
        built = land_at_once(
            survey=undo.survey,
            plant=undo.plant,
            workplace=workplace,
            mirror=mirror,
            dry_run=dry_run,
            clock=clock,
        )
        return RevertResult(
            organisation=workplace.name,
            night=night,
            tip=built.tip,
            commits=built.commits,
            effects=built.effects,
            conflicts=built.conflicts,
            dry_run=dry_run,
            remarks=undo.remarks() if retry else (),
        )


class _Undo:
    """One revert between its first look at the branch and its landing."""

    def __init__(
        self, workplace: Workplace, mirror: Mirror, *, night: date, tasks: Sequence[str], retry: bool, clock: Clock
    ) -> None:
        self._workplace = workplace
        self._mirror = mirror
        self._night = night
        self._tasks = tasks
        self._retry = retry
        self._at = clock.now()
        self._newest: date | None = None
        self._consumed: tuple[str, ...] = ()
        self._notes = NoteCache(max_bytes=workplace.organisation.limits.notes.most_bytes)

    def survey(self) -> Survey:
        """Survey the branch as it stands."""
        survey = survey_head(
            self._mirror,
            fetch_head(self._workplace, self._mirror),
            keeper=self._workplace.keeper(),
            today=self._at.date(),
        )
        self._newest = survey.newest
        return survey

    def plant(self, survey: Survey) -> Reverted:
        """Build the commits that take the night back on `survey`; raises UsageError where it has no such night."""
        record = survey.record(self._night)
        if record is None:
            known = ", ".join(one.night.isoformat() for one in survey.records[-5:]) or "none"
            message = f"{self._workplace.name} has no record of the night {self._night.isoformat()}"
            raise UsageError(message, way_out=f"the newest nights with one: {known}")
        self._consumed = tuple(name for name in self._tasks if name in CONSUMING and name in record.tasks)
        undoing = Undoing(
            signing=Signing(
                identity=self._workplace.identity,
                organisation=self._workplace.name,
                night=self._night,
                at=self._at,
                run=record.run,
                kind="Dream-Revert",
            ),
            night=self._night,
            tasks=self._tasks,
            retry=self._retry,
            index=self._index,
            state=self._state,
        )
        return revert_effects(self._mirror, survey, record, undoing)

    def remarks(self) -> tuple[str, ...]:
        """Return which tasks no night will do again, because none looks back as far as what this one read."""
        due = current_night(self._at)
        following = due if self._newest is not None and self._newest < due else due + timedelta(days=1)
        days = self._workplace.organisation.limits.window.look_back_days
        zone = self._workplace.organisation.zone
        seen_from = window_end(scheduled_instant(following), zone) - timedelta(days=days)
        if window_end(scheduled_instant(self._night), zone) > seen_from:
            return ()
        why = f"what it read is older than the {days} days that a night looks back"
        return tuple(f"{name} is not done again: {why}" for name in self._consumed)

    def _index(self, survey: Survey, tree: Tree) -> Rewritten:
        return index_afresh(
            tree, self._notes, survey, workplace=self._workplace, mirror=self._mirror, today=self._at.date()
        )

    def _state(
        self, survey: Survey, tree: Tree, record: NightRecord, parent: str, effects: Sequence[Effect]
    ) -> Rewritten:
        del tree
        state = settled_state(survey)
        if self._retry:
            again = {effect.id for effect in record.effects if effect.task in self._tasks}
            left = tuple(stone for stone in state.undone if stone.effect not in again)
            state = state.model_copy(update={"undone": left})
            record = without_done(record, self._tasks, undone={stone.effect for stone in survey.tombstones})
        files = state_afresh(
            survey,
            workplace=self._workplace,
            parent=parent,
            today=self._at.date(),
            state=state,
            effects=effects,
            record=record,
            keep_tombstones=not self._retry,
        )
        return Rewritten(files=files)


def _paths(effect: Effect) -> str:
    return ", ".join(sorted(effect_paths(effect)))


def _effect_payload(effect: Effect) -> dict[str, Any]:
    return {"task": effect.task, "kind": effect.kind, "paths": sorted(effect_paths(effect)), "id": effect.id}

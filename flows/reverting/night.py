"""Taking back a night, a task of it or single operations: nothing else is undone, and no night redoes it unasked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from dream.errors import FatalError, UsageError
from dream.memory.notes import NoteCache
from dream.memory.operation_ids import short_ids
from dream.memory.records import Effect, NightRecord
from dream.memory.tree import Tree
from dream.memory.windows import current_night, scheduled_instant, window_end
from dream.night.branch import Signing
from dream.night.reverting import Reverted, Undoing, revert_effects
from dream.night.steps import Rewritten
from dream.night.survey import Survey, survey_head
from dream.repository.lock import lock
from dream.repository.mirror import Mirror
from flows.afresh import index_afresh, settled_state, state_afresh
from flows.at_once import land_at_once
from flows.braking import newly_held
from flows.clock import Clock
from flows.opening import CONSUMING, fetch_head
from flows.reverting.choice import choose_operations
from flows.reverting.result import RevertResult
from flows.workplace import Workplace
from tasks.order import AFRESH, TASKS
from tasks.state_update import without_done


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertRequest:
    """What somebody wants taken back: a night, or of it one task, or single operations by the beginnings of their ids.

    With `retry` the tasks' inputs are looked at again by the next night; without, what was taken back stays undone.
    """

    night: date
    task: str | None = None
    operations: tuple[str, ...] = ()
    retry: bool = False

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that it is about."""
        return (self.task,) if self.task else tuple(name for name in TASKS if name not in AFRESH)

    def check(self) -> None:
        """Raise UsageError where the task makes nothing that could be taken back."""
        if self.task is None or (self.task in TASKS and self.task not in AFRESH):
            return
        reason = "is made afresh every night" if self.task in AFRESH else "does not exist"
        message = f"the task {self.task!r} {reason}"
        raise UsageError(
            message, way_out=f"tasks to take back: {', '.join(name for name in TASKS if name not in AFRESH)}"
        )


class NoSuchNightError(UsageError):
    """The memory has no record of that night."""


def revert_night(
    workplace: Workplace, request: RevertRequest, *, dry_run: bool, clock: Clock, shown: str | None = None
) -> RevertResult:
    """Take back what `request` names, and land that.

    Where it was `shown` before, as the digest of what a dry run came to, it lands as that or not at all.

    Raises:
        NoSuchNightError: there is no record of that night.
        UsageError: the task makes nothing that could be taken back, or an operation is unknown or ambiguous.
        DreamError: nothing landed, and why.
    """
    request.check()
    with lock(workplace.home, wait_seconds=workplace.settings.lock_wait_seconds):
        mirror = workplace.mirror()
        undo = _Undo(workplace, mirror, request, clock=clock)

        def plant(survey: Survey) -> Reverted:
            planted = undo.plant(survey)
            if shown not in {None, undo.result(planted, dry_run=dry_run).digest}:
                message = f"{workplace.name}: the branch moved since this was shown, and it comes to something else now"
                raise FatalError(message, way_out="nothing was taken back; the same command shows it as it is now")
            return planted

        built = land_at_once(
            survey=undo.survey, plant=plant, workplace=workplace, mirror=mirror, dry_run=dry_run, clock=clock
        )
        return undo.result(built, dry_run=dry_run)


class _Undo:
    """One revert between its first look at the branch and its landing."""

    def __init__(self, workplace: Workplace, mirror: Mirror, request: RevertRequest, *, clock: Clock) -> None:
        self._workplace = workplace
        self._mirror = mirror
        self._request = request
        self._at = clock.now()
        self._survey: Survey | None = None
        self._tasks: tuple[str, ...] = request.tasks
        self._only: frozenset[str] | None = None
        self._consumed: tuple[str, ...] = ()
        self._short: dict[str, str] = {}
        self._notes = NoteCache(max_bytes=workplace.organisation.limits.notes.most_bytes)

    def survey(self) -> Survey:
        """Survey the branch as it stands."""
        survey = survey_head(
            self._mirror,
            fetch_head(self._workplace, self._mirror),
            keeper=self._workplace.keeper(),
            today=self._at.date(),
        )
        self._survey = survey
        return survey

    def plant(self, survey: Survey) -> Reverted:
        """Build the commits that take it back on `survey`; raises UsageError for what it does not have."""
        night = self._request.night
        record = survey.record(night)
        if record is None:
            known = ", ".join(one.night.isoformat() for one in survey.records[-5:])
            message = f"{self._workplace.name} has no record of the night {night.isoformat()}"
            none = f"no night of it has landed: dream status {self._workplace.name}"
            raise NoSuchNightError(message, way_out=f"the newest nights with one: {known}" if known else none)
        self._short = {key: name for one in (*survey.records, record) for key, name in short_ids(one.effects).items()}
        if self._request.operations:
            chosen = choose_operations(
                self._request.operations,
                record,
                tasks=self._request.tasks,
                short=self._short,
                organisation=self._workplace.name,
                others=[one for one in survey.records if one.night != night],
            )
            self._only = frozenset(one.id for one in chosen)
            self._tasks = tuple(name for name in self._request.tasks if any(one.task == name for one in chosen))
        self._consumed = tuple(name for name in self._tasks if name in CONSUMING and name in record.tasks)
        undoing = Undoing(
            signing=Signing(
                identity=self._workplace.identity,
                organisation=self._workplace.name,
                night=night,
                at=self._at,
                run=record.run,
                kind="Dream-Revert",
            ),
            night=night,
            tasks=self._tasks,
            only=self._only,
            retry=self._request.retry,
            index=self._index,
            state=self._state,
        )
        return revert_effects(self._mirror, survey, record, undoing)

    def result(self, reverted: Reverted, *, dry_run: bool) -> RevertResult:
        """Return what a person is told of what was built last."""
        return RevertResult(
            organisation=self._workplace.name,
            night=self._request.night,
            tip=reverted.tip,
            commits=reverted.commits,
            edits=reverted.edits,
            conflicts=reverted.conflicts,
            dry_run=dry_run,
            retry=self._request.retry,
            lifted=reverted.lifted,
            remarks=(*(self._remarks() if self._request.retry else ()), *self._held(reverted)),
            short=self._short,
        )

    def _held(self, reverted: Reverted) -> tuple[str, ...]:
        """Return which tasks are paused by themselves once this is taken back."""
        gone = [effect.id for effect in reverted.effects]
        if self._survey is None or not gone:
            return ()
        return newly_held(self._workplace, self._survey, gone, now=self._at)

    def _remarks(self) -> tuple[str, ...]:
        """Return which tasks no night will do again, because none looks back as far as what this one read."""
        due = current_night(self._at)
        newest = self._survey.newest if self._survey else None
        following = due if newest is not None and newest < due else due + timedelta(days=1)
        days = self._workplace.organisation.limits.window.look_back_days
        zone = self._workplace.organisation.zone
        seen_from = window_end(scheduled_instant(following), zone) - timedelta(days=days)
        if window_end(scheduled_instant(self._request.night), zone) > seen_from:
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
        retry = self._request.retry
        if retry:
            asked = (one for one in record.effects if one.task in self._tasks)
            again = {one.id for one in asked if self._only is None or one.id in self._only}
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
            keep_tombstones=not retry,
        )
        return Rewritten(files=files)

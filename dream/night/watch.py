"""The guards of one landing of a night, and what its tasks take away."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from dream.guards.duplicates import DuplicateGuard
from dream.guards.linked import LinkedNotes
from dream.guards.loss import LossGuard, Taken
from dream.memory.allowance import Allowance, LossLimits, past_charges
from dream.memory.links.destinations import Destinations
from dream.memory.notes import NoteCache
from dream.memory.operations import Guard
from dream.memory.records import LossRecord
from dream.memory.tree import Tree
from dream.memory.units import BaseUnits
from dream.night.guarding import Grounds, guards_on
from dream.night.survey import Survey
from dream.repository.history import has_commit
from dream.repository.mirror import Mirror


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchLimits:
    """The numbers that guards hold: `same` is the similarity of one statement, `alike` that of what was undone."""

    loss: LossLimits
    note_bytes: int
    same: float
    alike: float


class NightWatch:
    """Makes each task's guards for one landing and carries on what the kept tasks took away."""

    def __init__(
        self,
        mirror: Mirror,
        survey: Survey,
        *,
        night: date,
        notes: NoteCache,
        sources: Collection[str],
        limits: WatchLimits,
        observed: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        """Count losses from `survey`'s tree; statements may cite `sources`, those of a task also what it `observed`."""
        self._notes = notes
        self._last_landed = _settled_tree(mirror, survey, night=night, new_nights=limits.loss.new_nights)
        self._base = BaseUnits(survey.tree, notes)
        self._taken = Taken(
            allowance=Allowance(
                tonight=night,
                topic_notes=len(self._base.paths),
                statements=self._base.statement_count,
                past=past_charges(survey.records),
                limits=limits.loss,
            )
        )
        self._asked = self._loss_guard()
        self._sources = frozenset(sources)
        self._observed = {task: frozenset(seen) for task, seen in (observed or {}).items()}
        self._grounds = Grounds(
            notes=notes,
            linked=LinkedNotes(notes),
            destinations=Destinations(notes),
            duplicates=DuplicateGuard(notes, same=limits.same),
            tombstones=survey.tombstones,
            note_bytes=limits.note_bytes,
            alike=limits.alike,
        )

    def guards(self, task: str) -> Sequence[Guard]:
        """Return the guards of `task`."""
        self._asked = self._loss_guard()
        # Which rules bind whom is for each guard to say; learnings and lessons rest on what earlier nights have read.
        sources = self._sources | self._observed.get(task, frozenset())
        return guards_on(self._grounds, sources=sources, loss=self._asked)

    def keep(self) -> None:
        """Count what the task that was asked for last took away."""
        self._taken = self._asked.taken

    def loss(self) -> LossRecord:
        """Return what the kept tasks took away."""
        by_task = self._taken.allowance.by_task()
        return LossRecord(
            notes=sum(notes for notes, _ in by_task.values()),
            statements=sum(statements for _, statements in by_task.values()),
            topic_notes=len(self._base.paths),
            statement_count=self._base.statement_count,
            by_task=by_task,
        )

    def _loss_guard(self) -> LossGuard:
        return LossGuard(self._base, self._taken, notes=self._notes, last_landed=self._last_landed)


def _settled_tree(mirror: Mirror, survey: Survey, *, night: date, new_nights: int) -> Tree | None:
    """Return the tree whose notes count as standing: what others have made since is still new.

    That is what the night stood on that many landed nights ago, or the first one. A note is not merged away in the
    night that first sees it, so that it has to be new for longer than that one.
    """
    if not survey.landed:
        return None
    bases = [record.base for record in survey.records if record.night < night][-new_nights:]
    return mirror.tree(bases[0] if bases and has_commit(mirror.repository, bases[0]) else survey.landed)

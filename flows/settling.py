"""What comes of proposed changes to a folder: applied in order under the guards of a night."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from config.limits import Limits
from dream.errors import FatalError, NewerStateError
from dream.guards.duplicates import DuplicateGuard
from dream.guards.linked import LinkedNotes
from dream.guards.loss import LossGuard, Taken
from dream.memory.allowance import Allowance, Budget, LossLimits, night_budget
from dream.memory.applying import Files
from dream.memory.documents import UnreadableDocumentError
from dream.memory.links.destinations import Destinations
from dream.memory.loss import Loss
from dream.memory.notes import NoteCache
from dream.memory.operations import Guard, Merge, Move, Operation, touched_by
from dream.memory.outcomes import Failed, Item, Plan
from dream.memory.state import STATE_PATH, Tombstone, parse_state
from dream.memory.tree import OverlayTree, Tree
from dream.memory.units import BaseUnits
from dream.night.guarding import Grounds, guards_on
from dream.night.planning import plan_task
from dream.night.steps import SettledItem, Step
from tasks.mending import mended
from tasks.tidy import TASK

_UNLIMITED = LossLimits(night_percent=100, month_percent=100, most_notes_percent=100, verification_percent=0)
"""What a person marks may go beyond what a night may: it is counted, and told, but not deferred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What came of the items: the files that differ afterwards, and what that takes away beside what a night may."""

    items: tuple[SettledItem, ...]
    files: Files
    loss: Loss
    budget: Budget

    @property
    def is_over(self) -> bool:
        """Whether it takes away more than one night may."""
        return len(self.loss.notes) > self.budget.notes or len(self.loss.statements) > self.budget.statements


class Settler:
    """Applies items to one tree, each time from the start; what was read once of it is kept."""

    def __init__(self, tree: Tree, notes: NoteCache, *, limits: Limits, today: date) -> None:
        """Take the memory as it stands."""
        self.tree = tree
        self.notes = notes
        self._limits = limits
        self._today = today
        self._base = BaseUnits(tree, notes)
        self._linked = LinkedNotes(notes)
        self._destinations = Destinations(notes)
        self._tombstones = _tombstones(tree)

    def settle(self, items: Sequence[Item]) -> Settled:
        """Return what comes of `items` in their order; a refused operation is named in its item.

        Raises FatalError where they cannot be applied at all.
        """
        loss_guard = self._loss_guard()
        step = Step(name=TASK, propose=lambda _: Plan(items=tuple(items)))
        planned, tip = plan_task(step, tree=self.tree, guards=self._guards(loss_guard))
        if isinstance(planned.outcome, Failed):
            message = f"the changes cannot be applied: {planned.outcome.reason}"
            raise FatalError(message, way_out="run dream consolidate again")
        loss = loss_guard.measure(tip, loss_guard.taken)
        limits = LossLimits(**self._limits.loss.model_dump())
        return Settled(
            items=planned.items,
            files=self.with_links(planned.operations, tip),
            loss=loss,
            budget=night_budget(loss.topic_notes, loss.statement_count, limits),
        )

    def with_links(self, operations: Sequence[Operation], tip: Tree) -> Files:
        """Return the files that `operations` have changed in `tip`, and those whose links are mended for them."""
        touched = sorted(frozenset().union(*map(touched_by, operations)))
        files = {path: tip.read(path) for path in touched if tip.blob(path) != self.tree.blob(path)}
        retired, merged = _elsewhere(operations, tip)
        after = OverlayTree(self.tree, files)
        return {**files, **mended(after, self.notes, retired=retired, merged=merged)}

    @property
    def counted(self) -> tuple[int, int]:
        """How many topic notes and statements the memory has."""
        return len(self._base.paths), self._base.statement_count

    def _loss_guard(self) -> LossGuard:
        notes, statements = self.counted
        allowance = Allowance(tonight=self._today, topic_notes=notes, statements=statements, limits=_UNLIMITED)
        return LossGuard(self._base, Taken(allowance=allowance), notes=self.notes, last_landed=None, defers=False)

    def _guards(self, loss: LossGuard) -> Sequence[Guard]:
        """Return the guards of a night; nothing is cited by hand, so no source is new."""
        grounds = Grounds(
            notes=self.notes,
            linked=self._linked,
            destinations=self._destinations,
            duplicates=DuplicateGuard(self.notes, same=self._limits.duplicates.same),
            tombstones=self._tombstones,
            note_bytes=self._limits.notes.most_bytes,
            alike=self._limits.undone.alike,
        )
        return guards_on(grounds, sources=(), loss=loss)


def _tombstones(tree: Tree) -> Sequence[Tombstone]:
    """Return what somebody has undone of the nights of this memory, as far as its state can be read."""
    with suppress(UnreadableDocumentError, NewerStateError):
        return parse_state(tree.read(STATE_PATH) or b"").undone
    return ()


def _elsewhere(operations: Collection[Operation], tip: Tree) -> tuple[dict[str, str], dict[str, str]]:
    """Return where moved notes went, and what says now what merged ones said."""
    retired: dict[str, str] = {}
    merged: dict[str, str] = {}
    for operation in operations:
        match operation:
            case Move(span=span, to=to) if tip.blob(span.path) is None:
                retired[span.path] = to
            case Merge(into=into, absorbed=absorbed):
                merged |= {span.path: into.path for span in absorbed if tip.blob(span.path) is None}
            case _:
                pass
    return retired, merged

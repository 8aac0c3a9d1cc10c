"""The effects of one night on their way back: what can be taken back, what that does, and what stands in its way."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from dream.memory.applying import Files, changes_between
from dream.memory.operations import Refusal
from dream.memory.records import Change, Effect, NightRecord
from dream.memory.tree import OverlayTree, Tree
from dream.memory.undoing.inverting import invert_effect, is_gone
from dream.memory.undoing.undone import dependents, effect_paths
from dream.memory.undoing.weaving import Restore, Weave

CHANGED_LATER = "changed-by-a-later-edit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """An effect that could not be taken back, and why; `later` is what the flow did on top of it, by night."""

    effect: Effect
    reason: str
    path: str
    later: tuple[tuple[date, Effect], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What taking back an effect does to the notes: lines changed, notes that go, and notes that come back."""

    effect: Effect
    changes: tuple[Change, ...] = ()
    gone: tuple[str, ...] = ()
    back: tuple[str, ...] = ()


class Rewinding:
    """What was taken back of a night so far, and what conflicts; each command of a person is one of these.

    Whatever is taken back with whatever else, and in however many commands, comes to the same notes: an effect on which
    a later one stands conflicts until that one is taken back, and of the others the order does not matter.
    """

    def __init__(
        self,
        record: NightRecord,
        records: Sequence[NightRecord],
        *,
        tree: Tree,
        landed: Tree,
        undone: Collection[str],
        restore: Restore,
    ) -> None:
        """Begin at `tree`, with the effects that are `undone` already.

        Args:
            record: the night, one of `records`, which are oldest first.
            records: all nights that are known.
            tree: the notes as they stand.
            landed: the notes as the night left them.
            undone: ids of effects that somebody took back in another way.
            restore: what returns the bytes of a blob.
        """
        self._record = record
        self._records = records
        self._undone = undone
        self._restore = restore
        self._gone = {one.id for one in record.effects if one.reverted or self._is_undone(one, tree)}
        others = (one for other in records if other is not record for one in other.effects)
        self._closing_nothing = {one.id for one in others if self._is_undone(one, tree)}
        self._weave = Weave(record.effects, landed, restore=restore)
        self.edits: list[Edit] = []
        self.conflicts: list[Conflict] = []

    def take_back(self, tree: Tree, effects: Sequence[Effect]) -> tuple[Files, tuple[Edit, ...]]:
        """Return what `tree` changes without those of `effects` that can be taken back, and which they are."""
        files: dict[str, bytes | None] = {}
        done: list[Edit] = []
        for effect in reversed(effects):
            now = OverlayTree(tree, files)
            if self._is_undone(effect, now):
                continue
            later = dependents(effect, self._records, without=self._gone | self._closing_nothing)
            if later:
                path = min(effect_paths(effect))
                self.conflicts.append(Conflict(effect=effect, reason=CHANGED_LATER, path=path, later=later))
                continue
            inverse = invert_effect(now, effect, restore=self._restore, weave=self._weave, gone=self._gone)
            if isinstance(inverse, Refusal):
                later = self._later_at(inverse.detail, effect)
                self.conflicts.append(Conflict(effect=effect, reason=inverse.reason, path=inverse.detail, later=later))
                continue
            done.append(_edit(effect, now, inverse))
            self._gone.add(effect.id)
            files.update(inverse)
        self.edits += done
        return files, tuple(done)

    def _later_at(self, path: str, effect: Effect) -> tuple[tuple[date, Effect], ...]:
        """Return what the night itself did later at `path` and what stands there for it."""
        effects = self._record.effects
        after = effects[next(at for at, one in enumerate(effects) if one is effect) + 1 :]
        standing = (one for one in after if one.id not in self._gone and path in effect_paths(one))
        return tuple((self._record.night, one) for one in standing)

    def _is_undone(self, effect: Effect, tree: Tree) -> bool:
        return effect.id in self._undone and is_gone(effect, tree)


def _edit(effect: Effect, tree: Tree, inverse: Files) -> Edit:
    differing = {path: data for path, data in inverse.items() if data != tree.read(path)}
    changes, back, gone = changes_between(tree, differing)
    return Edit(effect=effect, changes=changes, gone=tuple(gone), back=back)

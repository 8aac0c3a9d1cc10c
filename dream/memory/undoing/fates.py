"""What became of an operation since it landed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from dream.memory.records import Effect, NightRecord
from dream.memory.tree import Tree
from dream.memory.undoing.inverting import is_gone, stands
from dream.memory.undoing.undone import dependents, effect_paths

Fate = Literal["stands", "reverted", "undone by a person", "changed later"]


def fate_of(effect: Effect, records: Sequence[NightRecord], *, tree: Tree, undone: Collection[str]) -> Fate:
    """Return what became of `effect` by the notes in `tree`; `undone` are the ids of what somebody took back.

    What `dream revert` took back is reverted, unless somebody has brought it back. What a later operation or a person
    changed in part, or moved to another note, is changed later.
    """
    if effect.reverted and not (effect.id in undone and stands(effect, tree)):
        return "reverted"
    if effect.id in undone and not effect.reverted:
        return "undone by a person" if is_gone(effect, tree) else "changed later"
    if dependents(effect, records, without=undone):
        return "changed later"
    here = any(tree.blob(path) is not None for path in effect_paths(effect))
    if stands(effect, tree) or (here and stands(_adding(effect), tree)):
        return "stands"  # with a twin of a line that it took away: were that line back, it would be among the undone
    return "undone by a person" if here and is_gone(effect, tree) else "changed later"


def _adding(effect: Effect) -> Effect:
    """Return `effect` as if it had only added lines."""
    changes = (change.model_copy(update={"removed": ()}) for change in effect.changes)
    return effect.model_copy(update={"changes": tuple(changes)})

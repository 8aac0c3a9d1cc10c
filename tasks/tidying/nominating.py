"""What of a memory is to be ruled on tonight: what changed first, then the most alike, and some of all the rest."""

from __future__ import annotations

from collections.abc import Collection

from dream.memory.neighbours import Neighbours
from dream.memory.notes import NoteCache
from dream.memory.tree import Tree
from tasks.tidying.limits import TidyLimits
from tasks.tidying.nominations import Nomination
from tasks.tidying.pairs import alike_notes, alike_statements


def nominate(
    tree: Tree,
    notes: NoteCache,
    neighbours: Neighbours,
    *,
    changed: Collection[str] | None,
    limits: TidyLimits = TidyLimits(),  # noqa: B008 - frozen
    most: int | None = None,
) -> tuple[Nomination, ...]:
    """Return what is to be ruled on, best first, at most `most` (`limits.nominations` where it is None).

    Args:
        tree: the memory as it stands.
        notes: the night's cache.
        neighbours: what of the memory is alike, with `tree` taken.
        changed: the notes that changed since the last night; None for all of them.
        limits: how alike, how many, how short and how long.
        most: how many at most.
    """
    found = [
        *alike_statements(tree, notes, neighbours, changed=changed, alike=limits.alike),
        *alike_notes(tree, notes, neighbours, changed=changed, alike=limits.alike),
    ]
    found.sort(key=lambda one: (-one.score, one.id))
    return tuple(found[: limits.nominations if most is None else most])

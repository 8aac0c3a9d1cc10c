"""What a task has seen of a memory: the tree that it left when it last landed, however many nights ago."""

from __future__ import annotations

from contextlib import suppress

from dream.errors import NewerStateError
from dream.memory.documents import UnreadableDocumentError
from dream.memory.records import NightRecord, read_record, record_dates
from dream.memory.tree import Tree
from dream.night.authenticity import Keeper, authentic_state
from dream.repository.commits import read_commit
from dream.repository.history import has_commit
from dream.repository.mirror import Mirror

MOST_LANDINGS = 30
"""How many landings are gone back; a task that landed in none of them has seen nothing, and looks at all anew."""


def seen_tree(mirror: Mirror, landed: str, task: str, *, keeper: Keeper) -> Tree | None:
    """Return the tree that `task` has seen all of: that of the newest landing up to `landed` in which it landed.

    Where others changed something between the planning of that landing and its push, it is the one that was planned on.
    None where there was no such landing, or none that is known any more.
    """
    writer = landed
    for _ in range(MOST_LANDINGS):
        if not writer:
            return None
        tree = mirror.tree(writer)
        parent = next(iter(read_commit(mirror.repository, writer).parents), "")
        record = _newest(tree)
        if record is not None and record.landed(task) and not _stood_before(mirror, parent, record, task):
            is_alone = not record.arrived or not has_commit(mirror.repository, record.base)
            return tree if is_alone else mirror.tree(record.base)
        writer = _writer(mirror, parent, keeper)
    return None


def _newest(tree: Tree) -> NightRecord | None:
    for night in reversed(record_dates(tree)):
        with suppress(UnreadableDocumentError):
            return read_record(tree, night)
    return None


def _writer(mirror: Mirror, parent: str, keeper: Keeper) -> str:
    """Return the landing that `parent` stands on, empty where there is none that is the flow's own."""
    with suppress(NewerStateError):
        found = authentic_state(mirror, parent, keeper, accept_history=True) if parent else None
        return found.writer if found else ""
    return ""


def _stood_before(mirror: Mirror, parent: str, record: NightRecord, task: str) -> bool:
    """Whether an earlier landing of the night had done `task`, so that the one after `parent` has not looked again."""
    with suppress(UnreadableDocumentError):
        before = read_record(mirror.tree(parent or None), record.night)
        return before is not None and before.landed(task)
    return False

"""What a night takes away, however it goes: the notes and the statements that a tip no longer has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dream.memory.lineage import owners
from dream.memory.notes import NoteCache, Unreadable, find_span
from dream.memory.operations import Merge, Span
from dream.memory.paths import is_topic
from dream.memory.tree import Tree
from dream.memory.units import BaseUnits, NoteUnits


@dataclass(frozen=True, slots=True, order=True)
class LostStatement:
    """An entry, by its key, that the base note at `path` had and nothing in the tip stands for."""

    path: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """The notes (their paths in the base) and statements lost, with how many of each the base had."""

    notes: tuple[str, ...] = ()
    statements: tuple[LostStatement, ...] = ()
    topic_notes: int
    statement_count: int


def measure_loss(
    base: BaseUnits,
    tip: Tree,
    *,
    touched: Collection[str] | None = None,
    last_landed: Tree | None = None,
    absorbed: Collection[tuple[str, str]] = (),
) -> Loss:
    """Return what `tip` has lost of `base`, in time that grows with what differs between the two.

    Args:
        base: the tree that the loss is counted from.
        tip: the tree that the night has come to.
        touched: every path that may differ; None compares the blobs of all.
        last_landed: the tip of the last landed night. A note that it did not have costs nothing if all of its
            statements are still there. None: there was no such night, and every note counts.
        absorbed: path and key of entries that a merge took in with their specifics and sources; they are not lost.
    """
    changed = _changed(base, tip, touched)
    before = {path: base.units(path) for path in changed if base.holds(path)}
    after = {path: base.units_in(tip, path) for path in changed if is_topic(path) and tip.blob(path) is not None}
    owned: dict[str, list[NoteUnits]] = defaultdict(list)
    for path, owner in owners(base, tip, changed).items():
        owned[owner].append(after[path])
    anywhere = _Anywhere(base, before, after)
    notes: list[str] = []
    statements: list[LostStatement] = []
    for path, units in sorted(before.items()):
        found = base.find(units, owned[path])
        lost = [
            key
            for key, lines in units.entries.items()
            if key not in found.entries and (path, key) not in absorbed and not anywhere.stands(key, lines)
        ]
        statements.extend(LostStatement(path, key) for key in lost)
        is_kept = 2 * len(found.entries) >= len(units.entries) and 2 * len(found.other) >= len(units.other)
        is_newcomer = last_landed is not None and last_landed.blob(path) is None
        if not (is_kept or (is_newcomer and units.entries and not lost)):
            notes.append(path)
    return Loss(
        notes=tuple(notes),
        statements=tuple(sorted(statements)),
        topic_notes=len(base.paths),
        statement_count=base.statement_count,
    )


def absorbed_by(operation: Merge, before: Tree, notes: NoteCache) -> frozenset[tuple[str, str]]:
    """Return path and key of every entry that `operation` takes in, for a merge that keeps specifics and sources."""
    found: set[tuple[str, str]] = set()
    for span in operation.absorbed:
        found.update((span.path, key) for key in _keys_in(span, before, notes))
    return frozenset(found)


def _keys_in(span: Span, tree: Tree, notes: NoteCache) -> Iterator[str]:
    note = notes.note(tree, span.path) if tree.blob(span.path) is not None else None
    if note is None or isinstance(note, Unreadable):
        return
    place = find_span(note.text, span)
    if place is not None:
        yield from (entry.key for entry in note.entries if place[0] <= entry.start and entry.end <= place[1])


def _changed(base: BaseUnits, tip: Tree, touched: Collection[str] | None) -> frozenset[str]:
    paths = {*base.tree.paths(), *tip.paths()} if touched is None else touched
    return frozenset(path for path in paths if is_topic(path) and base.tree.blob(path) != tip.blob(path))


class _Anywhere:
    """The entries of a whole tip, told from the base and what changed since."""

    def __init__(self, base: BaseUnits, before: Mapping[str, NoteUnits], after: Mapping[str, NoteUnits]) -> None:
        self._base = base
        self._taken = Counter(key for units in before.values() for key in units.entries)
        self._keys: set[str] = set().union(*(units.entries for units in after.values()))
        self._notes = tuple(after.values())

    def stands(self, key: str, lines: Sequence[str]) -> bool:
        """Whether an entry stands in any note of the tip: by its key, or line by line in one that has changed."""
        if key in self._keys or self._base.entry_holders(key) > self._taken[key]:
            return True
        return any(units.lines.issuperset(lines) for units in self._notes)

"""Keeps each statement once: duplicates merged, whole notes as well, and links repaired through renames.

Code alone merges what differs in nothing but its formatting. Where a model is given, it rules on what is nominated, and
code decides what follows. Nothing new is said, and what was written since the last night is never merged away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dream.memory.notes import Note, NoteCache, Unreadable
from dream.memory.operations import Basis, Merge, Operation, Revise, Span
from dream.memory.outcomes import Item, Plan
from dream.memory.paths import is_topic
from dream.memory.records import NightRecord
from dream.memory.tree import Tree
from dream.night.isolating import propose_isolated
from tasks.duplicates import (
    MOST_NOTES,
    Standing,
    merged_entry,
    name_of,
    ranked,
    repeated_statements,
    same_statements,
    stands_for_itself,
)
from tasks.entries import span_of
from tasks.link_repairs import Moves, repairs
from tasks.state_update import DECLINED
from tasks.tidying.chains import Chains
from tasks.tidying.completed import completed_tasks
from tasks.tidying.deciding import Judging, decide, not_declined
from tasks.tidying.freshness import Freshness
from tasks.tidying.inbound import Inbound, is_held, notes_of
from tasks.tidying.links.relinking import Past, relinked
from tasks.tidying.merging import WRITTEN_TODAY, Rules
from tasks.tidying.nominations import Nomination
from tasks.tidying.settling import lines_to_take_away
from tasks.tidying.staging import Stage

TASK = "tidy"
"""How the task is called; a consolidation by hand has its rights: topic notes, and the way into the archive."""


def propose(
    *,
    tree: Tree,
    notes: NoteCache,
    renames: Mapping[str, str],
    written_today: Collection[str] = (),
    declined: Mapping[str, str] | None = None,
    fresh: Freshness | None = None,
    nominations: Sequence[Nomination] = (),
    judging: Judging | None = None,
    records: Sequence[NightRecord] = (),
) -> Plan:
    """Return an item for each set of duplicates, for each note with links to repair, and for what is ruled on.

    Args:
        tree: the memory as it stands.
        notes: the night's cache.
        renames: old paths, each with a newer one.
        written_today: the notes that people changed since the last landed tip.
        declined: ids of items that were declined, with the digest under which they were; an equal one is not proposed.
        fresh: what of those notes is new; everything in them unless told.
        nominations: what may be wrong with the memory, likeliest first.
        judging: who is asked about `nominations`; None leaves them alone.
        records: the landed nights, oldest first, which tell how often a statement was worded anew.
    """
    fresh = fresh or Freshness(written_today, renames=renames)
    plan = _by_code(tree, notes, Past(renames=renames, landed=fresh.landed, records=records), written_today, fresh)
    waived = declined or {}
    items = [_heeded(item, waived) for item in plan.items]

    def decided(some: Sequence[Nomination]) -> Plan:
        stage = Stage(tree, notes)
        for item in items:
            stage.take(item.operations)
        ruled = Plan()
        if judging is not None:
            rules = Rules(stage=stage, fresh=fresh, chains=Chains(records), limits=judging.limits)
            ruled = decide(some, judging, rules)
        return replace(ruled, items=(*ruled.items, *lines_to_take_away(stage)))

    ruled = propose_isolated(not_declined(nominations, waived), decided, name=lambda one: one.id)
    return replace(plan, items=(*items, *ruled.items), findings=(*plan.findings, *ruled.findings))


def _by_code(tree: Tree, notes: NoteCache, past: Past, written_today: Collection[str], fresh: Freshness) -> Plan:
    memory = _Memory(tree, notes)
    twice = memory.identical_notes()
    items = [_merged_notes(memory, paths, written_today) for paths in twice]
    gone = _notes_gone(items)
    left: dict[str, int] = {}
    for found in repeated_statements(
        tree, notes, without=gone.union(*(paths[1:] for paths in twice if gone.isdisjoint(paths)))
    ):
        groups = same_statements(found, names=memory.names)
        items.extend(_merged_statements(memory, group, fresh, left) for group in groups)
    taken = _lines_taken(memory, items)
    links = relinked(tree, notes, past, taken=taken, gone=gone)
    items.extend(links.items)
    items.extend(completed_tasks(tree, notes, fresh=fresh))
    return Plan(items=tuple(items), findings=links.findings)


def _heeded(item: Item, declined: Mapping[str, str]) -> Item:
    if declined.get(item.id) != item.digest:
        return item
    return Item(id=item.id, digest=item.digest, reason=DECLINED)


class _Memory:
    """The notes of a tree, and who links to whom, asked only about the notes in question."""

    def __init__(self, tree: Tree, notes: NoteCache) -> None:
        self.tree = tree
        self.paths = notes_of(tree)
        self.topics = [path for path in self.paths if is_topic(path)]
        self.names = frozenset(filter(None, map(name_of, self.topics)))
        self._notes = notes
        self._inbound = Inbound(self.note)
        self._linking: dict[str, frozenset[str]] = {}

    def note(self, path: str) -> Note | None:
        note = self._notes.note(self.tree, path)
        return None if isinstance(note, Unreadable) else note

    def digest(self, paths: Iterable[str], key: str = "") -> str:
        """A hash of what the notes at `paths` hold."""
        content = "\n".join([key, *(f"{path} {self.tree.blob(path)}" for path in sorted(paths))])
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def linking(self, path: str) -> frozenset[str]:
        """The notes that link to `path`, itself, index and catalog apart."""
        if path not in self._linking:
            self._linking[path] = self._inbound.to(path, self.tree)
        return self._linking[path]

    def is_protected(self, path: str) -> bool:
        """Whether a daily note, a preference or a learning links to `path`."""
        return is_held(self.linking(path))

    def identical_notes(self) -> list[list[str]]:
        """Topic notes with the very same bytes, where these say something that is not said of their place alone."""
        by_blob: dict[str, list[str]] = {}
        for path in self.topics:
            by_blob.setdefault(self.tree.blob(path) or "", []).append(path)
        return [paths for paths in by_blob.values() if 1 < len(paths) <= MOST_NOTES and self._is_said_twice(paths)]

    def _is_said_twice(self, paths: Sequence[str]) -> bool:
        note = self.note(paths[0])
        if note is None or note.broken or not all(map(name_of, paths)):
            return False
        return any(stands_for_itself(entry) or note.frontmatter is not None for entry in note.entries)


def _merged_notes(memory: _Memory, paths: Sequence[str], fresh: Collection[str]) -> Item:
    """The notes at `paths` come to one: what people wrote today, else what is protected, else the most linked to."""
    kept, *others = sorted(
        paths,
        # By name, so that `checkout.md` goes before `checkout-copy.md`.
        key=lambda path: (
            path not in fresh,
            not memory.is_protected(path),
            -len(memory.linking(path)),
            path.removesuffix(".md"),
        ),
    )
    name = f"{kept} + {' + '.join(others)}"
    digest = memory.digest(paths)
    if any(path in fresh for path in others):
        return Item(id=name, digest=digest, reason=WRITTEN_TODAY, pending=True)
    if any(memory.is_protected(path) for path in others):
        return Item(id=name, digest=digest, reason="both-linked")
    blob = memory.tree.blob(kept) or ""
    merge = Merge(
        into=Span(path=kept, text=None, blob=blob),
        new=None,
        absorbed=tuple(Span(path=path, text=None, blob=blob) for path in others),
        basis=Basis(why=f"the same note stands twice; kept {kept}"),
    )
    left = [path for path in memory.paths if path not in others]
    moves = Moves(left, dict.fromkeys(others, kept), moved=False)
    operations: list[Operation] = [merge]
    for path in sorted(set().union(*(memory.linking(path) for path in others)) - set(others)):
        note = memory.note(path)
        if note is not None and is_topic(path):
            operations += repairs(path, note, moves, why=f"{kept} says what the note said that it led to")
    return Item(id=name, digest=digest, operations=tuple(operations))


def _merged_statements(memory: _Memory, group: Sequence[Standing], fresh: Freshness, left: dict[str, int]) -> Item:
    """The same statement in several places comes to one entry with the sources of all.

    `left` counts the entries that tonight leaves in a note: none is emptied, because its title would promise what is
    not there.
    """
    of_today = {standing.place for standing in group if fresh.is_fresh(standing.path, standing.entry)}
    kept, *rest = ranked(group, fresh=of_today, inbound=lambda path: len(memory.linking(path)))
    paths = dict.fromkeys(standing.path for standing in (kept, *rest))
    key = hashlib.sha256(kept.entry.key.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    name = f"{' + '.join(paths)}: {key}"
    digest = memory.digest(paths, kept.entry.key)
    others: list[Standing] = []
    for standing in rest:
        entries_left = left.get(standing.path, len(standing.note.entries))
        if standing.place not in of_today and entries_left > 1:
            left[standing.path] = entries_left - 1
            others.append(standing)
    if not others:
        is_fresh = any(standing.place in of_today for standing in rest)
        reason = WRITTEN_TODAY if is_fresh else "last-statement"
        return Item(id=name, digest=digest, reason=reason, pending=is_fresh)
    entries = [standing.entry for standing in others]
    gone = ", ".join(standing.place for standing in others)
    merge = Merge(
        into=span_of(kept.path, kept.note, kept.entry),
        new=merged_entry(kept.entry, entries),
        absorbed=tuple(span_of(standing.path, standing.note, standing.entry) for standing in others),
        basis=Basis(
            sources=tuple(dict.fromkeys(source for entry in (kept.entry, *entries) for source in entry.sources)),
            dated=min((entry.date for entry in (kept.entry, *entries) if entry.date), default=None),
            why=f"the same statement stands twice; kept at {kept.place}, taken from {gone}",
        ),
    )
    return Item(id=name, digest=digest, operations=(merge,))


def _lines_taken(memory: _Memory, items: Iterable[Item]) -> dict[str, set[int]]:
    """The lines that other items of tonight are about, by path."""
    taken: dict[str, set[int]] = {}
    for span in _spans(items):
        note = memory.note(span.path)
        if note is not None and span.text is not None:
            lines = span.text.split("\n")
            taken.setdefault(span.path, set()).update(n for n, line in enumerate(note.lines) if line in lines)
    return taken


def _notes_gone(items: Iterable[Item]) -> frozenset[str]:
    merges = (operation for item in items for operation in item.operations if isinstance(operation, Merge))
    return frozenset(span.path for merge in merges for span in merge.absorbed if span.text is None)


def _spans(items: Iterable[Item]) -> Iterator[Span]:
    for operation in (operation for item in items for operation in item.operations):
        match operation:
            case Merge(into=into, absorbed=absorbed):
                yield from (into, *absorbed)
            case Revise(span=span):
                yield span
            case _:
                pass

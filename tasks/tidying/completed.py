"""Tasks that are done leave the list of tasks of a memory of five files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from dream.memory.completed import completed_tasks as completed_spans
from dream.memory.layouts import FIVE_TASKS, Layout, layout_of
from dream.memory.links.destinations import Destinations
from dream.memory.links.notation import loose_name
from dream.memory.notes import Note, NoteCache, find_span
from dream.memory.operations import Basis, Remove, Span
from dream.memory.outcomes import Item
from dream.memory.paths import Kind, kind_of
from dream.memory.tree import Tree
from tasks.tidying.freshness import Freshness
from tasks.tidying.merging import WRITTEN_TODAY

_NO_NOTES = frozenset({Kind.ASSET, Kind.DOT, Kind.CATALOG})


def completed_tasks(tree: Tree, notes: NoteCache, *, fresh: Freshness) -> Iterator[Item]:
    """Yield the one item that takes the tasks that are done out of `tasks.md`; none where there is nothing to take.

    Each goes with all that stands under it, at no cost in loss. One that a person ticked or wrote on since the last
    landed night stays for another, and so does one that a link leads to. Headings stay, also those that are left with
    nothing under them: how people divide their list is theirs to say.
    """
    note = notes.note(tree, FIVE_TASKS) if layout_of(tree) is Layout.FIVE_FILES else None
    if not isinstance(note, Note) or note.broken:
        return
    spans = completed_spans(note.text)
    if not spans:
        return
    linked = _linked_lines(tree, notes)
    left: list[str] = []
    operations: list[Remove] = []
    for start, end in reversed(spans):
        lines = note.lines[start:end]
        if any(fresh.is_fresh_line(FIVE_TASKS, line) for line in lines):
            left.append(WRITTEN_TODAY)
        elif not linked.isdisjoint(range(start, end)):
            left.append("linked-task")
        else:
            operations.append(_removal(note, start, end))
    # What stays for a night must be another input by then: one that was left is not looked at again for weeks.
    told = "\n".join([*(operation.span.text or "" for operation in operations), *left])
    yield Item(
        id=f"{FIVE_TASKS}: completed",
        digest=hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        operations=tuple(operations),
        reason="" if operations else left[0],
        pending=WRITTEN_TODAY in left,
    )


def _removal(note: Note, start: int, end: int) -> Remove:
    """Return what takes lines `start` up to `end` away; the removals come from below, so that no count shifts."""
    span = Span(path=FIVE_TASKS, text="\n".join(note.lines[start:end]))
    while (place := find_span(note.text, span)) is not None and place[0] < start:
        span = replace(span, occurrence=span.occurrence + 1)
    return Remove(span=span, basis=Basis(why="the task is done"))


def _linked_lines(tree: Tree, notes: NoteCache) -> frozenset[int]:
    """Return the lines of `tasks.md` that a link of any note leads to by an anchor."""
    destinations = Destinations(notes)
    anchors = destinations.anchors(tree, FIVE_TASKS)
    found: set[int] = set()
    for path in tree.paths():
        if anchors is None or kind_of(path) in _NO_NOTES:
            continue
        if path != FIVE_TASKS and loose_name(FIVE_TASKS) not in destinations.names_in(tree, path):
            continue
        for link in destinations.links(tree, path):
            if link.anchor and destinations.find(tree, path, link).paths == (FIVE_TASKS,):
                line = anchors.find(link.anchor, is_wiki=link.kind == "wiki")
                found |= set() if line is None else {line}
    return frozenset(found)

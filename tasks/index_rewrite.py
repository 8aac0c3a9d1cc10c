"""The index and the catalog, made afresh from what the memory is on whatever head the night is planted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from dream.guards.addressing import speaks_to_reader
from dream.guards.screen import screen_line
from dream.memory.five_files.topics import read_anchors
from dream.memory.index.rewrite import rewrite_index
from dream.memory.layouts import Layout, layout_of
from dream.memory.limits import IndexLimits
from dream.memory.notes import Note, NoteCache
from dream.memory.sources import Origin
from dream.memory.tree import Tree
from dream.night.steps import Rewritten


def propose(
    *,
    tree: Tree,
    notes: NoteCache,
    changed: Mapping[str, date],
    today: date,
    limits: IndexLimits,
    landed: Tree | None,
    renames: Mapping[str, str],
) -> Rewritten:
    """Return the index and catalog files of `tree` that differ, and what a person should know about them.

    `changed` says when each path last changed, checks and reads apart; `landed` is the last landed tip. Titles that do
    not pass the screen are not shown, and those that tell a reader what to do are shown as what the note says: the
    index is what every agent loads.
    """
    rewrite = rewrite_index(
        tree,
        notes,
        changed=changed,
        today=today,
        limits=limits,
        landed=landed,
        renames=renames,
        withheld=withheld_titles(tree, notes),
        reported=reported_titles(tree, notes),
    )
    return Rewritten(files=rewrite.files, findings=tuple(str(finding) for finding in rewrite.findings))


def withheld_titles(tree: Tree, notes: NoteCache) -> frozenset[str]:
    """Return the notes, and in a memory of five files the sections, whose titles do not pass the screen."""
    return frozenset(path for path, title in _titles(tree, notes) if screen_line(title, Origin.AGENT))


def reported_titles(tree: Tree, notes: NoteCache) -> frozenset[str]:
    """Return the notes and sections whose titles tell a reader what to do."""
    return frozenset(path for path, title in _titles(tree, notes) if speaks_to_reader(title))


def _titles(tree: Tree, notes: NoteCache) -> Iterator[tuple[str, str]]:
    for path in tree.paths():
        note = notes.note(tree, path) if path.endswith(".md") else None
        if isinstance(note, Note):
            yield path, note.title
    if layout_of(tree) is Layout.FIVE_FILES:
        for path, anchors in read_anchors(tree, notes).items():
            yield from ((f"{path}#{heading.slug}", heading.text) for heading in anchors.headings)

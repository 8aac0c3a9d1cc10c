"""Which titles of a memory's notes the index and the catalog do not show as they stand: every agent loads them."""

from __future__ import annotations

from collections.abc import Iterator

from dream.guards.addressing import speaks_to_reader
from dream.guards.screen import screen_line
from dream.memory.five_files.topics import read_anchors
from dream.memory.layouts import Layout, layout_of
from dream.memory.notes import Note, NoteCache
from dream.memory.sources import Origin
from dream.memory.tree import Tree


def withheld_titles(tree: Tree, notes: NoteCache) -> frozenset[str]:
    """Return the notes, and in a memory of five files the sections, whose titles do not pass the screen."""
    return frozenset(path for path, title in _titles(tree, notes) if screen_line(title, Origin.AGENT))


def reported_titles(tree: Tree, notes: NoteCache) -> frozenset[str]:
    """Return the notes and sections whose titles tell a reader what to do: they are shown as what the note says."""
    return frozenset(path for path, title in _titles(tree, notes) if speaks_to_reader(title))


def _titles(tree: Tree, notes: NoteCache) -> Iterator[tuple[str, str]]:
    for path in tree.paths():
        note = notes.note(tree, path) if path.endswith(".md") else None
        if isinstance(note, Note):
            yield path, note.title
    if layout_of(tree) is Layout.FIVE_FILES:
        for path, anchors in read_anchors(tree, notes).items():
            yield from ((f"{path}#{heading.slug}", heading.text) for heading in anchors.headings)

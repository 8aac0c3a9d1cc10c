"""Where an entry or a note stands, as a nomination names it."""

from __future__ import annotations

from dream.memory.notes import Entry, Note, NoteCache
from dream.memory.tree import Tree
from tasks.tidying.nominations import Place


def place_of(tree: Tree, notes: NoteCache, path: str, number: int) -> Place | None:
    """Return the entry `number` of the note at `path`; None where the note cannot be read or written."""
    note = notes.note(tree, path)
    if not isinstance(note, Note) or note.broken or number >= len(note.entries):
        return None
    return place_in(path, note, note.entries[number])


def place_in(path: str, note: Note, entry: Entry) -> Place:
    """Return `entry` of `note` under the nearest heading line above it."""
    above = (line for line in reversed(note.lines[: entry.start]) if line.startswith("#"))
    return Place(path=path, note=note, entry=entry, section=next(above, ""))

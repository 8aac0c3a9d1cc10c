"""Where an entry or a note stands, as a nomination names it."""

from __future__ import annotations

from datetime import date

from dream.memory.notes import Entry, Note, NoteCache
from dream.memory.sources import Origin, weakest
from dream.memory.tree import Tree
from tasks.tidying.nominations import Place

_ORIGINS = tuple(Origin)


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


def foundation(place: Place) -> tuple[object, ...]:
    """Return how well founded a statement is, the better the smaller: who said it, how firmly, and since when."""
    entry = place.entry
    said = weakest(entry.sources) if entry else None
    return (
        _ORIGINS.index(said) if said else len(_ORIGINS),
        entry is not None and entry.tentative,
        entry is None or entry.date is None,
        (entry.date if entry else None) or date.max,
        place.path,
        entry.start if entry else 0,
    )

"""Statements and notes that have most of their words in common, nominated as duplicates or as contradictions."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dream.memory.neighbours import Neighbours
from dream.memory.notes import Note, NoteCache
from dream.memory.similarity import specifics
from dream.memory.tree import Tree
from tasks.duplicates import stands_for_itself
from tasks.tidying.nominations import Matter, Nomination, Place
from tasks.tidying.places import place_of


def alike_statements(
    tree: Tree, notes: NoteCache, neighbours: Neighbours, *, changed: Collection[str] | None, alike: float
) -> Iterator[Nomination]:
    """Yield the pairs of statements that have at least the share `alike` of their words in common."""
    for pair in neighbours.pairs(changed, alike=alike):
        one, other = (place_of(tree, notes, at.path, at.entry) for at in (pair.one, pair.other))
        if one and other and _are_statements(one, other):
            matter = Matter.CONTRADICTION if _differ(one.text, other.text) else Matter.DUPLICATE
            yield Nomination(matter=matter, places=(one, other), score=pair.jaccard, why="most words in common")


def alike_notes(
    tree: Tree, notes: NoteCache, neighbours: Neighbours, *, changed: Collection[str] | None, alike: float
) -> Iterator[Nomination]:
    """Yield the pairs of notes that have at least the share `alike` of all their words in common."""
    for one, other, score in neighbours.notes_alike(changed, alike=alike):
        places = tuple(
            Place(path=path, note=note)
            for path in (one, other)
            if isinstance(note := notes.note(tree, path), Note) and not note.broken
        )
        if len(places) > 1:
            yield Nomination(matter=Matter.SAME_TOPIC, places=places, score=score, why="most words in common")


def _are_statements(one: Place, other: Place) -> bool:
    entries = [place.entry for place in (one, other) if place.entry]
    return len(entries) > 1 and all(map(stands_for_itself, entries))


def _differ(one: str, other: str) -> bool:
    """Whether each of two statements has a specific that the other lacks, or only one of them says no."""
    ours, theirs = specifics(one), specifics(other)
    return bool(ours - theirs) and bool(theirs - ours)

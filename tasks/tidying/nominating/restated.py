"""Statements of one matter in other words: the same names and values, and nothing closed in which they differ."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from dream.guards.sameness.closed import closed_difference, matter_of
from dream.memory.neighbours.alike import Neighbours
from dream.memory.notes import Note, NoteCache
from dream.memory.similarity import word_set
from dream.memory.tree import Tree
from tasks.tidying.nominating.pairs import is_statement
from tasks.tidying.nominations import Matter, Nomination, Place
from tasks.tidying.places import foundation, place_in, place_of

MOST_OF_ONE_MATTER = 60
"""Statements of one matter that are compared each with each; more are a log."""

_LONGEST = 300
_SCORES = (0.95, 0.7, 0.6)


def restated_statements(
    tree: Tree, notes: NoteCache, neighbours: Neighbours, *, changed: Collection[str]
) -> Iterator[Nomination]:
    """Yield pairs with a side in the notes `changed`: each statement with the best founded ones that it may restate.

    So that several restatements of one fact are each paired with the wording that is to stay.
    """
    wanted = {
        matter for path in changed for place in _statements(tree, notes, path) if (matter := matter_of(place.text))
    }
    things = {matter: _words(matter) for matter in wanted}
    standing = neighbours.holding(frozenset(filter(None, things.values())))
    by_matter: dict[tuple[str, ...], dict[str, Place]] = {matter: {} for matter in sorted(wanted)}
    for at in sorted({at for places in standing.values() for at in places}):
        place = place_of(tree, notes, at.path, at.entry)
        if place is not None and _may_restate(place) and (matter := matter_of(place.text)) in by_matter:
            by_matter[matter][place.shown] = place
    for several in by_matter.values():
        if 1 < len(several) <= MOST_OF_ONE_MATTER:
            yield from _stars(sorted(several.values(), key=foundation), frozenset(changed))


def _stars(ordered: Sequence[Place], changed: frozenset[str]) -> Iterator[Nomination]:
    """Yield each of `ordered`, best founded first, with up to three before it that it may say again."""
    for at, place in enumerate(ordered):
        before = (other for other in ordered[:at] if {place.path, other.path} & changed)
        anchors = (other for other in before if not closed_difference(other.text, place.text))
        for score, anchor in zip(_SCORES, anchors, strict=False):
            places = tuple(sorted((anchor, place), key=lambda one: (one.path, one.entry.start if one.entry else 0)))
            yield Nomination(matter=Matter.DUPLICATE, places=places, score=score, why="the same names and values")


def _statements(tree: Tree, notes: NoteCache, path: str) -> Iterator[Place]:
    note = notes.note(tree, path)
    if isinstance(note, Note) and not note.broken:
        for entry in note.entries:
            place = place_in(path, note, entry)
            if _may_restate(place):
                yield place


def _may_restate(place: Place) -> bool:
    return len(place.text) <= _LONGEST and is_statement(place)


def _words(matter: tuple[str, ...]) -> frozenset[str]:
    """Return the words of the names in a matter: values are spelled in more than one way."""
    return word_set(" ".join(one.removeprefix("=") for one in matter if any(map(str.isalpha, one.partition(" ")[0]))))

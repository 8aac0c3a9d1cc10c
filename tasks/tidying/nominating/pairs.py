"""Statements and notes that have most of their words in common, nominated as duplicates or as contradictions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from dream.guards.vocabulary import content_words
from dream.memory.logbooks import is_logbook
from dream.memory.neighbours.alike import Neighbours
from dream.memory.notes import EntryStyle, Note, NoteCache
from dream.memory.topics import TopicLimits, likeness, told_by
from dream.memory.tree import Tree
from tasks.duplicates import name_of, named_in, stands_for_itself
from tasks.tidying.nominating.opposing import Stated, are_of_two_things, is_clear, opposition, stated_in
from tasks.tidying.nominations import Matter, Nomination, Place
from tasks.tidying.places import place_of

_CODE = re.compile(r"`[^`]{0,2000}`")
_LABEL = re.compile(r"\*\*[^*]{1,60}(?::\*\*|\*\*:)")
_EVENT = re.compile(r"\W{0,3}[0-9]{4}-[0-9]{2}-[0-9]{2}\b")
_FEWEST = 3
_UNDERSTOOD = 8
_ALIKE_ENOUGH = 0.7
_WHOLE = frozenset({EntryStyle.BODY, EntryStyle.SECTION})


def alike_statements(
    tree: Tree, notes: NoteCache, neighbours: Neighbours, *, changed: Collection[str] | None, alike: float
) -> Iterator[Nomination]:
    """Yield the pairs of statements that have at least the share `alike` of their words in common.

    As a contradiction where each states a value or a name that the other does not, or one of them says no. Statements
    about two things are none of both, and what stands in many notes is a template.
    """
    for pair in neighbours.pairs(changed, alike=alike):
        one, other = (place_of(tree, notes, at.path, at.entry) for at in (pair.one, pair.other))
        if one is None or other is None or not is_statement(one) or not is_statement(other):
            continue
        ours, theirs = stated_in(one.text), stated_in(other.text)
        if are_of_two_things(ours, theirs) or not are_of_one_place(one, other, ours, theirs, alike=pair.jaccard):
            continue
        against = opposition(ours, theirs)
        if against and not (is_clear(ours, theirs) and may_be_at_odds(one, other)):
            continue
        matter = Matter.CONTRADICTION if against else Matter.DUPLICATE
        yield Nomination(matter=matter, places=(one, other), score=pair.jaccard, why=against or "most words in common")


def alike_notes(
    tree: Tree, notes: NoteCache, neighbours: Neighbours, *, changed: Collection[str] | None, limits: TopicLimits
) -> Iterator[Nomination]:
    """Yield the pairs of notes that are about one thing by their words, as the checker tells it."""
    for one, other, _ in neighbours.notes_alike(changed, alike=min(limits.same_text, limits.titled_text)):
        places = tuple(
            Place(path=path, note=note)
            for path in (one, other)
            if isinstance(note := notes.note(tree, path), Note) and not note.broken and name_of(path)
        )
        if len(places) > 1 and not (is_logbook(one) or is_logbook(other)):
            score = likeness(told_by(places[0].note), told_by(places[1].note), limits)
            if score:
                yield Nomination(matter=Matter.SAME_TOPIC, places=places, score=score, why="much the same words")


def is_statement(place: Place) -> bool:
    """Whether a place is a statement that may be told from another by its words, and more than a piece of code."""
    entry = place.entry
    if entry is None or entry.style in _WHOLE or not stands_for_itself(entry):
        return False
    return len(content_words(_CODE.sub(" ", entry.key))) >= _FEWEST


def may_be_at_odds(one: Place, other: Place) -> bool:
    """Whether two statements that differ in a value are to be of one moment: logs and labels tell of several."""
    if is_logbook(one.path) and is_logbook(other.path):
        return False
    if one.section != other.section and _LABEL.match(one.text) and _LABEL.match(other.text):
        return False
    return not (_EVENT.match(one.text) or _EVENT.match(other.text))


def are_of_one_place(one: Place, other: Place, ours: Stated, theirs: Stated, *, alike: float) -> bool:
    """Whether two statements can be about one thing for all that is known of where they stand.

    Under one heading they can. Elsewhere both must name one thing, themselves or by their notes, or be long and alike
    enough to be understood by themselves; what a label begins with is said of its own section.
    """
    if (one.path, one.section) == (other.path, other.section):
        return True
    is_long = min(len(ours.words), len(theirs.words)) >= _UNDERSTOOD
    if (_LABEL.match(one.text) or _LABEL.match(other.text)) and not is_long:
        return False
    if ours.names & theirs.names:
        return True
    own = {name_of(one.path), name_of(other.path)} - {""}
    if own & named_in(one.text) or own & named_in(other.text):
        return True
    return is_long and alike >= _ALIKE_ENOUGH

"""Statements that give one attribute of one thing two values, however differently they are worded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from dream.guards.verdicts.words import ATTRIBUTES, concept
from dream.memory.logbooks import is_logbook
from dream.memory.neighbours.alike import At, Neighbours
from dream.memory.notes import Entry, Note, NoteCache
from dream.memory.similarity import word_set
from dream.memory.tree import Tree
from tasks.duplicates import name_of
from tasks.tidying.nominating.opposing import Stated, is_one_attribute, stated_in
from tasks.tidying.nominating.pairs import is_statement, may_be_at_odds
from tasks.tidying.nominations import Matter, Nomination, Place
from tasks.tidying.places import place_in, place_of

MOST_OF_ONE_THING = 60
"""Statements about one attribute of one thing that are compared each with each; more are a log."""

_LONGEST = 300
_LEAST_COMMON = 0.34


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    place: Place
    stated: Stated
    things: frozenset[str]


def opposed_statements(
    tree: Tree, notes: NoteCache, neighbours: Neighbours, *, changed: Collection[str]
) -> Iterator[Nomination]:
    """Yield the pairs with a side in the notes `changed` that state two values of one attribute of one thing.

    A thing is what both statements name, else what their notes are called. Only short statements with one value of
    what is measured count, and neither logs nor what is said of different environments.
    """
    claims = {(one.place.path, one.place.shown): one for path in changed for one in _claims_at(tree, notes, path)}
    things = {thing: word_set(thing) for one in claims.values() for thing in one.things}
    standing = neighbours.holding(frozenset(filter(None, things.values())))
    for at in sorted({at for places in standing.values() for at in places}):
        claim = _claim_at(tree, notes, at)
        if claim is not None:
            claims[claim.place.path, claim.place.shown] = claim
    fresh = frozenset(changed)
    seen: set[tuple[str, str]] = set()
    for group in _by_thing(claims.values()):
        for one, other in combinations(group, 2):
            pair = (one.place.shown, other.place.shown)
            if pair not in seen and {one.place.path, other.place.path} & fresh and _are_at_odds(one, other):
                seen.add(pair)
                yield Nomination(
                    matter=Matter.CONTRADICTION,
                    places=(one.place, other.place),
                    score=_score(one.stated, other.stated),
                    why="another value of one attribute",
                )


def _by_thing(claims: Iterable[_Claim]) -> Iterator[list[_Claim]]:
    groups: dict[tuple[str, str], list[_Claim]] = defaultdict(list)
    for claim in sorted(claims, key=lambda one: (one.place.path, one.place.entry.start if one.place.entry else 0)):
        for thing in claim.things:
            for attribute in claim.stated.attributes:
                groups[thing, attribute].append(claim)
    for key in sorted(groups):
        if 1 < len(groups[key]) <= MOST_OF_ONE_THING:
            yield groups[key]


def _are_at_odds(one: _Claim, other: _Claim) -> bool:
    return (
        is_one_attribute(one.stated, other.stated)
        and may_be_at_odds(one.place, other.place)
        and _score(one.stated, other.stated) >= _LEAST_COMMON
    )


def _score(one: Stated, other: Stated) -> float:
    """Return what share of the fewer words both statements have in common."""
    return len(one.words & other.words) / max(1, min(len(one.words), len(other.words)))


def _claims_at(tree: Tree, notes: NoteCache, path: str) -> Iterator[_Claim]:
    note = notes.note(tree, path)
    if isinstance(note, Note) and not note.broken and not is_logbook(path):
        for entry in note.entries:
            if _may_claim(entry) and (claim := _claim(place_in(path, note, entry))):
                yield claim


def _claim_at(tree: Tree, notes: NoteCache, at: At) -> _Claim | None:
    place = None if is_logbook(at.path) else place_of(tree, notes, at.path, at.entry)
    return _claim(place) if place and place.entry and _may_claim(place.entry) else None


def _may_claim(entry: Entry) -> bool:
    return len(entry.key) <= _LONGEST and any(concept(word) in ATTRIBUTES for word in word_set(entry.key))


def _claim(place: Place) -> _Claim | None:
    stated = stated_in(place.text)
    if not stated.attributes or not stated.values.keys() - {"date"} or not is_statement(place):
        return None
    things = stated.names or frozenset(filter(None, [name_of(place.path)]))
    return _Claim(place=place, stated=stated, things=things)

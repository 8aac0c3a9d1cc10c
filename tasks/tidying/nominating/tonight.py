"""What of a memory is to be ruled on tonight: what changed first, then the most alike, and some of all the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from hashlib import blake2b
from itertools import chain

from dream.memory.neighbours.alike import Neighbours
from dream.memory.notes import NoteCache
from dream.memory.paths import is_topic
from dream.memory.tree import Tree
from dream.sources.production.code.tree import CodeTree
from tasks.duplicates import name_of
from tasks.tidying.limits import TidyLimits
from tasks.tidying.nominating.contradictions import opposed_statements
from tasks.tidying.nominating.in_code import ReadFile, said_in_code
from tasks.tidying.nominating.incidents import forgotten_incidents
from tasks.tidying.nominating.pairs import alike_notes, alike_statements
from tasks.tidying.nominating.restated import restated_statements
from tasks.tidying.nominating.sections import several_topics
from tasks.tidying.nominating.sizes import nearly_empty, wordy_statements
from tasks.tidying.nominations import Matter, Nomination

_SHARES = {Matter.DUPLICATE: 4, Matter.CONTRADICTION: 4, Matter.SAME_TOPIC: 2}


def nominate(
    tree: Tree,
    notes: NoteCache,
    neighbours: Neighbours,
    *,
    changed: Collection[str] | None,
    code: Sequence[CodeTree] = (),
    read: ReadFile | None = None,
    night: date | None = None,
    limits: TidyLimits = TidyLimits(),  # noqa: B008 - frozen
    most: int | None = None,
    in_other_words: bool = False,
) -> tuple[Nomination, ...]:
    """Return what is to be ruled on, best first, at most `most` (`limits.nominations` where it is None).

    Of what changed each matter has its turn, the likelier first; `limits.again_percent` of the places are kept for
    notes that did not change, other ones every night, so that everything is reached over the weeks.

    Args:
        tree: the memory as it stands.
        notes: the night's cache.
        neighbours: what of the memory is alike, with `tree` taken.
        changed: the notes that changed since the last night; None for all of them.
        code: the code repositories as they are today.
        read: reads a file of one of them.
        night: tonight; it decides which notes are looked at again, and which incidents are old.
        limits: how alike, how many, how short and how long.
        most: how many at most.
        in_other_words: whether statements are pairs that have no more in common than all that is closed.
    """
    room = limits.nominations if most is None else most
    topics = [path for path in tree.paths() if is_topic(path)]
    fresh = frozenset(topics if changed is None else changed).intersection(topics)
    again = frozenset(_in_turn([path for path in topics if path not in fresh], night, limits.again))
    names = frozenset(filter(None, map(name_of, topics)))
    scope = fresh | again
    found = [
        *_pairs(
            tree,
            notes,
            neighbours,
            scope=None if changed is None else scope,
            among=scope,
            limits=limits,
            in_other_words=in_other_words,
        ),
        *nearly_empty(tree, notes, among=sorted(scope), limits=limits),
        *wordy_statements(tree, notes, among=sorted(scope), limits=limits),
        *several_topics(tree, notes, among=sorted(scope), names=names, limits=limits.topics),
    ]
    if night is not None:
        found += forgotten_incidents(
            tree, notes, neighbours, among=sorted(scope), names=names, night=night, most=limits.incidents
        )
    if read is not None:
        found += said_in_code(tree, notes, among=sorted(scope), code=code, read=read, most=limits.files)
    return _chosen(found, fresh=fresh, room=room, kept_percent=limits.again_percent)


def _pairs(
    tree: Tree,
    notes: NoteCache,
    neighbours: Neighbours,
    *,
    scope: Collection[str] | None,
    among: Collection[str],
    limits: TidyLimits,
    in_other_words: bool,
) -> Iterator[Nomination]:
    """Yield the pairs; one that is nominated in two ways is so in the first."""
    seen: set[tuple[str, ...]] = set()
    for one in chain(
        alike_statements(tree, notes, neighbours, changed=scope, alike=limits.alike),
        opposed_statements(tree, notes, neighbours, changed=among),
        restated_statements(tree, notes, neighbours, changed=among) if in_other_words else (),
        alike_notes(tree, notes, neighbours, changed=scope, limits=limits.topics),
    ):
        places = tuple(place.shown for place in one.places)
        if places not in seen:
            seen.add(places)
            yield one


def _in_turn(paths: Sequence[str], night: date | None, most: int) -> Sequence[str]:
    """Return the notes whose turn it is, in an order in which what stands together is far apart."""
    if night is None or not paths:
        return ()
    ordered = sorted(paths, key=lambda path: (blake2b(path.encode(errors="surrogatepass")).digest(), path))
    turns = -(-len(ordered) // most)
    first = night.toordinal() % turns * most
    return ordered[first : first + most]


def _chosen(
    found: Iterable[Nomination], *, fresh: Collection[str], room: int, kept_percent: int
) -> tuple[Nomination, ...]:
    """Return as many as there is room for: what touches what changed, but for the places that are kept for the rest.

    A statement that stands twice in a note is nominated once: the record calls both alike.
    """
    told: dict[bool, list[Nomination]] = {True: [], False: []}
    once: dict[str, Nomination] = {}
    for one in found:
        once.setdefault(one.id, one)
    for one in once.values():
        told[any(place.path in fresh for place in one.places)].append(one)
    first, rest = _in_order(told[True]), _in_order(told[False])
    kept = min(len(rest), room * kept_percent // 100)
    taken = first[: room - kept]
    return (*taken, *rest[: room - len(taken)])


def _in_order(found: Iterable[Nomination]) -> list[Nomination]:
    by_matter: dict[Matter, list[Nomination]] = {}
    for one in sorted(found, key=lambda one: (-one.score, *(place.shown for place in one.places), one.id)):
        by_matter.setdefault(one.matter, []).append(one)
    turns = [
        (at // _SHARES.get(matter, 1), list(Matter).index(matter), at, one)
        for matter, several in by_matter.items()
        for at, one in enumerate(several)
    ]
    return [one for *_, one in sorted(turns, key=lambda turn: turn[:3])]

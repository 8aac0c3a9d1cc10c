"""Notes of incidents from which nothing was ever learned: no other note leads to them or tells again what they say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import date, timedelta

from dream.memory.logbooks import is_dated, words_of
from dream.memory.neighbours.alike import Neighbours
from dream.memory.notes import Note, NoteCache
from dream.memory.paths import is_topic
from dream.memory.similarity import word_set
from dream.memory.sources import parse_date
from dream.memory.tree import Tree
from tasks.duplicates import name_of, named_in
from tasks.tidying.nominations import Matter, Nomination, Place

GENERALISED_WITHIN = timedelta(days=14)
MOST_TOGETHER = 6
_STEMS = ("incident", "outage", "postmortem", "rca", "downtime")
_TOLD_AGAIN = 0.4
_MOST_STATEMENTS = 12
_DATE_LENGTH = 10


def forgotten_incidents(
    tree: Tree,
    notes: NoteCache,
    neighbours: Neighbours,
    *,
    among: Collection[str],
    names: Collection[str],
    night: date,
    most: int,
) -> Iterator[Nomination]:
    """Yield the notes of incidents `among` some that are older than two weeks and left nothing, by what failed.

    Several about one thing are one nomination. At most `most` are looked into, the oldest first.
    """
    found: list[tuple[date, Place]] = []
    for path in among:
        note = notes.note(tree, path)
        day = _happened(path, note) if isinstance(note, Note) and not note.broken and is_incident(path) else None
        if day is not None and isinstance(note, Note) and night - day >= GENERALISED_WITHIN:
            found.append((day, Place(path=path, note=note)))
    found.sort(key=lambda one: (one[0], one[1].path))
    asked = [place for _, place in found[:most]]
    lonely = _without_links(tree, notes, asked)
    groups: dict[str, list[Place]] = defaultdict(list)
    for place in lonely:
        if not _is_told_again(place, neighbours):
            groups[_thing(place, names)].append(place)
    for thing in sorted(groups):
        for at in range(0, len(groups[thing]), MOST_TOGETHER):
            together = tuple(sorted(groups[thing][at : at + MOST_TOGETHER], key=lambda place: place.path))
            yield Nomination(
                matter=Matter.INCIDENTS,
                places=together,
                score=len(together) / (len(together) + 1),
                why=f"{len(together)} of one thing, and nothing was learned" if thing else "nothing was learned",
            )


def is_incident(path: str) -> bool:
    """Whether a note is by its path one of an incident."""
    return is_topic(path) and any(word.startswith(_STEMS) for word in words_of(path))


def _happened(path: str, note: Note) -> date | None:
    """Return the day of an incident: that of its path, else the last of its entries."""
    if is_dated(path):
        for at in range(len(path) - _DATE_LENGTH + 1):
            day = parse_date(path[at : at + _DATE_LENGTH])
            if day is not None:
                return day
    return max((entry.date for entry in note.entries if entry.date), default=None)


def _without_links(tree: Tree, notes: NoteCache, places: Collection[Place]) -> list[Place]:
    left = {place.path.rpartition("/")[2].removesuffix(".md"): place for place in places}
    for path in tree.paths() if left else ():
        note = notes.note(tree, path) if is_topic(path) and not is_incident(path) else None
        if isinstance(note, Note):
            for stem in [stem for stem in left if stem in note.text]:
                del left[stem]
    return list(left.values())


def _is_told_again(place: Place, neighbours: Neighbours) -> bool:
    asked = [word_set(entry.key) for entry in place.note.entries[:_MOST_STATEMENTS]]
    return any(
        not is_incident(path) for found in neighbours.nearest(asked, alike=_TOLD_AGAIN).values() for path, _, _ in found
    )


def _thing(place: Place, names: Collection[str]) -> str:
    """Return what failed: the name of another note that the incident's own name or title states; "" for none."""
    said = named_in(f"{place.path} {place.note.title}".replace("/", " "))
    stem = name_of(place.path)
    return min((name for name in names if name != stem and (name in said or f"-{name}-" in f"-{stem}-")), default="")

"""Notes that are gone and whose words stand in one other note now: merged by people, or by an earlier night."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dream.memory.notes import Note, NoteCache
from dream.memory.paths import is_topic
from dream.memory.records import Effect, NightRecord
from dream.memory.tree import Tree

MOST = 0.6
"""How much of a note's lines have to stand in the other one, word for word."""

_FEWEST_WORDS = 4


def absorbed_notes(
    tree: Tree, notes: NoteCache, *, landed: Tree, renames: Mapping[str, str], most: float = MOST
) -> dict[str, str]:
    """Return the topic notes of `landed` that are gone, each with the one note of `tree` that says what it said.

    That is the only one in which more than `most` of its lines stand; those with fewer than four words, and headings,
    tell no note from another. A note that was renamed is not gone.
    """
    gone = [path for path in landed.paths() if is_topic(path) and tree.blob(path) is None and path not in renames]
    wanted = {path: lines for path in gone if (lines := frozenset(_telling(landed, notes, path)))}
    if not wanted:
        return {}
    held: dict[str, Counter[str]] = {path: Counter() for path in wanted}
    everything = frozenset().union(*wanted.values())
    for path in filter(is_topic, tree.paths()):
        here = everything.intersection(_telling(tree, notes, path))
        for old in wanted if here else ():
            count = len(wanted[old] & here)
            if count:
                held[old][path] = count
    found: dict[str, str] = {}
    for old, counts in held.items():
        holders = [path for path, count in counts.items() if count > most * len(wanted[old])]
        if len(holders) == 1:
            found[old] = holders[0]
    return found


def absorbed_by_nights(records: Sequence[NightRecord]) -> dict[str, str]:
    """Return the notes that earlier nights took away, each with the note that its merge or move left them in."""
    return dict(pair for record in records for effect in record.effects for pair in _taken(effect))


def _taken(effect: Effect) -> Iterator[tuple[str, str]]:
    if effect.reverted or effect.kind not in {"merge", "move"}:
        return
    left = {*effect.created, *(change.path for change in effect.changes)} - effect.deleted.keys()
    if len(left) == 1:
        into = left.pop()
        yield from ((old, into) for old in effect.deleted)


def _telling(tree: Tree, notes: NoteCache, path: str) -> Iterator[str]:
    note = notes.note(tree, path)
    for line in note.lines if isinstance(note, Note) else ():
        words = " ".join(line.split())
        if not words.startswith("#") and words.count(" ") >= _FEWEST_WORDS - 1:
            yield words

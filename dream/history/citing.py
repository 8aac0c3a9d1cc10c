"""What a memory still rests on: the threads that it names, and the entries that cite a source."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from dream.history.values import without_person
from dream.memory.notes import Note, NoteCache
from dream.memory.paths import Kind, kind_of
from dream.memory.tree import Tree

_THREAD = re.compile(rb"thread_[A-Za-z0-9][A-Za-z0-9_.-]{0,199}")
_RESTING = frozenset({Kind.TOPIC, Kind.LEARNING, Kind.PREFERENCE, Kind.ARCHIVE})


def cited_threads(tree: Tree) -> frozenset[str]:
    """Return every thread that a topic note, a learning, a preference or an archived note names.

    The notes of single days name all of theirs for ever, which says nothing of what is still rested on.
    """
    named: set[str] = set()
    for path in tree.paths():
        if kind_of(path) in _RESTING:
            found = {match.decode("ascii") for match in _THREAD.findall(tree.read(path) or b"")}
            named |= found | {one.rstrip("._-") for one in found}
    return frozenset(named)


def entries_citing(tree: Tree, notes: NoteCache, sources: Collection[str]) -> Iterator[tuple[str, int, str]]:
    """Yield path, line (1 is the first) and text of each entry of any note that cites one of `sources`.

    `person:ana@thread_x` cites the thread as well.
    """
    wanted = frozenset(sources)
    named = [source.encode("utf-8", "surrogatepass") for source in wanted]
    for path in tree.paths():
        data = tree.read(path) or b""
        if kind_of(path) is Kind.DOT or not any(name in data for name in named):
            continue
        note = notes.note(tree, path)
        if isinstance(note, Note):
            for entry in note.entries:
                cited = {*entry.sources, *(without_person(source) for source in entry.sources)}
                if not wanted.isdisjoint(cited):
                    yield path, entry.start + 1, entry.raw

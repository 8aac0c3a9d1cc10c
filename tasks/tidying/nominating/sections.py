"""Notes about several things: their sections are called after different ones, and share next to no word."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import combinations

from dream.guards.verdicts.subjects import names_in
from dream.guards.verdicts.words import is_generic_heading
from dream.memory.logbooks import is_logbook
from dream.memory.notes import Note, NoteCache
from dream.memory.titles import plain_text
from dream.memory.topics import TopicLimits, are_apart, telling_words
from dream.memory.tree import Tree
from tasks.duplicates import name_of, named_in
from tasks.tidying.nominations import Matter, Nomination, Place

_FEWEST = 2
_MOST = 12
_HEADING = re.compile(r" {0,3}## +\S")
_LIST = re.compile(r"(?:s|list|overview|index|inventory|catalog)\Z", re.IGNORECASE)


def several_topics(
    tree: Tree, notes: NoteCache, *, among: Collection[str], names: Collection[str], limits: TopicLimits
) -> Iterator[Nomination]:
    """Yield the notes `among` some whose sections are about two things and more, by their headings and their words.

    A section is about a thing where its heading is the name of a note (`names`) or written as a name. A note that is
    called in the plural is a list of things, and meant so. How far apart words are is told as by the checker.
    """
    for path in among:
        note = notes.note(tree, path)
        if not isinstance(note, Note) or note.broken or is_logbook(path) or _LIST.search(name_of(path)):
            continue
        sections = _sections(note)
        if not _FEWEST <= len(sections) <= _MOST:
            continue
        things = {heading: _things(heading, names) - {name_of(path)} for heading, _ in sections}
        own = telling_words(f"{note.title} {path}")
        told = [(things[heading], words - own) for heading, words in sections if things[heading]]
        about = [(ours, words) for ours, words in told if len(words) >= limits.telling]
        apart = [
            are_apart([one, other], limits)
            for (ours, one), (theirs, other) in combinations(about, 2)
            if ours.isdisjoint(theirs)
        ]
        if 2 * len(about) >= len(sections) and apart and all(apart):
            yield Nomination(
                matter=Matter.SEVERAL_TOPICS,
                places=(Place(path=path, note=note),),
                score=1 - 1 / len(about),
                why=f"{len(about)} sections about different things",
            )


def _sections(note: Note) -> list[tuple[str, frozenset[str]]]:
    found: list[tuple[str, list[str]]] = []
    for line in note.lines:
        if _HEADING.match(line):
            found.append((plain_text(line), []))
        elif found:
            found[-1][1].append(line)
    return [(heading, telling_words("\n".join(lines))) for heading, lines in found]


def _things(heading: str, names: Collection[str]) -> frozenset[str]:
    if is_generic_heading(heading):
        return frozenset()
    said = named_in(heading)
    written = frozenset(name.casefold() for name in names_in(heading) if "-" in name or "_" in name)
    return frozenset(name for name in said if name in names) | written

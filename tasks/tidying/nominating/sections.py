"""Notes about several things: their sections are called after different ones, and share next to no word."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import combinations

from dream.guards.verdicts.subjects import names_in
from dream.guards.verdicts.words import is_generic_heading
from dream.guards.vocabulary import content_words
from dream.memory.logbooks import is_logbook
from dream.memory.notes import Note, NoteCache
from dream.memory.titles import plain_text
from dream.memory.tree import Tree
from tasks.duplicates import name_of, named_in
from tasks.tidying.nominations import Matter, Nomination, Place

_FEWEST = 2
_MOST = 12
_WORDS = 8
_APART = 0.08
_HEADING = re.compile(r" {0,3}## +\S")
_LIST = re.compile(r"(?:s|list|overview|index|inventory|catalog)\Z", re.IGNORECASE)


def several_topics(
    tree: Tree, notes: NoteCache, *, among: Collection[str], names: Collection[str]
) -> Iterator[Nomination]:
    """Yield the notes `among` some whose sections are about two things and more, by their headings and their words.

    A section is about a thing where its heading is the name of a note (`names`) or written as a name. A note that is
    called in the plural is a list of things, and meant so.
    """
    for path in among:
        note = notes.note(tree, path)
        if not isinstance(note, Note) or note.broken or is_logbook(path) or _LIST.search(name_of(path)):
            continue
        sections = _sections(note)
        if not _FEWEST <= len(sections) <= _MOST:
            continue
        things = {heading: _things(heading, names) - {name_of(path)} for heading, _ in sections}
        about = [(things[heading], words) for heading, words in sections if things[heading] and len(words) >= _WORDS]
        own = content_words(f"{note.title} {path}")
        apart = [
            _overlap(one - own, other - own)
            for (ours, one), (theirs, other) in combinations(about, 2)
            if ours.isdisjoint(theirs)
        ]
        if len(about) >= _FEWEST and 2 * len(about) >= len(sections) and apart and max(apart) <= _APART:
            yield Nomination(
                matter=Matter.SEVERAL_TOPICS,
                places=(Place(path=path, note=note),),
                score=1 - max(apart),
                why=f"{len(about)} sections about different things",
            )


def _sections(note: Note) -> list[tuple[str, frozenset[str]]]:
    found: list[tuple[str, list[str]]] = []
    for line in note.lines:
        if _HEADING.match(line):
            found.append((plain_text(line), []))
        elif found:
            found[-1][1].append(line)
    return [(heading, _words("\n".join(lines))) for heading, lines in found]


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in content_words(text) if not word.isdigit())


def _things(heading: str, names: Collection[str]) -> frozenset[str]:
    if is_generic_heading(heading):
        return frozenset()
    said = named_in(heading)
    written = frozenset(name.casefold() for name in names_in(heading) if "-" in name or "_" in name)
    return frozenset(name for name in said if name in names) | written


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, min(len(one), len(other)))

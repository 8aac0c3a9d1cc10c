"""Notes that say next to nothing, and statements that say little in many words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from dream.guards.vocabulary import content_words
from dream.memory.logbooks import is_logbook
from dream.memory.notes import EntryStyle, Note, NoteCache
from dream.memory.similarity import specifics, word_set
from dream.memory.tree import Tree
from tasks.duplicates import name_of, stands_for_itself
from tasks.tidying.limits import TidyLimits
from tasks.tidying.nominations import Matter, Nomination, Place
from tasks.tidying.places import place_in

_WORD = re.compile(r"[^\W_]+")
_LINK = re.compile(r"\]\(|\[\[")
_SPOKEN = frozenset({EntryStyle.DATED, EntryStyle.ITEM, EntryStyle.PARAGRAPH})
_RARE_SPECIFIC = 0.04
_REPEATED = 0.52


def nearly_empty(tree: Tree, notes: NoteCache, *, among: Collection[str], limits: TidyLimits) -> Iterator[Nomination]:
    """Yield the notes `among` some with fewer characters beside title and frontmatter than a sentence takes.

    One that leads elsewhere is there for that, and one that names nothing has its place in a layout.
    """
    for path in among:
        note = notes.note(tree, path)
        if not isinstance(note, Note) or note.broken or not name_of(path) or _LINK.search(note.text):
            continue
        first = note.frontmatter.end if note.frontmatter else 0
        said = [line.strip() for line in note.lines[first:] if not line.startswith("#")]
        size = sum(map(len, said))
        if size < limits.empty_characters:
            yield Nomination(
                matter=Matter.NEARLY_EMPTY,
                places=(Place(path=path, note=note),),
                score=1 - size / limits.empty_characters,
                why=f"{size} characters",
            )


def wordy_statements(
    tree: Tree, notes: NoteCache, *, among: Collection[str], limits: TidyLimits
) -> Iterator[Nomination]:
    """Yield the long statements in notes `among` some that repeat their words or hold next to no name or value."""
    for path in among:
        note = notes.note(tree, path) if not is_logbook(path) else None
        if not isinstance(note, Note) or note.broken:
            continue
        for entry in note.entries:
            if len(entry.key) <= limits.wordy_characters or entry.style not in _SPOKEN or not stands_for_itself(entry):
                continue
            spoken = len(_WORD.findall(entry.key)) or 1
            said = len(content_words(entry.key)) / spoken
            rare = len(specifics(entry.key)) / spoken
            if spoken > len(word_set(entry.key)) and (said < _REPEATED and rare < _RARE_SPECIFIC):
                yield Nomination(
                    matter=Matter.WORDY,
                    places=(place_in(path, note, entry),),
                    score=min(1.0, (1 - said) * (1 - rare)),
                    why=f"{len(entry.key)} characters",
                )

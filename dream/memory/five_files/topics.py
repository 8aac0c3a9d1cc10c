"""What the files of a memory of five files are about, section by section, each with a place that a link can name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from dream.memory.five_files.wording import Place
from dream.memory.layouts import FIVE
from dream.memory.links.anchors import Anchors, find_anchors
from dream.memory.listing.lines import shown_text
from dream.memory.notes import Note, NoteCache
from dream.memory.sources import parse_date
from dream.memory.tree import Tree

_LEVEL = 2
_DATE = re.compile(r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A section of one of the five files: where it is, what it is called, and the newest date that it names."""

    place: Place
    title: str
    line: int
    newest: date | None


def read_anchors(tree: Tree, notes: NoteCache) -> Mapping[str, Anchors]:
    """Return what a link can name in each of the five files that can be read."""
    read = ((path, notes.note(tree, path)) for path in FIVE if tree.blob(path) is not None)
    return {path: find_anchors(note.text) for path, note in read if isinstance(note, Note)}


def find_topics(
    tree: Tree, notes: NoteCache, anchors: Mapping[str, Anchors], *, longest: int, today: date
) -> Iterator[Topic]:
    """Yield the sections under a second heading (`##`) of the five files, file by file, in order."""
    for path, known in anchors.items():
        note = notes.note(tree, path)
        lines = note.lines if isinstance(note, Note) else ()
        for heading in known.headings:
            title = shown_text(heading.text, longest=longest)
            if heading.level == _LEVEL and heading.slug and any(map(str.isalnum, title)):
                text = "\n".join(lines[heading.line : heading.end])
                days = [day for found in _DATE.findall(text) if (day := parse_date(found)) and day <= today]
                place = Place(path=path, anchor=heading.slug)
                yield Topic(place=place, title=title, line=heading.line, newest=max(days, default=None))

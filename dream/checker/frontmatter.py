"""What the frontmatter of notes says where a memory keeps it: name, description, one of four types, why and how."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dream.checker.finding import Finding, find, shown
from dream.memory.frontmatter import Frontmatter
from dream.memory.notes import Note
from dream.memory.skills import FILE_NAME

TYPES = ("user", "feedback", "project", "reference")
_REASONED = frozenset({"feedback", "project"})
_WHY = re.compile(r"^[\s>#*_-]{0,12}(?:why|reason)\b[^\n:*]{0,40}(?::|\*\*|[ \t]*$)", re.IGNORECASE | re.MULTILINE)
_HOW = re.compile(r"^[\s>#*_-]{0,12}how\b[^\n:*]{0,40}(?::|\*\*|[ \t]*$)", re.IGNORECASE | re.MULTILINE)
_LETTER = re.compile(r"[^\W\d_]")
_LEAST_ENGLISH = 0.5


def keeps_frontmatter(notes: Mapping[str, Note]) -> bool:
    """Whether a memory keeps notes with frontmatter: at least one has a name, a description and one of the types."""
    return any(
        front.type in TYPES and front.name and front.description
        for note in notes.values()
        if (front := note.frontmatter) is not None
    )


def check_frontmatter(path: str, note: Note, *, kept: bool) -> Iterator[Finding]:
    """Yield what the frontmatter of the topic note at `path` lacks; `kept` whether its memory keeps it so."""
    front = note.frontmatter
    if front is None or path.endswith(FILE_NAME) or not (kept or (front.name and front.description and front.type)):
        return  # a skill has rules of its own, wherever it stands
    if not (front.name or front.description or front.type):
        return  # some other tool's
    if not front.type:
        yield find("type-missing", path, "no type", line=1)
    elif front.type not in TYPES:
        yield find("type-unknown", path, shown(front.type), line=_line_of(note, front, "type"))
    if not front.name:
        yield find("name-missing", path, "no name", line=1)
    if not front.description:
        yield find("description-missing", path, "no description", line=1)
    if front.type in _REASONED:
        yield from _unreasoned(path, note, front)


def _unreasoned(path: str, note: Note, front: Frontmatter) -> Iterator[Finding]:
    body = "\n".join(note.lines[front.end :])
    letters = _LETTER.findall(body)
    if not letters or sum(map(str.isascii, letters)) < _LEAST_ENGLISH * len(letters):
        return  # what the two are called in other languages nobody has agreed on
    if not _WHY.search(body):
        yield find("why-missing", path, f"a {front.type} note without **Why:**", line=front.end + 1)
    if not _HOW.search(body):
        yield find("how-to-apply-missing", path, f"a {front.type} note without **How to apply:**", line=front.end + 1)


def _line_of(note: Note, front: Frontmatter, key: str) -> int:
    lines = note.lines[: front.end]
    return next((n for n, line in enumerate(lines, start=1) if line.lstrip().startswith(f"{key}:")), 1)

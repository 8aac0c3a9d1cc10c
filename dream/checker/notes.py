"""What keeps one note from being read as it is meant: bytes, size, frontmatter, conflicts, what nobody sees."""

from __future__ import annotations

from collections.abc import Iterator

from dream.checker.finding import Finding, find, shown
from dream.guards.codepoints import hidden_code_points, name_code_points
from dream.memory.notes import Note, Unreadable


def check_form(path: str, note: Note | Unreadable) -> Iterator[Finding]:
    """Yield what is wrong with the form of the note at `path`."""
    if isinstance(note, Unreadable):
        yield find("note-too-large" if note.reason.startswith("over ") else "note-unreadable", path, note.reason)
        return
    if note.broken:
        yield find("frontmatter-broken", path, shown(note.broken), line=1)
    yield from _conflicts(path, note)
    yield from _invisible(path, note)


def _conflicts(path: str, note: Note) -> Iterator[Finding]:
    if "\n>>>>>>> " not in note.text:
        return
    for number, line in enumerate(note.lines):
        if line.startswith("<<<<<<< "):
            yield find("conflict-marker", path, "a merge was left unfinished", line=number + 1)


def _invisible(path: str, note: Note) -> Iterator[Finding]:
    text = note.text.removeprefix("\ufeff")
    offsets = hidden_code_points(text, carriage_returns=True)
    if offsets:
        message = f"{len(offsets)} in this note: {name_code_points(text, offsets)}"
        yield find("invisible-character", path, message, line=text.count("\n", 0, offsets[0]) + 1)

"""The files that an edit names, and what it changes there: lines of a unified diff without a file's header."""

from __future__ import annotations

from dataclasses import dataclass

from dream.sources.sessions.changes import bounded_patch

_HUNK = ("@@", " ", "-", "+")
_HEADERS = ("diff --git ", "Index: ")
_ADDED, _UPDATED, _DELETED, _MOVED = "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "


@dataclass(frozen=True, slots=True)
class Edit:
    """One file that a call edits, and what it changes there."""

    path: str
    diff: str = ""


def hunks_of(diff: str, *, most: int) -> str:
    """Return the hunks of a unified diff, of one file or more, without any file's header."""
    kept: list[str] = []
    in_hunk = False
    for line in diff.split("\n"):
        in_hunk = (in_hunk or line.startswith("@@")) and not line.startswith(_HEADERS)
        if in_hunk and line.startswith(_HUNK):
            kept.append(line)
    return bounded_patch(kept, most=most)


def edits_of_patch(text: str, *, most: int) -> tuple[Edit, ...]:
    """Return the files of a patch in the form that begins with `*** Begin Patch`, wherever in a text it stands."""
    start = text.find("*** Begin Patch")
    if start < 0:
        return ()
    path, lines = "", list[str]()
    edits: list[Edit] = []
    for line in text[start:].split("\n"):
        named = next((line[len(mark) :].strip() for mark in (_ADDED, _UPDATED, _DELETED) if line.startswith(mark)), "")
        if named or line.startswith("*** End Patch"):
            edits += [Edit(path, bounded_patch(lines, most=most))] if path else []
            path, lines = named, []
            if not named:
                break
        elif line.startswith(_MOVED):
            path = line[len(_MOVED) :].strip() or path
        elif path and line.startswith(_HUNK):
            lines.append(line)
    return tuple(edits)

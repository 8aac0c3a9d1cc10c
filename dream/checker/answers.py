"""Links that lead nowhere and can mean one note alone: written from the root, or moved under the same name."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from dream.checker.link_map import BrokenLink
from dream.checker.subject import Subject
from dream.memory.links.notation import PathLookup, retarget, target_to
from dream.memory.notes import Note

# Names that every folder may have, so that the only note of that name need not be the one that was meant.
_COMMON = frozenset(
    {"readme", "index", "overview", "notes", "note", "memory", "catalog", "skill", "state", "tasks", "facts", "todo"}
    | {"decisions", "changelog", "log", "summary", "introduction", "setup", "usage", "faq", "license", "contributing"}
)


def answer_to(broken: BrokenLink, lookup: PathLookup) -> str:
    """Return the one path that a link which leads nowhere can mean, empty where there is none or more than one."""
    target = unquote(broken.link.target).strip()
    if broken.found or not target or target.endswith("/"):
        return ""
    whole = target.lstrip("/").removeprefix("./")
    names = (whole, f"{whole}.md") if broken.link.kind == "wiki" else (whole,)
    rooted = [name for name in names if "/" in name and name in lookup]
    if rooted:
        return rooted[0]
    name = whole.rpartition("/")[2]
    is_note = broken.link.kind == "wiki" or name.lower().endswith(".md")
    if not is_note or _leaves(broken.path, target) or name.lower().removesuffix(".md") in _COMMON:
        return ""
    found = [path for path in lookup.named(name.removesuffix(".md")) if path.lower().endswith(".md")]
    return found[0] if len(found) == 1 and found[0] != broken.path else ""


def answered_text(subject: Subject, path: str) -> str:
    """Return the text of the note at `path` with every such link pointing at what it can mean."""
    note = subject.notes[path]
    if not isinstance(note, Note):
        return ""
    lines = list(note.lines)
    for broken in sorted(_of(subject, path), key=lambda one: (one.link.line, -one.link.target_start)):
        answer = answer_to(broken, subject.links.lookup)
        if answer:
            number = broken.link.line
            lines[number] = retarget(lines[number], broken.link, target_to(path, broken.link, answer))
    return "\n".join(lines)


def _of(subject: Subject, path: str) -> Iterator[BrokenLink]:
    return (broken for broken in subject.links.broken if broken.path == path)


def _leaves(path: str, target: str) -> bool:
    """Whether a link leads out of the memory, where a note of the same name is another."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target)).startswith("..")

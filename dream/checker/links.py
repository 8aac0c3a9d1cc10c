"""Every link of a memory, resolved once: which lead nowhere, and what can be reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dream.memory.limits import IndexLimits
from dream.memory.links import Link, PathLookup, candidates, is_external, scan_links
from dream.memory.notes import Note, NoteCache
from dream.memory.paths import Kind, folders_of, kind_of
from dream.memory.reach import reachable_notes
from dream.memory.tree import Tree

_PAGES = frozenset({Kind.INDEX, Kind.CATALOG})
_NO_NOTES = frozenset({Kind.ASSET, Kind.DOT})


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A link on `line` (from 0) of the note at `path` that leads to no note, or to one of several."""

    path: str
    line: int
    target: str
    is_ambiguous: bool


@dataclass(frozen=True, slots=True)
class LinkMap:
    """Where the links of each note lead, and those that do not lead to one place."""

    targets: Mapping[str, frozenset[str]]
    broken: tuple[BrokenLink, ...]

    def reached_from_index(self, tree: Tree, limits: IndexLimits) -> frozenset[str]:
        """Return the notes that links lead to from what is loaded of the index, through catalog and notes alike."""
        found = set(reachable_notes(tree, limits=limits))
        waiting = list(found)
        while waiting:
            for target in self.targets.get(waiting.pop(), ()):
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return frozenset(found)


def map_links(tree: Tree, notes: NoteCache) -> LinkMap:
    """Return the links of every note of `tree`; those of index and catalog are only followed, not reported."""
    read = {path: notes.note(tree, path) for path in tree.paths() if kind_of(path) not in _NO_NOTES}
    names = {
        note.frontmatter.name: path
        for path, note in read.items()
        if isinstance(note, Note) and note.frontmatter and note.frontmatter.name
    }
    everything = {*tree.paths(), *tree.oddities()}
    lookup = PathLookup(everything, names=names)
    folders = {folder for path in everything for folder in folders_of(path)}
    targets: dict[str, frozenset[str]] = {}
    broken: list[BrokenLink] = []
    for path, note in read.items():
        leads: list[str] = []
        for link in scan_links(note.text) if isinstance(note, Note) else ():
            found = candidates(path, link, lookup)
            leads.extend(found)
            if len(found) != 1 and kind_of(path) not in _PAGES and not _leaves(path, link, folders):
                broken.append(BrokenLink(path, link.line, link.target, is_ambiguous=bool(found)))
        targets[path] = frozenset(leads)
    return LinkMap(targets, tuple(broken))


def _leaves(path: str, link: Link, folders: set[str]) -> bool:
    """Whether a link is about something that is no note: another site, this very note, or a folder that exists."""
    if is_external(link) or not link.target:
        return True
    parts = [] if link.target.startswith("/") else path.split("/")[:-1]
    for part in link.target.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in {"", ".", ".."}:
            parts.append(part)
    return not parts or "/".join(parts) in folders

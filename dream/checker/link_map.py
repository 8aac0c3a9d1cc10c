"""Every link of a memory, resolved once: which lead nowhere, and what can be reached."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from dream.memory.links.notation import Link, PathLookup, candidates, is_external, scan_links
from dream.memory.notes import Note, Unreadable
from dream.memory.paths import Kind, folders_of, kind_of
from dream.memory.tree import Tree

_PAGES = frozenset({Kind.INDEX, Kind.CATALOG})


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A link in the note at `path` that leads to none or to several notes, or to one without the heading it names."""

    path: str
    link: Link
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LinkMap:
    """Where the links of each note lead, those that do not lead to one place, and those that name a place in a note.

    `addresses` are links as a site has them (`../orders/` for `orders.md`), by note; they lead to no file.
    """

    lookup: PathLookup
    targets: Mapping[str, frozenset[str]]
    broken: tuple[BrokenLink, ...]
    anchored: tuple[BrokenLink, ...]
    addresses: Mapping[str, tuple[Link, ...]]

    def reached_from(self, start: Collection[str]) -> frozenset[str]:
        """Return the notes that links lead to from those in `start`, through catalog and notes alike."""
        found = set(start)
        waiting = list(found)
        while waiting:
            for target in self.targets.get(waiting.pop(), ()):
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return frozenset(found)


def map_links(tree: Tree, notes: Mapping[str, Note | Unreadable]) -> LinkMap:
    """Return the links of every note of `tree`; those of index and catalog are only followed, not reported."""
    names = {
        note.frontmatter.name: path
        for path, note in notes.items()
        if isinstance(note, Note) and note.frontmatter and note.frontmatter.name
    }
    everything = {*tree.paths(), *tree.oddities()}
    lookup = PathLookup(everything, names=names)
    folders = {folder for path in everything for folder in folders_of(path)}
    targets: dict[str, frozenset[str]] = {}
    broken: list[BrokenLink] = []
    anchored: list[BrokenLink] = []
    addresses: dict[str, list[Link]] = {}
    for path, note in notes.items():
        leads: list[str] = []
        for link, found in _resolved(path, note, lookup):
            leads.extend(found)
            if len(found) == 1 and link.anchor:
                anchored.append(BrokenLink(path, link, found))
            if len(found) == 1 or kind_of(path) in _PAGES or _leaves(path, link, folders) or _is_unused(note, link):
                continue
            if _is_address(path, link, lookup):
                addresses.setdefault(path, []).append(link)
            else:
                broken.append(BrokenLink(path, link, found))
        targets[path] = frozenset(leads)
    told = {path: tuple(links) for path, links in addresses.items()}
    return LinkMap(lookup, targets, tuple(broken), tuple(anchored), told)


def _resolved(path: str, note: Note | Unreadable, lookup: PathLookup) -> Iterator[tuple[Link, tuple[str, ...]]]:
    for link in scan_links(note.text) if isinstance(note, Note) else ():
        yield link, candidates(path, link, lookup)


def _is_unused(note: Note | Unreadable, link: Link) -> bool:
    """Whether a link is a definition that nothing in its note refers to, which renders as nothing."""
    label = f"[{link.text}]".casefold()
    if not isinstance(note, Note) or not note.lines[link.line].lstrip("\ufeff >").casefold().startswith(f"{label}:"):
        return False
    text = note.text.casefold()
    return text.count(label) == text.count(f"{label}:")


def _is_address(path: str, link: Link, lookup: PathLookup) -> bool:
    """Whether a link is what a site that gives each note a folder of its own would call another note."""
    if link.kind != "markdown" or not link.target.endswith("/") or link.target.startswith("/"):
        return False
    folder, _, name = path.rpartition("/")
    at = folder if name.lower() in {"index.md", "readme.md"} else path[: -len(".md")]
    page = posixpath.normpath(posixpath.join(at, link.target))
    return any(file in lookup for file in (f"{page}.md", f"{page}/index.md"))


def _leaves(path: str, link: Link, folders: Collection[str]) -> bool:
    """Whether a link is about something that is no note: another site, this very note, or a folder that exists."""
    if is_external(link) or not link.target:
        return True
    parts = [] if link.target.startswith("/") else path.split("/")[:-1]
    for part in link.target.split("/"):
        if part == "..":
            if not parts:
                return False  # it is beside the memory, whatever a folder of the memory is called
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return not parts or "/".join(parts) in folders

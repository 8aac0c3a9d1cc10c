"""Where a link leads: to a note and a place in it, to a folder, out of the memory, to one of several, or nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import NamedTuple
from urllib.parse import unquote

from dream.memory.links.anchors import Anchors, find_anchors
from dream.memory.links.notation import Link, PathLookup, candidates, is_external, names_linked_to, scan_links
from dream.memory.notes import Note, NoteCache
from dream.memory.paths import Kind, kind_of
from dream.memory.tree import Tree


class Leading(StrEnum):
    """What following a link comes to."""

    LEADS = auto()
    NOTE_DANGLES = auto()
    ANCHOR_DANGLES = auto()
    AMBIGUOUS = auto()
    EXTERNAL = auto()
    FOLDER = auto()


DANGLING = frozenset({Leading.NOTE_DANGLES, Leading.ANCHOR_DANGLES})
"""Both ways in which a link leads nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """What following a link comes to, and the files that it may mean: one where it leads or only its anchor dangles."""

    leading: Leading
    paths: tuple[str, ...] = ()


class Destinations:
    """Follows links of any tree; what was read of a note is kept by blob id for a whole night."""

    def __init__(self, notes: NoteCache) -> None:
        """Read notes through `notes`; nothing is read before the first question."""
        self._notes = notes
        self._links: dict[str, tuple[Link, ...]] = {}
        self._names_in: dict[str, frozenset[str]] = {}
        self._anchors: dict[str, Anchors | None] = {}
        self._called: dict[str, str] = {}
        self._lookups: list[_Known] = []

    def find(self, tree: Tree, path: str, link: Link) -> Destination:
        """Return where `link` in the note at `path` of `tree` leads.

        A link out of the memory's folder counts as external: what stands there is not the memory's to read. An anchor
        in a file that is no readable note is taken as it is.
        """
        if is_external(link):
            return Destination(leading=Leading.EXTERNAL)
        if not link.target and not link.anchor:
            return Destination(leading=Leading.LEADS, paths=(path,))
        found = candidates(path, link, self.lookup(tree) if link.kind == "wiki" else PathLookup(_Paths(tree)))
        if not found:
            return Destination(leading=_without_note(tree, path, link))
        if len(found) > 1:
            return Destination(leading=Leading.AMBIGUOUS, paths=found)
        anchors = self.anchors(tree, found[0]) if link.anchor else None
        leads = anchors is None or anchors.find(link.anchor, is_wiki=link.kind == "wiki") is not None
        return Destination(leading=Leading.LEADS if leads else Leading.ANCHOR_DANGLES, paths=found)

    def links(self, tree: Tree, path: str) -> tuple[Link, ...]:
        """Return the links of the note at `path`; none where it cannot be read."""
        blob = tree.blob(path) or ""
        if blob not in self._links:
            note = self._notes.note(tree, path)
            self._links[blob] = scan_links(note.text) if isinstance(note, Note) else ()
        return self._links[blob]

    def names_in(self, tree: Tree, path: str) -> frozenset[str]:
        """Return the loose names of what the note at `path` may link to, and some too many, at little cost."""
        blob = tree.blob(path) or ""
        if blob not in self._names_in:
            note = self._notes.note(tree, path)
            self._names_in[blob] = names_linked_to(note.text) if isinstance(note, Note) else frozenset()
        return self._names_in[blob]

    def anchors(self, tree: Tree, path: str) -> Anchors | None:
        """Return what can be linked to in the note at `path`; None where it is no note that can be read."""
        blob = tree.blob(path)
        if blob is None or kind_of(path) is Kind.ASSET:
            return None
        if blob not in self._anchors:
            note = self._notes.note(tree, path)
            self._anchors[blob] = find_anchors(note.text) if isinstance(note, Note) else None
        return self._anchors[blob]

    def name(self, tree: Tree, path: str) -> str:
        """Return what the note at `path` says in its frontmatter that it is called; empty where it does not."""
        blob = tree.blob(path) or ""
        if blob not in self._called:
            note = self._notes.note(tree, path)
            self._called[blob] = note.frontmatter.name if isinstance(note, Note) and note.frontmatter else ""
        return self._called[blob]

    def lookup(self, tree: Tree) -> PathLookup:
        """Return the paths of `tree`, with the names that notes give themselves."""
        for known in self._lookups:
            if known.tree is tree:
                return known.lookup
        paths = (*tree.paths(), *tree.oddities())
        blobs = [tree.blob(path) for path in paths]
        for known in self._lookups:
            lookup = self._derived(tree, paths, blobs, known)
            if lookup is not None:
                return self._keep(_Known(tree, paths, blobs, lookup))
        names = {name: path for path in reversed(paths) if (name := self._name_at(tree, path))}
        return self._keep(_Known(tree, paths, blobs, PathLookup(frozenset(paths), names=names)))

    def _derived(
        self, tree: Tree, paths: Sequence[str], blobs: Sequence[str | None], known: _Known
    ) -> PathLookup | None:
        """Return the lookup of `tree` where it is a known one, but for notes that are gone."""
        old = dict(zip(known.paths, known.blobs, strict=True))
        gone = old.keys() - set(paths)
        if len(paths) + len(gone) != len(known.paths) or any(self._name_at(known.tree, one) for one in gone):
            return None
        told = (path for path, blob in zip(paths, blobs, strict=True) if blob != old[path])
        if any(self._name_at(tree, path) != self._name_at(known.tree, path) for path in told):
            return None
        return known.lookup.without(gone) if gone else known.lookup

    def _name_at(self, tree: Tree, path: str) -> str:
        return "" if kind_of(path) in _NAMELESS else self.name(tree, path)

    def _keep(self, known: _Known) -> PathLookup:
        self._lookups = [known, *self._lookups[: _KEPT - 1]]
        return known.lookup


class _Known(NamedTuple):
    """A tree that was asked about, and the lookup that serves every tree of the same paths and names."""

    tree: Tree
    paths: tuple[str, ...]
    blobs: list[str | None]
    lookup: PathLookup


_KEPT = 4


class _Paths(AbstractSet[str]):
    """The files of a tree, of which most questions are about one: listed only where that is asked for."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._odd = tree.oddities()

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and (self._tree.blob(path) is not None or path in self._odd)

    def __iter__(self) -> Iterator[str]:
        yield from self._tree.paths()
        yield from self._odd

    def __len__(self) -> int:
        return len(self._tree.paths()) + len(self._odd)


_NAMELESS = frozenset({Kind.ASSET, Kind.DOT, Kind.INDEX, Kind.CATALOG})


def _without_note(tree: Tree, path: str, link: Link) -> Leading:
    """Tell folders and what is outside of the memory from what is not there."""
    if link.kind == "wiki":
        return Leading.NOTE_DANGLES
    parts = [] if link.target.startswith("/") else path.split("/")[:-1]
    for part in unquote(link.target).split("/"):
        if part == "..":
            if not parts:
                return Leading.EXTERNAL
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    inside = "/".join(parts)
    is_folder = not parts or any(other.startswith(f"{inside}/") for other in tree.paths())
    return Leading.FOLDER if is_folder else Leading.NOTE_DANGLES

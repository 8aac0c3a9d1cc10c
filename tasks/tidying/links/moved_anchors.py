"""Where a heading or a block that a link names stands now, if words or place changed since tidy last saw them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from dream.memory.links.anchors import Anchors, Heading
from dream.memory.links.destinations import Destinations
from dream.memory.links.notation import Link
from dream.memory.notes import Note, NoteCache
from dream.memory.paths import is_topic
from dream.memory.tree import Tree
from tasks.tidying.freshness import origins

_UNWRITTEN = frozenset("[]|#^\n")


class Aim(NamedTuple):
    """What a link should be written to lead to; `anchor` None keeps the one that it has."""

    path: str
    anchor: str | None = None


class MovedAnchors:
    """Compares the notes of `tree` with those of the `landed` one, as far as links ask for it."""

    def __init__(self, tree: Tree, notes: NoteCache, *, landed: Tree, renames: Mapping[str, str]) -> None:
        """Take `renames` from the paths in `landed` to those in `tree`; nothing is read before the first question."""
        self._tree = tree
        self._landed = landed
        self._notes = notes
        self._origins = origins(renames, landed)
        self._destinations = Destinations(notes)

    def find(self, path: str, link: Link, *, origin: str = "") -> Aim | None:
        """Return where the anchor of `link`, which leads to the note at `path`, stands now.

        That is the one heading of that note that is new and whose section says what the section said, else the one in
        any other note that changed; a block or a named place is found by its name, in the one note that has it newly.
        `origin` is where the note stood that `link` was written for. None where nobody can tell, or nothing moved.
        """
        before = self._destinations.anchors(self._landed, origin or self._origins.get(path, path))
        is_wiki = link.kind == "wiki"
        if before is None or before.find(link.anchor, is_wiki=is_wiki) is None:
            return None
        heading = before.heading(link.anchor, is_wiki=is_wiki)
        if heading is None:
            return self._named(path, link.anchor)
        said = _said(self._landed, self._notes, origin or self._origins.get(path, path), heading)
        if not said:
            return None
        here = [(path, one) for one in self._new(path, before) if _said(self._tree, self._notes, path, one) == said]
        found = here or [(other, one) for other, one in self._elsewhere if self._moved(other, one, path, said)]
        if len(found) != 1:
            return None
        ((to, one),) = found
        return Aim(to, _written(one, is_wiki=is_wiki))

    @cached_property
    def lost(self) -> frozenset[str]:
        """The notes that have lost something that a link could name; elsewhere nothing can have moved."""
        found: set[str] = set()
        for path in self._changed:
            before = self._destinations.anchors(self._landed, self._origins.get(path, path))
            now = self._destinations.anchors(self._tree, path)
            if before is not None and not before.names <= (now.names if now else frozenset()):
                found.add(path)
        return frozenset(found)

    @cached_property
    def called(self) -> frozenset[str]:
        """What those notes call themselves."""
        return frozenset(name for path in self.lost if (name := self._destinations.name(self._tree, path)))

    def leads(self, path: str, link: Link) -> bool:
        """Whether the note at `path` has what the anchor of `link` names; one that cannot be read has all."""
        now = self._destinations.anchors(self._tree, path) if link.anchor else None
        return now is None or now.find(link.anchor, is_wiki=link.kind == "wiki") is not None

    def _new(self, path: str, before: Anchors) -> Iterator[Heading]:
        now = self._destinations.anchors(self._tree, path)
        return (one for one in (now.headings if now else ()) if one.slug not in before.names)

    def _moved(self, other: str, heading: Heading, path: str, said: tuple[str, ...]) -> bool:
        return other != path and _said(self._tree, self._notes, other, heading) == said

    def _named(self, path: str, name: str) -> Aim | None:
        """Return the one note that has the place called `name` and did not have it before."""
        found = [
            other
            for other in self._changed
            if other != path and _names(self._destinations, self._tree, other, name)
            if not _names(self._destinations, self._landed, self._origins.get(other, other), name)
        ]
        return Aim(found[0]) if len(found) == 1 else None

    @cached_property
    def _changed(self) -> tuple[str, ...]:
        paths = (path for path in self._tree.paths() if is_topic(path))
        return tuple(path for path in paths if self._tree.blob(path) != self._landed.blob(path))

    @cached_property
    def _elsewhere(self) -> tuple[tuple[str, Heading], ...]:
        """The headings of changed notes that these did not have before."""
        found: list[tuple[str, Heading]] = []
        for path in self._changed:
            before = self._destinations.anchors(self._landed, self._origins.get(path, path))
            now = self._destinations.anchors(self._tree, path)
            old = before.names if before else frozenset()
            found += [(path, one) for one in (now.headings if now else ()) if one.slug not in old]
        return tuple(found)


def _names(destinations: Destinations, tree: Tree, path: str, name: str) -> bool:
    anchors = destinations.anchors(tree, path)
    return anchors is not None and name in anchors.named


def _said(tree: Tree, notes: NoteCache, path: str, heading: Heading) -> tuple[str, ...]:
    """What stands under a heading, without blanks at the ends of lines and blank lines."""
    note = notes.note(tree, path)
    lines = note.lines[heading.body : heading.end] if isinstance(note, Note) else ()
    return tuple(stripped for line in lines if (stripped := line.strip()))


def _written(heading: Heading, *, is_wiki: bool) -> str:
    return heading.slug if not is_wiki or _UNWRITTEN.intersection(heading.text) else heading.text

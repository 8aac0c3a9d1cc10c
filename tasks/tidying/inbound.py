"""Which notes link to a note, found without reading them all as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from dream.memory.links.notation import PathLookup, loose_name, resolve, scan_links
from dream.memory.notes import Note
from dream.memory.paths import HOLDING, Kind, kind_of
from dream.memory.tree import Tree

_TARGETS = re.compile(r"(?:\]\(\s{0,4}<?|\]:\s{0,4}<?|\[\[)([^)\]>|#\n\"]{1,300})")


class Inbound:
    """Who links to whom in a tree, also as it changes: what may link to a name is found in the first tree alone."""

    def __init__(self, read: Callable[[str], Note | None]) -> None:
        """Have notes from `read`, None for those that do not count."""
        self._read = read
        self._looked_up: tuple[Tree, PathLookup] | None = None
        self._by_target: Mapping[str, Sequence[str]] | None = None

    def to(self, path: str, tree: Tree) -> frozenset[str]:
        """Return the notes of `tree` that link to the one at `path`, itself, index and catalog apart."""
        near = self._targets(tree).get(loose_name(path), ())
        lookup = self._lookup(tree) if near else None
        if lookup is None:
            return frozenset()
        return frozenset(other for other in near if other != path and self._links(other, path, lookup))

    def _links(self, other: str, path: str, lookup: PathLookup) -> bool:
        note = self._read(other)
        return note is not None and any(resolve(other, link, lookup) == path for link in scan_links(note.text))

    def _lookup(self, tree: Tree) -> PathLookup:
        if self._looked_up is None or self._looked_up[0] is not tree:
            self._looked_up = (tree, PathLookup(frozenset(notes_of(tree))))
        return self._looked_up[1]

    def _targets(self, tree: Tree) -> Mapping[str, Sequence[str]]:
        """The notes with something like a link to a name."""
        if self._by_target is None:
            found: dict[str, list[str]] = {}
            for path in notes_of(tree):
                if kind_of(path) not in {Kind.INDEX, Kind.CATALOG} and (note := self._read(path)) is not None:
                    targets = _TARGETS.findall(note.text)
                    for name in {loose_name(part) for target in targets for part in (target, *target.split()[:1])}:
                        found.setdefault(name, []).append(path)
            self._by_target = found
        return self._by_target


def notes_of(tree: Tree) -> list[str]:
    """Return the paths of the Markdown files of a tree."""
    return [path for path in tree.paths() if path.lower().endswith(".md")]


def is_held(linking: frozenset[str]) -> bool:
    """Whether one of the notes that link to a note is a daily note, a preference or a learning."""
    return any(kind_of(other) in HOLDING for other in linking)

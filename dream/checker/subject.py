"""A memory as the rules see it: read once, asked by each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from dream.checker.limits import CheckLimits
from dream.checker.link_map import LinkMap, map_links
from dream.checker.pins import Asking
from dream.memory.layouts import Layout, index_path, layout_of
from dream.memory.limits import IndexLimits
from dream.memory.notes import Note, NoteCache, Unreadable
from dream.memory.paths import FLOW_FOLDER, Kind, is_topic, kind_of
from dream.memory.tree import Tree

_NO_NOTES = frozenset({Kind.ASSET, Kind.DOT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One memory: its files, its notes by path, how it is laid out, where its links lead, and how much is too much.

    Without a day in `today` no rule about age holds. `asking` is what its organisation can ask of its systems.
    `foreign` are files of the flow that somebody else changed last, each with the commit.
    """

    tree: Tree
    cache: NoteCache
    notes: Mapping[str, Note | Unreadable]
    layout: Layout
    links: LinkMap
    index: IndexLimits
    limits: CheckLimits = field(default_factory=CheckLimits)
    today: date | None = None
    asking: Asking | None = None
    foreign: Mapping[str, str] = field(default_factory=dict)

    @property
    def index_path(self) -> str:
        """The file that agents load first."""
        return index_path(self.tree)

    @property
    def topics(self) -> Mapping[str, Note]:
        """The topic notes that can be read, the index of five files left out."""
        return {
            path: note
            for path, note in self.notes.items()
            if isinstance(note, Note) and is_topic(path) and path != self.index_path
        }


def read_subject(
    tree: Tree,
    cache: NoteCache,
    index: IndexLimits,
    *,
    limits: CheckLimits | None = None,
    today: date | None = None,
    asking: Asking | None = None,
    foreign: Mapping[str, str] = MappingProxyType({}),
) -> Subject:
    """Return `tree` with every note of it read."""
    notes = {
        path: cache.note(tree, path)
        for path in tree.paths()
        if kind_of(path) not in _NO_NOTES and not path.startswith(FLOW_FOLDER)
    }
    layout = layout_of(tree)
    return Subject(
        tree=tree,
        cache=cache,
        notes=notes,
        layout=layout,
        links=map_links(tree, notes),
        index=index,
        limits=limits or CheckLimits(),
        today=today,
        asking=asking,
        foreign=foreign,
    )

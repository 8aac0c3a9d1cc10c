"""No night leaves a dangling link in what it writes, or where it takes away what was linked to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from dream.memory.applying import apply_operation
from dream.memory.links.destinations import DANGLING, Destinations, Leading
from dream.memory.links.notation import Link, is_external, loose_name
from dream.memory.notes import Note, NoteCache
from dream.memory.operations import Guard, Proposal, Refusal
from dream.memory.paths import Kind, kind_of
from dream.memory.tree import OverlayTree, Tree

_READ = frozenset({Kind.TOPIC, Kind.DAILY, Kind.PREFERENCE, Kind.LEARNING, Kind.INDEX})
_ITEM = re.compile(r"[ \t]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]")


class _Place(NamedTuple):
    path: str
    line: int


class DanglingGuard:
    """Refuses an operation after which a link leads nowhere that did not before, with `dangling-link`.

    A link that it writes must lead to a note and a place in it, or have dangled before in a line that it replaces. What
    it takes away, a note or an anchor of one, must not be linked to any more once the rest of its item is done. Links
    in `archive/`, in the catalog and in the index's own lines do not hold anything back: the first are of what was, the
    others are made afresh.
    """

    def __init__(self, notes: NoteCache, destinations: Destinations, *, others: Sequence[Guard] = ()) -> None:
        """Ask `destinations`, one for the whole night; what follows in an item counts as far as `others` let it."""
        self._notes = notes
        self._others = others
        self._destinations = destinations

    def __call__(self, proposal: Proposal) -> Refusal | None:
        """Refuse with the place of the first link that would lead nowhere."""
        place = self._first(proposal)
        if place is not None and proposal.following:
            place = self._first(replace(proposal, after=self._with_following(proposal)))
        return None if place is None else Refusal("dangling-link", f"{place.path}:{place.line + 1} would lead nowhere")

    def _first(self, proposal: Proposal) -> _Place | None:
        return next(self._written(proposal), None) or next(self._left(proposal), None)

    def _with_following(self, proposal: Proposal) -> Tree:
        tree = proposal.after
        for operation in proposal.following:
            files = apply_operation(tree, operation)
            if isinstance(files, Refusal):
                continue
            after = OverlayTree(tree, files)
            step = replace(
                proposal, operation=operation, before=tree, after=after, touched=frozenset(files), following=()
            )
            if next(self._written(step), None) is None and not any(guard(step) for guard in self._others):
                tree = after
        return tree

    def _written(self, proposal: Proposal) -> Iterator[_Place]:
        """Yield the links in new lines that lead nowhere and did not where they stood before, if they did."""
        for path in sorted(proposal.touched):
            for link in self._fresh(proposal.before, proposal.after, path):
                if self._is_broken(proposal, path, link):
                    yield _Place(path, link.line)

    def _is_broken(self, proposal: Proposal, path: str, link: Link) -> bool:
        leading = self._destinations.find(proposal.after, path, link).leading
        is_outside = leading is Leading.EXTERNAL and not is_external(link)
        if leading not in DANGLING and not is_outside:
            return False
        led = self._led(proposal, link)
        return Leading.LEADS in led if led else not is_outside

    def _fresh(self, before: Tree, after: Tree, path: str) -> Iterator[Link]:
        """Yield the links of `path` in `after` on lines that it does not have in `before`, or not as often."""
        note = self._notes.note(after, path)
        links = self._links_of(after, path)
        if links and isinstance(note, Note):
            fresh = _lines(self._notes, after, path) - _lines(self._notes, before, path)
            yield from (link for link in links if note.lines[link.line] in fresh)

    def _led(self, proposal: Proposal, link: Link) -> frozenset[Leading]:
        """What links written like `link` came to before, in lines that are gone after."""
        return frozenset(
            self._destinations.find(proposal.before, path, other).leading
            for path in proposal.touched
            for other in self._fresh(proposal.after, proposal.before, path)
            if (other.kind, other.target, other.anchor) == (link.kind, link.target, link.anchor)
        )

    def _left(self, proposal: Proposal) -> Iterator[_Place]:
        """Yield the links elsewhere, and in lines that stay, that led to what is gone."""
        lost = frozenset(path for path in proposal.touched if self._loses(proposal, path))
        if not lost:
            return
        forms = {form for path in lost for form in self._forms(proposal.before, path)}
        for path in proposal.after.paths():
            if kind_of(path) not in _READ:
                continue
            if path not in lost and forms.isdisjoint(self._destinations.names_in(proposal.after, path)):
                continue
            for link in self._links_of(proposal.after, path):
                if self._is_left(proposal, path, link, lost) and not self._is_afresh(proposal.after, path, link):
                    yield _Place(path, link.line)

    def _is_left(self, proposal: Proposal, path: str, link: Link, lost: frozenset[str]) -> bool:
        before = self._destinations.find(proposal.before, path, link)
        if before.leading in DANGLING or lost.isdisjoint(before.paths):
            return False
        return self._destinations.find(proposal.after, path, link).leading in DANGLING

    def _loses(self, proposal: Proposal, path: str) -> bool:
        """Whether the note at `path` goes, or an anchor of it."""
        if proposal.before.blob(path) is None:
            return False
        if proposal.after.blob(path) is None:
            return True
        before = self._destinations.anchors(proposal.before, path)
        after = self._destinations.anchors(proposal.after, path)
        return before is not None and after is not None and not before.names <= after.names

    def _forms(self, tree: Tree, path: str) -> Iterator[str]:
        yield loose_name(path)
        yield loose_name(self._destinations.name(tree, path))

    def _is_afresh(self, tree: Tree, path: str, link: Link) -> bool:
        note = self._notes.note(tree, path) if kind_of(path) is Kind.INDEX else None
        return isinstance(note, Note) and _ITEM.match(note.lines[link.line]) is not None

    def _links_of(self, tree: Tree, path: str) -> tuple[Link, ...]:
        return self._destinations.links(tree, path) if kind_of(path) in _READ else ()


def _lines(notes: NoteCache, tree: Tree, path: str) -> Counter[str]:
    note = notes.note(tree, path)
    return Counter(note.lines) if isinstance(note, Note) else Counter()

"""Which notes the parts that the night must not edit link to: what they point at has to stay where it is."""

from __future__ import annotations

from dream.memory.links.notation import Link, PathLookup, candidates, loose_name, scan_links
from dream.memory.notes import Note, NoteCache
from dream.memory.operations import Merge, Move, Proposal, Refusal, Remove
from dream.memory.paths import HOLDING, kind_of
from dream.memory.tree import Tree


class LinkedNotes:
    """Answers which notes are linked from `daily/`, `preferences/` and `learnings/`; links are kept by blob id."""

    def __init__(self, notes: NoteCache) -> None:
        """Read notes through `notes`; nothing is read before the first question."""
        self._notes = notes
        self._links: dict[str, tuple[Link, ...]] = {}

    def linking_note(self, tree: Tree, path: str) -> str | None:
        """Return a note that no task may edit and that links, or may link, to `path`; None where there is none."""
        names = self._names(tree, path)
        forms = {loose_name(name) for name in (*names, path)}
        lookup: PathLookup | None = None
        for note in tree.paths():
            if kind_of(note) not in HOLDING or note == path:
                continue
            for link in self._links_of(tree, note):
                if loose_name(link.target) not in forms:
                    continue
                lookup = lookup or PathLookup(tree.paths(), names=dict.fromkeys(names, path))
                if path in candidates(note, link, lookup):
                    return note
        return None

    def _names(self, tree: Tree, path: str) -> tuple[str, ...]:
        note = self._notes.note(tree, path)
        front = note.frontmatter if isinstance(note, Note) else None
        return (front.name,) if front and front.name else ()

    def _links_of(self, tree: Tree, note: str) -> tuple[Link, ...]:
        blob = tree.blob(note) or ""
        if blob not in self._links:
            read = self._notes.note(tree, note)
            self._links[blob] = scan_links(read.text) if isinstance(read, Note) else ()
        return self._links[blob]


class LinkGuard:
    """Refuses to merge away or move a note that `daily/`, `preferences/` or `learnings/` link to."""

    def __init__(self, linked: LinkedNotes) -> None:
        """Ask `linked`, one for the whole night."""
        self._linked = linked

    def __call__(self, proposal: Proposal) -> Refusal | None:
        """Refuse with `linked-note`: of two notes the linked one survives, and where both are, neither goes."""
        if not isinstance(proposal.operation, Merge | Move) and not _empties(proposal):
            return None
        for path in sorted(proposal.touched):
            if proposal.before.blob(path) is None or proposal.after.blob(path) is not None:
                continue
            by = self._linked.linking_note(proposal.before, path)
            if by:
                return Refusal("linked-note", f"{path} is linked from {by}")
        return None


def _empties(proposal: Proposal) -> bool:
    """Whether a note goes that tidy has emptied: nothing has shown it to be wrong."""
    return isinstance(proposal.operation, Remove) and proposal.task == "tidy"

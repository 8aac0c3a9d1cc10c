"""The memory as it will stand after what was proposed so far tonight: each nomination is decided on that."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from dream.memory.applying import apply_operation
from dream.memory.notes import Entry, Note, NoteCache
from dream.memory.operations import Operation, Refusal
from dream.memory.paths import is_topic
from dream.memory.tree import OverlayTree, Tree
from tasks.duplicates import name_of
from tasks.tidying.inbound import Inbound, is_held
from tasks.tidying.nominations import Place
from tasks.tidying.places import place_in


class Stage:
    """The notes of a memory with tonight's operations, and who links to whom in it."""

    def __init__(self, tree: Tree, notes: NoteCache) -> None:
        """Start with `tree` as it is."""
        self.base = tree
        self.tree: Tree = tree
        self._notes = notes
        self._files: dict[str, bytes | None] = {}
        self._inbound = Inbound(self.note)
        self.names = frozenset(filter(None, (name_of(path) for path in tree.paths() if is_topic(path))))

    def take(self, operations: Iterable[Operation]) -> bool:
        """Take `operations` one after the other; nothing of them where one does not apply."""
        files, tree = dict(self._files), self.tree
        for operation in operations:
            changed = apply_operation(tree, operation)
            if isinstance(changed, Refusal):
                return False
            files.update(changed)
            tree = OverlayTree(self.base, files)
        self._files, self.tree = files, tree
        return True

    def mark(self) -> Mapping[str, bytes | None]:
        """Return what `back_to` needs to be as it is now."""
        return dict(self._files)

    def back_to(self, mark: Mapping[str, bytes | None]) -> None:
        """Be as it was at `mark`."""
        self._files = dict(mark)
        self.tree = OverlayTree(self.base, self._files)

    def note(self, path: str) -> Note | None:
        """Return the note at `path` as it stands by now; None where there is none that may be edited."""
        note = self._notes.note(self.tree, path) if self.tree.blob(path) is not None else None
        return note if isinstance(note, Note) and not note.broken else None

    def place(self, place: Place) -> Place | None:
        """Return `place` as it stands by now; None where it says something else, or nothing any more."""
        note = self.note(place.path)
        if note is None:
            return None
        if place.entry is None:
            return Place(path=place.path, note=note) if note.text == place.note.text else None
        same = [entry for entry in note.entries if entry.key == place.entry.key]
        at = place.entry.start
        nearest = min(same, key=lambda entry: abs(entry.start - at), default=None)
        return place_in(place.path, note, nearest) if nearest else None

    def blob(self, path: str) -> str:
        """Return the blob id of the note at `path`."""
        return self.tree.blob(path) or ""

    def linking(self, path: str) -> frozenset[str]:
        """Return the notes that link to the one at `path`, itself, index and catalog apart."""
        return self._inbound.to(path, self.tree)

    def is_protected(self, path: str) -> bool:
        """Whether a daily note, a preference or a learning links to `path`."""
        return is_held(self.linking(path))


def digest_of(text: str) -> str:
    """Return a short hash of `text`, the same every night."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def only_statement(note: Note, entry: Entry) -> bool:
    """Whether a note holds this entry and headings, and nothing else."""
    return (
        len(note.entries) == 1
        and note.frontmatter is None
        and all(line.startswith("#") for line in note.other)
        and (note.entries[0].key == entry.key)
    )

"""Which files an operation may touch at all, and under which names it may make new ones."""

from __future__ import annotations

from collections.abc import Iterable

from dream.guards.ownership import is_flow_file
from dream.memory.notes import Note, NoteCache, Unreadable
from dream.memory.operations import Move, Proposal, Refusal
from dream.memory.paths import CATALOG, INDEX, fold, folders_of, is_creatable
from dream.memory.tree import Tree

_RESERVED = (INDEX, CATALOG)


class PathGuard:
    """Refuses names the night may not make, files it leaves alone, and notes that it cannot read back."""

    def __init__(self, notes: NoteCache) -> None:
        """Read notes through `notes`, which keeps them by blob id."""
        self._notes = notes
        self._names = _Names()

    def __call__(self, proposal: Proposal) -> Refusal | None:
        """Refuse with `left-alone`, `path-not-allowed`, `path-collision`, `withheld-note` or `unreadable-result`."""
        touched = sorted(proposal.touched)
        created = [path for path in touched if _is_created(path, proposal)]
        doubtful = self._names.doubtful(created, proposal)
        return (
            _left_alone(touched, proposal.before)
            or _bad_name([path for path in created if not _keeps_name(path, proposal)])
            or _collision(doubtful, proposal.before)
            or self._unreadable_before(touched, proposal.before)
            or self._unreadable_after(touched, proposal)
        )

    def _unreadable_before(self, touched: list[str], before: Tree) -> Refusal | None:
        for path in touched:
            if is_flow_file(path) or before.blob(path) is None:
                continue
            trouble = unreadable(self._notes.note(before, path))
            if trouble:
                return Refusal("withheld-note", f"{path}: {trouble}")
        return None

    def _unreadable_after(self, touched: list[str], proposal: Proposal) -> Refusal | None:
        for path in touched:
            if is_flow_file(path) or proposal.after.blob(path) is None:
                continue
            trouble = unreadable(self._notes.note(proposal.after, path))
            if trouble and not trouble.startswith("over "):  # the size has a rule of its own
                return Refusal("unreadable-result", f"{path}: {trouble}")
        return None


class _Names:
    """Every spelling of a file or folder that was seen, so that a plain new name is settled without the whole tree."""

    def __init__(self) -> None:
        self._files: dict[str, set[str]] = {fold(name): {name} for name in _RESERVED}
        self._folders: dict[str, set[str]] = {}
        self._is_filled = False

    def doubtful(self, created: Iterable[str], proposal: Proposal) -> list[str]:
        """Return those of `created` that may collide with something, and remember what the proposal touches."""
        doubtful = []
        for path in created:
            if not self._is_filled:
                self._take(proposal.before.paths())
                self._is_filled = True
            if self._may_collide(path):
                doubtful.append(path)
        self._take(proposal.touched)
        return doubtful

    def _may_collide(self, path: str) -> bool:
        form = fold(path)
        if form in self._folders or self._files.get(form, set()) - {path}:
            return True
        return any(
            fold(folder) in self._files or self._folders.get(fold(folder), set()) - {folder}
            for folder in folders_of(path)
        )

    def _take(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._files.setdefault(fold(path), set()).add(path)
            for folder in folders_of(path):
                self._folders.setdefault(fold(folder), set()).add(folder)


def unreadable(note: Note | Unreadable) -> str:
    """Return why a note is reported and left alone, empty where it may be edited.

    Broken frontmatter counts: no edit is safe in a file whose parts cannot be told apart, not even a repaired link.
    """
    if isinstance(note, Unreadable):
        return note.reason
    return f"frontmatter: {note.broken}" if note.broken else ""


def _is_created(path: str, proposal: Proposal) -> bool:
    return proposal.before.blob(path) is None and proposal.after.blob(path) is not None


def _keeps_name(path: str, proposal: Proposal) -> bool:
    """Whether a retired note keeps the name that its writer gave it, however odd: only `archive/` stands before it."""
    operation = proposal.operation
    return isinstance(operation, Move) and operation.span.text is None and path == f"archive/{operation.span.path}"


def _left_alone(touched: list[str], before: Tree) -> Refusal | None:
    oddities = before.oddities()
    for path in touched:
        for place in (path, *folders_of(path)):
            if place in oddities:
                return Refusal("left-alone", f"{place}: {oddities[place]}")
    return None


def _bad_name(created: list[str]) -> Refusal | None:
    for path in created:
        if not is_creatable(path) and not is_flow_file(path):
            return Refusal("path-not-allowed", ascii(path)[1:-1])
    return None


def _collision(created: list[str], before: Tree) -> Refusal | None:
    """Find a file or folder that a file system without case or Unicode form takes for one that is there already."""
    if not created:
        return None
    files = {fold(path): path for path in (*_RESERVED, *before.paths())}
    folders = {fold(folder): folder for path in before.paths() for folder in folders_of(path)}
    for path in created:
        form = fold(path)
        standing = folders.get(form) or (files.get(form) if files.get(form) != path else None)
        for folder in folders_of(path):
            form = fold(folder)
            other = files.get(form) or (folders.get(form) if folders.get(form) != folder else None)
            standing = standing or other
        if standing:
            return Refusal("path-collision", f"{path} beside {ascii(standing)[1:-1]}")
    return None

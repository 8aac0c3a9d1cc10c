"""What of an organisation's memory is alike, kept in its working directory from night to night."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from dream.errors import DreamError
from dream.memory.neighbours.alike import Neighbours
from dream.memory.notes import NoteCache
from dream.memory.tree import Tree
from dream.repository.kept_files import private_folder, replace_file

KEPT = "neighbours"
_MOST_BYTES = 1_000_000_000


def neighbours_of(home: Path, tree: Tree, notes: NoteCache) -> Neighbours:
    """Return what is alike in `tree`; only notes that no earlier night read are read, and what was read is kept.

    `home` is the organisation's own folder. What is kept there can be made again: where it cannot be read it is, and
    where it cannot be written the next night reads every note.
    """
    neighbours = Neighbours.load(_read(home / KEPT))
    neighbours.take(tree, notes, tree.paths())
    if neighbours.is_news:
        with suppress(DreamError):
            private_folder(home)
            replace_file(home / KEPT, neighbours.dump(), "what is alike", mode=0o600)
    return neighbours


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.stat().st_size <= _MOST_BYTES else b""
    except OSError:
        return b""

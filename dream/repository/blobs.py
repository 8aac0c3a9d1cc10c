"""Bytes by their id, wherever in the history they stood."""

from __future__ import annotations

import pygit2

from dream.repository.failures import reading
from dream.repository.tree_objects import is_object_id


def read_blob(repository: pygit2.Repository, blob: str) -> bytes | None:
    """Return the bytes of a blob, or None where this repository has none of that id."""
    if not is_object_id(blob):
        return None
    with reading(repository, f"blob {blob}"):
        found = repository.get(blob)
        return found.data if isinstance(found, pygit2.Blob) else None

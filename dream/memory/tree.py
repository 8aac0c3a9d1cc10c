"""A memory at one moment: paths and bytes, wherever they are kept."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Tree(Protocol):
    """What can be read of a memory at one moment; paths are relative to the memory's root, with `/`."""

    def paths(self) -> Sequence[str]:
        """Every regular file, sorted by path."""
        ...

    def blob(self, path: str) -> str | None:
        """The git blob id (40 hex) of a regular file, or None where there is none."""
        ...

    def size(self, path: str) -> int:
        """The size of a regular file in bytes; 0 where there is none."""
        ...

    def read(self, path: str) -> bytes | None:
        """The bytes of a regular file, or None where there is none."""
        ...

    def oddities(self) -> Mapping[str, str]:
        """Paths that are left alone, each with why: `symlink`, `submodule`, `name is not UTF-8`."""
        ...


def blob_id(data: bytes) -> str:
    """Return the id that git gives to a blob of these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


class MappingTree:
    """A tree of bytes held in a mapping."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """Take a copy of `files`."""
        self._files = dict(sorted(files.items()))

    def paths(self) -> Sequence[str]:
        """Every file, sorted."""
        return list(self._files)

    def blob(self, path: str) -> str | None:
        """The git blob id of a file."""
        data = self._files.get(path)
        return None if data is None else blob_id(data)

    def size(self, path: str) -> int:
        """The size of a file in bytes."""
        return len(self._files.get(path, b""))

    def read(self, path: str) -> bytes | None:
        """The bytes of a file."""
        return self._files.get(path)

    def oddities(self) -> Mapping[str, str]:
        """Nothing: a mapping holds regular files only."""
        return {}


class OverlayTree:
    """A tree with some files written over (bytes) or taken away (None)."""

    def __init__(self, base: Tree, changes: Mapping[str, bytes | None]) -> None:
        """Take `changes` as they are now; both are left alone."""
        self._base = base
        self._changes = dict(changes)
        self._paths: list[str] | None = None

    def paths(self) -> Sequence[str]:
        """Every regular file of the result, sorted."""
        if self._paths is None:
            written = {path for path, data in self._changes.items() if data is not None}
            kept = {path for path in self._base.paths() if path not in self._changes}
            self._paths = sorted(kept | written)
        return self._paths

    def blob(self, path: str) -> str | None:
        """The git blob id of a file."""
        if path in self._changes:
            data = self._changes[path]
            return None if data is None else blob_id(data)
        return self._base.blob(path)

    def size(self, path: str) -> int:
        """The size of a file in bytes."""
        if path in self._changes:
            return len(self._changes[path] or b"")
        return self._base.size(path)

    def read(self, path: str) -> bytes | None:
        """The bytes of a file."""
        if path in self._changes:
            return self._changes[path]
        return self._base.read(path)

    def oddities(self) -> Mapping[str, str]:
        """What the base leaves alone."""
        return self._base.oddities()

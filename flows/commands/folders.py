"""A folder on disk, read as a memory; links are not followed and nothing is written."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dream.errors import FatalError
from dream.memory.tree import blob_id

MOST_ENTRIES = 50_000
_CHUNK = 1 << 20


class FolderTree:
    """The regular files under a folder, `.git` left out; whatever else is there is an oddity.

    So is a folder that is a repository of its own: what is in it is not this memory's.

    Raises FatalError for a folder with more than MOST_ENTRIES entries.
    """

    def __init__(self, folder: Path) -> None:
        """List the folder now; files are read when they are asked for."""
        self._folder = folder
        self._odd: dict[str, str] = {}
        self._sizes: dict[str, int] = {}
        self._blobs: dict[str, str | None] = {}
        for path, size, why in _listed(folder):
            if why:
                self._odd[path] = why
            else:
                self._sizes[path] = size
        self._paths = sorted(self._sizes)

    def paths(self) -> Sequence[str]:
        """Every regular file that can be read, sorted."""
        return self._paths

    def blob(self, path: str) -> str | None:
        """The git blob id of a file."""
        if path not in self._blobs:
            self._blobs[path] = self._hashed(path)
        return self._blobs[path]

    def size(self, path: str) -> int:
        """The size of a file in bytes."""
        return self._sizes.get(path, 0)

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; None for one that is gone."""
        if path not in self._sizes:
            return None
        try:
            return (self._folder / path).read_bytes()
        except OSError:
            return None

    def oddities(self) -> Mapping[str, str]:
        """What is no regular file, or cannot be read, each with why."""
        return dict(sorted(self._odd.items()))

    def _hashed(self, path: str) -> str | None:
        """Return the id that git gives a file, without holding a large one in memory."""
        if path not in self._sizes:
            return None
        if self._sizes[path] <= _CHUNK:
            data = self.read(path)
            return None if data is None else blob_id(data)
        digest = hashlib.sha1(b"blob %d\0" % self._sizes[path], usedforsecurity=False)
        try:
            with (self._folder / path).open("rb") as file:
                while chunk := file.read(_CHUNK):
                    digest.update(chunk)
        except OSError:
            return None
        return digest.hexdigest()


def _listed(folder: Path) -> Iterator[tuple[str, int, str]]:
    """Yield path, size and why it is odd, if it is, of everything under `folder`."""
    count = 0
    waiting = [""]
    while waiting:
        inner = waiting.pop()
        try:
            entries = list(os.scandir(folder / inner))
        except OSError as failure:
            yield inner or ".", 0, f"folder cannot be read: {failure.strerror}"
            continue
        count += len(entries)
        if count > MOST_ENTRIES:
            message = f"{folder} holds more than {MOST_ENTRIES} entries"
            raise FatalError(message, way_out="name the folder that is the memory", path=str(folder))
        if inner and any(entry.name.casefold() == ".git" for entry in entries):
            yield os.fsencode(inner).decode("utf-8", "backslashreplace"), 0, "submodule"
            continue
        for entry in entries:
            if entry.name.casefold() == ".git":
                continue
            path = f"{inner}/{entry.name}" if inner else entry.name
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            else:
                yield _told(path, entry)


def _told(path: str, entry: os.DirEntry[str]) -> tuple[str, int, str]:
    shown = os.fsencode(path).decode("utf-8", "backslashreplace")
    if entry.is_symlink():
        return shown, 0, "symlink"
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as failure:
        return shown, 0, f"cannot be read: {failure.strerror}"
    if not stat.S_ISREG(status.st_mode):
        return shown, 0, "no regular file"
    if shown != path:
        return shown, 0, "name is not UTF-8"
    if not os.access(entry.path, os.R_OK):
        return shown, 0, "cannot be read: no permission"
    return shown, status.st_size, ""

"""A memory as git keeps it: any commit read as a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import pygit2

from dream.errors import FatalError, NotAMemoryError
from dream.repository.failures import broken, reading
from dream.repository.limits import RepositoryLimits
from dream.repository.tree_objects import TreeEntry, TreeObjects, is_folder, is_forbidden_name, is_plain_file, tree_of

_ODD_MODES = {b"120000": "symlink", b"160000": "submodule"}


class _Listing(NamedTuple):
    """What is under one tree object, by path relative to it; `entries` counts folders too."""

    files: tuple[tuple[str, str], ...]
    odd: tuple[tuple[str, str], ...]
    entries: int


_NOTHING = _Listing(files=(), odd=(), entries=0)


class GitTree:
    """The regular files of one commit or tree, under the folder `prefix` alone; nothing is read before it is asked for.

    Everything raises BrokenMirrorError where an object cannot be read; listing raises FatalError for a tree with more
    entries, or deeper, than the limits allow (a few objects can name a billion files), and NotAMemoryError where
    `prefix` is a file.
    """

    def __init__(
        self,
        repository: pygit2.Repository,
        at: str | None,
        prefix: str = "",
        *,
        limits: RepositoryLimits | None = None,
        sibling: GitTree | None = None,
    ) -> None:
        """Read `at`, a commit or tree id, or nothing for None; a `sibling` of the same repository shares its caches."""
        self.prefix = prefix.strip("/")
        self._repository = repository
        self._limits = limits or RepositoryLimits()
        self.objects: TreeObjects = sibling.objects if sibling else TreeObjects(repository)
        self._listings: dict[bytes, _Listing] = sibling._listings if sibling else {}  # noqa: SLF001 - one class
        self._root = None if at is None else tree_of(repository, at)
        self._files: dict[str, str] | None = None
        self._odd: dict[str, str] = {}

    @property
    def tree_id(self) -> str | None:
        """The id of the whole tree, whatever the prefix; None for nothing."""
        return None if self._root is None else self._root.hex()

    def paths(self) -> Sequence[str]:
        """Every regular file, sorted by path."""
        return list(self.blobs())

    def blobs(self) -> Mapping[str, str]:
        """The blob id of every regular file, sorted by path."""
        if self._files is None:
            listing = self._listing()
            self._files = dict(sorted(listing.files))
            self._odd = dict(sorted(listing.odd))
        return MappingProxyType(self._files)

    def blob(self, path: str) -> str | None:
        """The blob id of a regular file, or None where there is none."""
        return self.blobs().get(path)

    def size(self, path: str) -> int:
        """The size of a regular file in bytes, without loading it; 0 where there is none."""
        blob = self.blob(path)
        if blob is None:
            return 0
        with reading(self._repository, f"blob {blob}"):
            _, size = self._repository.odb.read_header(pygit2.Oid(hex=blob))
        return size

    def read(self, path: str) -> bytes | None:
        """The bytes of a regular file, or None where there is none."""
        blob = self.blob(path)
        if blob is None:
            return None
        with reading(self._repository, f"blob {blob}"):
            kind, data = self._repository.odb.read(pygit2.Oid(hex=blob))
        if kind != pygit2.enums.ObjectType.BLOB:
            raise broken(self._repository.path, f"blob {blob}", "it is no blob")
        return data

    def check(self) -> None:
        """Look at the header of every file's content; raises BrokenMirrorError for the first that is missing."""
        read_header, blob = self._repository.odb.read_header, ""
        try:
            for blob in self.blobs().values():
                read_header(pygit2.Oid(hex=blob))
        except (KeyError, pygit2.GitError, OSError) as failure:
            raise broken(self._repository.path, f"blob {blob}", failure) from failure

    def oddities(self) -> Mapping[str, str]:
        """What is no regular file and is left alone, with why."""
        self.blobs()
        return MappingProxyType(self._odd)

    def _listing(self) -> _Listing:
        root = self._root
        if root is None:
            return _NOTHING
        if self.prefix:
            entry = self.objects.find(root, self.prefix)
            if entry is None:
                return _NOTHING
            if not is_folder(entry):
                message = f"{self.prefix} is no folder in the repository"
                raise NotAMemoryError(message, way_out="correct memory.path", path=self.prefix)
            root = entry[2]
        return self._list(root, depth=1)

    def _list(self, oid: bytes, *, depth: int) -> _Listing:
        if (known := self._listings.get(oid)) is not None:
            return known
        if depth > self._limits.tree_depth:
            message = f"folders are nested deeper than {self._limits.tree_depth}"
            raise FatalError(
                message,
                way_out="take them out of the memory, or raise the limit tree_depth",
            )
        entries = self.objects.entries(oid)
        self._check_count(len(entries))
        files, odd, folders = _sort_out(entries)
        count = len(entries)
        for name, folder in folders:
            under = self._list(folder, depth=depth + 1)
            count += under.entries
            self._check_count(count)
            files.extend((f"{name}/{path}", blob) for path, blob in under.files)
            odd.extend((f"{name}/{path}", why) for path, why in under.odd)
        listing = _Listing(files=tuple(files), odd=tuple(odd), entries=count)
        if depth > 1:  # the root changes with every change, so keeping it would keep everything
            self._listings[oid] = listing
        return listing

    def _check_count(self, count: int) -> None:
        if count > self._limits.tree_entries:
            message = f"the tree {self.tree_id} holds more than {self._limits.tree_entries} entries"
            raise FatalError(
                message,
                way_out="take them out of the memory, or raise the limit tree_entries",
                entries=count,
            )


def _sort_out(
    entries: Sequence[TreeEntry],
) -> tuple[list[tuple[str, str]], list[tuple[str, str]], list[tuple[str, bytes]]]:
    """Tell regular files, oddities and folders apart."""
    files: list[tuple[str, str]] = []
    odd: list[tuple[str, str]] = []
    folders: list[tuple[str, bytes]] = []
    twice = _names_there_twice(entries)
    for place, entry in enumerate(entries):
        mode, raw, oid = entry
        try:
            name = raw.decode()
        except UnicodeDecodeError:
            odd.append((raw.decode("utf-8", "backslashreplace"), "name is not UTF-8"))
            continue
        if place in twice:
            odd.append((name, "name is there twice"))
        elif is_forbidden_name(name):
            odd.append((name, "name is forbidden by git"))
        elif is_plain_file(entry):
            files.append((name, oid.hex()))
        elif is_folder(entry):
            folders.append((name, oid))
        else:
            odd.append((name, _ODD_MODES.get(mode, f"mode {mode.decode()}")))
    return files, odd, folders


def _names_there_twice(entries: Sequence[TreeEntry]) -> set[int]:
    """The places of entries whose name stood before."""
    if len({name for _, name, _ in entries}) == len(entries):
        return set()
    first = {name: place for place, (_, name, _) in reversed(list(enumerate(entries)))}
    return {place for place, (_, name, _) in enumerate(entries) if first[name] != place}

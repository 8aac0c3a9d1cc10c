"""When each note last changed, from the history alone, and cheaply when an earlier answer is at hand."""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

import pygit2

from dream.repository.blobs import read_blob
from dream.repository.commits import instant
from dream.repository.failures import reading
from dream.repository.tree_objects import TreeEntry, TreeObjects, is_folder, is_plain_file
from dream.repository.trees import GitTree

_AFTER_SLASH = "0"
"""The character after `/`: what is under `a/` sorts from `a/` up to `a0`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownChanges:
    """An earlier answer: when each path had last changed at `commit`."""

    commit: str
    changed: Mapping[str, datetime]


def last_changes(
    repository: pygit2.Repository,
    head: str,
    paths: Collection[str] | None = None,
    prefix: str = "",
    *,
    known: KnownChanges | None = None,
    alike: Callable[[bytes, bytes], bool] | None = None,
) -> dict[str, datetime]:
    """Return path → committer time of the commit that brought the content it has at `head`; all files for None.

    Changes between versions that are `alike` do not count. With `known` the walk ends where that answer begins; it must
    have been made with the same `alike`.
    """
    tree = GitTree(repository, head, prefix)
    wanted = sorted(tree.blobs() if paths is None else set(paths) & set(tree.blobs()))
    return _Walk(tree, wanted, known, alike).run(head)


@dataclass(frozen=True, slots=True)
class _Commit:
    root: bytes | None
    """The tree under the prefix, None where there is none."""
    parents: tuple[str, ...]
    seconds: int


class _Walk:
    """Carries each path down the parents that have the same blob, newest commits first.

    The order is only for speed: a commit that more paths reach later is looked at again for those.
    """

    def __init__(
        self,
        tree: GitTree,
        wanted: list[str],
        known: KnownChanges | None,
        alike: Callable[[bytes, bytes], bool] | None,
    ) -> None:
        self._objects = TreeObjects(tree.objects.repository)
        self._prefix = tree.prefix
        self._wanted = wanted
        self._known = known
        self._alike = alike
        self._commits: dict[str, _Commit] = {}
        self._pending: dict[str, set[str]] = {}
        self._queue: list[tuple[int, str]] = []
        self._found: dict[str, datetime] = {}

    def run(self, head: str) -> dict[str, datetime]:
        self._hand_to(head, set(self._wanted))
        while self._queue:
            _, commit = heapq.heappop(self._queue)
            self._look_at(commit, self._pending.pop(commit))
        return dict(sorted(self._found.items()))

    def _look_at(self, commit: str, paths: set[str]) -> None:
        if self._known is not None and commit == self._known.commit:
            answered = paths & self._known.changed.keys()
            self._found |= {path: self._known.changed[path] for path in answered}
            paths -= answered
        here = self._commit(commit)
        for parent in here.parents:
            if not paths:
                return
            there = self._commit(parent)
            differing = self._differing(here.root, there.root, paths)
            if self._alike and differing:
                differing = {path for path in differing if not self._is_alike(here.root, there.root, path)}
            paths -= differing
            self._hand_to(parent, paths)
            paths = differing
        if paths:
            self._found |= dict.fromkeys(paths, instant(here.seconds))

    def _hand_to(self, commit: str, paths: set[str]) -> None:
        if not paths:
            return
        if commit in self._pending:
            self._pending[commit] |= paths
        else:
            self._pending[commit] = paths
            heapq.heappush(self._queue, (-self._commit(commit).seconds, commit))

    def _differing(self, new: bytes | None, old: bytes | None, paths: set[str]) -> set[str]:
        """Return those of `paths` that are not the same file in both trees; descends only where one of them is."""
        found: set[str] = set()
        folders: list[tuple[bytes | None, bytes | None, str]] = [(new, old, "")]
        while folders:
            left, right, at = folders.pop()
            if left == right:
                continue
            before, after = _unequal(self._entries(right), self._entries(left))
            for name in before.keys() | after.keys():
                if before.get(name) == after.get(name):
                    continue
                path = at + name.decode("utf-8", "surrogateescape")
                if path in paths:
                    found.add(path)
                under = self._under(path)
                if not under:
                    continue
                ours, theirs = after.get(name), before.get(name)
                if ours and theirs and ours[0] and theirs[0]:
                    folders.append((ours[1], theirs[1], path + "/"))
                else:
                    found.update(paths.intersection(under))
        return found

    def _entries(self, root: bytes | None) -> tuple[TreeEntry, ...]:
        return () if root is None else self._objects.entries(root)

    def _under(self, folder: str) -> list[str]:
        """The wanted paths in a folder."""
        first = bisect_left(self._wanted, folder + "/")
        return self._wanted[first : bisect_left(self._wanted, folder + _AFTER_SLASH)]

    def _is_alike(self, new: bytes | None, old: bytes | None, path: str) -> bool:
        """Whether both trees have the file, in versions that say the same."""
        before, after = self._data(old, path), self._data(new, path)
        return before is not None and after is not None and self._alike is not None and self._alike(before, after)

    def _data(self, root: bytes | None, path: str) -> bytes | None:
        entry = None if root is None else self._objects.find(root, path)
        if entry is None or not is_plain_file(entry):
            return None
        return read_blob(self._objects.repository, entry[2].hex())

    def _commit(self, commit: str) -> _Commit:
        if (known := self._commits.get(commit)) is not None:
            return known
        repository = self._objects.repository
        with reading(repository, f"commit {commit}"):
            found = repository[commit].peel(pygit2.Commit)
        root: bytes | None = found.tree_id.raw
        if self._prefix:
            entry = self._objects.find(found.tree_id.raw, self._prefix)
            root = entry[2] if entry is not None and is_folder(entry) else None
        made = _Commit(root, tuple(str(parent) for parent in found.parent_ids), found.commit_time)
        self._commits[commit] = made
        return made


_Kind = tuple[bool, bytes, bytes]


def _unequal(old: tuple[TreeEntry, ...], new: tuple[TreeEntry, ...]) -> tuple[dict[bytes, _Kind], dict[bytes, _Kind]]:
    """Return the entries of both, by name, without what they begin and end with in common."""
    shorter = min(len(old), len(new))
    start = next((place for place, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), shorter)
    rest = shorter - start
    end = next((place for place, (a, b) in enumerate(zip(reversed(old), reversed(new), strict=False)) if a != b), rest)
    end = min(end, rest)
    return (
        {entry[1]: _kind(entry) for entry in old[start : len(old) - end]},
        {entry[1]: _kind(entry) for entry in new[start : len(new) - end]},
    )


def _kind(entry: TreeEntry) -> _Kind:
    """What makes a file the same: whether it is a folder, its object, and whether it is a regular file at all."""
    mode, _, oid = entry
    folder = is_folder(entry)
    return folder, oid, b"" if folder or is_plain_file(entry) else mode

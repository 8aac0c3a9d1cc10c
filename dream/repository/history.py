"""What happened to a memory: ancestry, changed and renamed paths, and who last wrote one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

from dream.repository.commits import CommitInfo, Identity, read_commit
from dream.repository.failures import reading
from dream.repository.tree_objects import TreeObjects, is_object_id, is_plain_file, tree_of
from dream.repository.trees import GitTree

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class BlobChange:
    """The blob ids of one path before and after; None where there was, or is, no regular file."""

    old: str | None
    new: str | None


def has_commit(repository: pygit2.Repository, commit: str) -> bool:
    """Whether this repository holds a commit of that id; no text is too odd to ask about."""
    if not is_object_id(commit):
        return False
    with reading(repository, f"commit {commit}"):
        found = repository.get(commit)
    return isinstance(found, pygit2.Commit)


def is_ancestor(repository: pygit2.Repository, older: str, newer: str) -> bool:
    """Whether `newer` is, or descends from, `older`; a commit that is not there is nobody's ancestor."""
    if not has_commit(repository, older) or not has_commit(repository, newer):
        return False
    if older == newer:
        return True
    with reading(repository, f"the history of {newer}"):
        return repository.descendant_of(pygit2.Oid(hex=newer), pygit2.Oid(hex=older))


def changed_paths(old: GitTree, new: GitTree) -> Mapping[str, BlobChange]:
    """Return the paths whose blob differs between two trees, sorted."""
    before, after = old.blobs(), new.blobs()
    if old.tree_id == new.tree_id and old.prefix == new.prefix:
        return {}
    differing = {path for path, _ in before.items() ^ after.items()}
    return {path: BlobChange(before.get(path), after.get(path)) for path in sorted(differing)}


def snapshot_blob(repository: pygit2.Repository, commit: str, path: str, prefix: str = "") -> str | None:
    """Return the blob id of a regular file at a commit, without listing its tree."""
    return _blob(TreeObjects(repository), commit, _full(path, prefix))


def last_writer(repository: pygit2.Repository, path: str, head: str, prefix: str = "") -> str | None:
    """Return the commit that wrote the content `path` has at `head`, or None where it has none.

    At each commit a parent with the same blob is followed, so that a merge never passes for the writer of what one of
    its sides brought.
    """
    objects, full = TreeObjects(repository), _full(path, prefix)
    blob = _blob(objects, head, full)
    if blob is None:
        return None
    commit = head
    while True:
        older = next((parent for parent in _parents(repository, commit) if _blob(objects, parent, full) == blob), None)
        if older is None:
            return commit
        commit = older


def commits_between(repository: pygit2.Repository, older: str | None, newer: str) -> Iterator[CommitInfo]:
    """Yield what `newer` holds and `older` does not, newest first, children before parents."""
    order = pygit2.enums.SortMode.TOPOLOGICAL | pygit2.enums.SortMode.TIME
    with reading(repository, f"the history of {newer}"):
        walker = repository.walk(pygit2.Oid(hex=newer), order)
        if older is not None:
            walker.hide(pygit2.Oid(hex=older))
    while True:
        with reading(repository, f"the history of {newer}"):
            commit = next(walker, None)
        if commit is None:
            return
        yield read_commit(repository, str(commit.id))


def commits_by(
    repository: pygit2.Repository, head: str, identity: Identity, *, older: str | None = None
) -> Iterator[CommitInfo]:
    """Yield the commits that `identity` committed, newest first; anybody can claim any identity."""
    return (commit for commit in commits_between(repository, older, head) if commit.committer == identity)


def _blob(objects: TreeObjects, commit: str, path: str) -> str | None:
    entry = objects.find(tree_of(objects.repository, commit), path)
    return entry[2].hex() if entry is not None and is_plain_file(entry) else None


def _parents(repository: pygit2.Repository, commit: str) -> Sequence[str]:
    with reading(repository, f"commit {commit}"):
        return [str(parent) for parent in repository[commit].peel(pygit2.Commit).parent_ids]


def _full(path: str, prefix: str) -> str:
    folder = prefix.strip("/")
    return f"{folder}/{path}" if folder else path

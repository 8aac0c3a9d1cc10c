"""Which files of an older tree are still there under another path."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import pygit2

from dream.repository.failures import reading
from dream.repository.history import changed_paths
from dream.repository.tree_edits import write_tree
from dream.repository.trees import GitTree

MOST_CANDIDATES = 200
"""Similarity compares every vanished file with every new one; git stops at so many of either, too."""

_LARGEST_BYTES = 1_000_000


def renames(
    repository: pygit2.Repository, old: GitTree, new: GitTree, *, similarity_percent: int = 50
) -> Mapping[str, str]:
    """Return old path → new path for files that moved: same bytes first, then git's similarity.

    A path that still exists never counts as renamed. Among equal candidates one of the same name wins, then the first.
    """
    changes = changed_paths(old, new)
    gone = {path: change.old for path, change in changes.items() if change.old and not change.new}
    come = {path: change.new for path, change in changes.items() if change.new and not change.old}
    found = _exact(gone, come)
    left = [path for path in gone if path not in found and old.size(path) <= _LARGEST_BYTES]
    free = [path for path in come if path not in set(found.values()) and new.size(path) <= _LARGEST_BYTES]
    if left and free and max(len(left), len(free)) <= MOST_CANDIDATES:
        found |= _similar(repository, old, new, left=left, free=free, percent=similarity_percent)
    return dict(sorted(found.items()))


def _exact(gone: Mapping[str, str | None], come: Mapping[str, str | None]) -> dict[str, str]:
    """Match equal blobs: those that kept their name, then the others in order."""
    free: defaultdict[str | None, list[str]] = defaultdict(list)
    named: dict[tuple[str | None, str], str] = {}
    for path, blob in sorted(come.items(), reverse=True):
        free[blob].append(path)
        named[blob, _name(path)] = path
    found = {}
    for path, blob in sorted(gone.items()):
        if (same := named.pop((blob, _name(path)), None)) is not None:
            found[path] = same
    taken = set(found.values())
    for path, blob in sorted(gone.items()):
        candidates = free[blob]
        while candidates and candidates[-1] in taken:
            candidates.pop()
        if path not in found and candidates:
            found[path] = candidates.pop()
    return found


def _similar(
    repository: pygit2.Repository, old: GitTree, new: GitTree, *, left: Iterable[str], free: Iterable[str], percent: int
) -> dict[str, str]:
    """Let git compare only the files in question, so that neither the rest of a tree nor its odd entries matter."""
    before = write_tree(repository, None, {path: old.read(path) for path in left})
    after = write_tree(repository, None, {path: new.read(path) for path in free})
    with reading(repository, "files to compare"):
        difference = repository[before].peel(pygit2.Tree).diff_to_tree(repository[after].peel(pygit2.Tree))
        difference.find_similar(rename_threshold=percent, rename_limit=MOST_CANDIDATES)
        return {
            delta.old_file.path: delta.new_file.path
            for delta in difference.deltas
            if delta.status == pygit2.enums.DeltaStatus.RENAMED
        }


def _name(path: str) -> str:
    return path.rsplit("/", maxsplit=1)[-1]

"""Who wrote a file, version by version, back through the history."""

from __future__ import annotations

from collections.abc import Iterator

import pygit2

from dream.repository.commits import read_commit
from dream.repository.history import commits_between, last_writer, snapshot_blob


def writers(repository: pygit2.Repository, path: str, head: str, prefix: str = "") -> Iterator[str]:
    """Yield the commits that wrote the versions of `path`, newest first.

    Where `head` has no such file the newest commit of its history that has one is where the walk starts.
    """
    at: str | None = head
    while at is not None:
        if snapshot_blob(repository, at, path, prefix) is None:
            at = next(
                (
                    commit.id
                    for commit in commits_between(repository, None, at)
                    if snapshot_blob(repository, commit.id, path, prefix) is not None
                ),
                None,
            )
            continue
        writer = last_writer(repository, path, at, prefix)
        if writer is None:
            return
        yield writer
        parents = read_commit(repository, writer).parents
        at = next(
            (parent for parent in parents if snapshot_blob(repository, parent, path, prefix) is not None),
            parents[0] if parents else None,
        )

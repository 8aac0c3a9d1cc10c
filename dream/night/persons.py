"""A commit in a person's name: made in the mirror like a night's own, and nobody else's work is in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dream.memory.applying import Files
from dream.repository.commits import CommitSpec, Identity, committer_time, read_commit, write_commit
from dream.repository.mirror import Mirror
from dream.repository.tree_edits import write_tree


def commit_as(
    mirror: Mirror,
    head: str,
    files: Files,
    *,
    person: Identity,
    at: datetime,
    subject: str,
    body: str = "",
    trailers: Sequence[tuple[str, str]] = (),
) -> str:
    """Write `files` over `head` (empty: no commit yet) as `person` and return the commit; nothing is pushed.

    Raises:
        UsageError: git cannot record that name.
    """
    repository = mirror.repository
    base = read_commit(repository, head).committer_time if head else None
    return write_commit(
        repository,
        CommitSpec(
            tree=write_tree(repository, head or None, files, mirror.prefix),
            parents=(head,) if head else (),
            subject=subject,
            body=body,
            trailers=trailers,
            author=person,
            author_time=at,
            committer_time=committer_time(at, base),
        ),
    )

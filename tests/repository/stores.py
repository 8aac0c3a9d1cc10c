"""Bare repositories without a remote, written to directly: what no sane program would write included."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import pygit2

from dream.repository.commits import CommitSpec, Identity, write_commit
from dream.repository.tree_edits import write_tree
from tests.support.repositories import EPOCH

ADA = Identity("Ada Person", "ada@test.invalid")


def store(folder: Path) -> pygit2.Repository:
    """Make an empty bare repository."""
    return pygit2.init_repository(str(folder / "store.git"), bare=True)


def raw_tree(repository: pygit2.Repository, *entries: tuple[bytes, bytes, str]) -> str:
    """Store a tree of (mode, name, id) exactly as given, whatever git thinks of it."""
    data = b"".join(b"%b %b\0%b" % (mode, name, bytes.fromhex(oid)) for mode, name, oid in entries)
    return str(repository.write(pygit2.enums.ObjectType.TREE, data))


def raw_data(repository: pygit2.Repository, oid: str) -> bytes:
    """Return an object's bytes."""
    return repository.odb.read(pygit2.Oid(hex=oid))[1]


def blob(repository: pygit2.Repository, data: bytes = b"x") -> str:
    """Store a blob."""
    return str(repository.create_blob(data))


def tree(repository: pygit2.Repository, files: Mapping[str, bytes]) -> str:
    """Store a tree of files."""
    return write_tree(repository, None, dict(files))


def commit(
    repository: pygit2.Repository,
    files: Mapping[str, bytes] | str,
    *parents: str,
    at: datetime = EPOCH,
    subject: str = "change",
    by: Identity = ADA,
) -> str:
    """Store a commit that holds exactly `files`, or the tree of that id."""
    made = files if isinstance(files, str) else tree(repository, files)
    spec = CommitSpec(tree=made, parents=parents, subject=subject, author=by, author_time=at, committer_time=at)
    return write_commit(repository, spec)

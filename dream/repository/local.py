"""A bare repository on this machine, read as it stands."""

from __future__ import annotations

from pathlib import Path

import pygit2

from dream.errors import NotAMemoryError
from dream.repository.failures import reading
from dream.repository.trees import GitTree


def is_bare_repository(path: Path) -> bool:
    """Whether a folder is a bare git repository."""
    if not ((path / "HEAD").is_file() and (path / "objects").is_dir()):
        return False
    try:
        return pygit2.Repository(str(path), pygit2.enums.RepositoryOpenFlag.NO_SEARCH).is_bare
    except (pygit2.GitError, OSError):
        return False


def read_bare(path: Path) -> GitTree:
    """Return what the branch that HEAD names holds, or else the only branch there is.

    Raises:
        NotAMemoryError: it cannot be opened, or it has several branches and HEAD names none of them.
    """
    try:
        repository = pygit2.Repository(str(path), pygit2.enums.RepositoryOpenFlag.NO_SEARCH)
    except (pygit2.GitError, OSError) as failure:
        message = f"{path} cannot be opened as a git repository: {failure}"
        raise NotAMemoryError(message, way_out="check its owner, or run git fsck there", path=str(path)) from failure
    with reading(repository, "HEAD"):
        if not repository.head_is_unborn:
            return GitTree(repository, str(repository.head.target))
        branches = [str(repository.branches.local[name].target) for name in repository.branches.local]
    if len(branches) > 1:
        message = f"HEAD of {path} names no branch that exists, and there are {len(branches)} others"
        raise NotAMemoryError(message, way_out="point HEAD at the memory's branch", path=str(path))
    return GitTree(repository, branches[0] if branches else None)

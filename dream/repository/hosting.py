"""A new memory, hosted as a bare repository with the settings and the hook that protect it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pygit2

from dream.errors import FatalError, UsageError
from dream.repository.commits import CommitSpec, Identity, write_commit
from dream.repository.failures import writing
from dream.repository.git import Git
from dream.repository.hook import install_hook, render_hook
from dream.repository.receiving import Protected, protect
from dream.repository.tree_edits import write_tree

INDEX = """\
# Memory

What the agents and people of this organisation remember. Notes are Markdown, one topic each; a note's first line says
what it is about.
"""

MOST_BYTES = 100_000_000
"""Bytes of one push that a new memory takes at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Created:
    """A new repository stands at `path`, its branch on `commit`."""

    path: Path
    commit: str
    protected: Protected


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewed:
    """A bare repository was at `path` already; it got the hook, and what it was missing of its protection."""

    path: Path
    protected: Protected


def init_memory(
    path: Path,
    *,
    identity: Identity,
    at: datetime,
    branch: str = "main",
    prefix: str = "",
    most_bytes: int = MOST_BYTES,
    git: Git,
) -> Created | Renewed:
    """Make a bare repository whose first commit holds MEMORY.md, or protect a bare one that is there.

    `identity` is the nightly flow's; `most_bytes` bounds one push. Raises UsageError where `path` is something else.
    """
    path = path.absolute()
    if not pygit2.reference_is_valid_name(f"refs/heads/{branch}"):
        message = f"{branch!r} is no name of a branch"
        raise UsageError(message, way_out="give another --branch, such as main")
    if not _is_free(path):
        install_hook(path, identity, prefix)
        return Renewed(path=path, protected=protect(path, most_bytes=most_bytes, git=git))
    render_hook(identity, prefix)
    aside = path.with_name(path.name + ".dream-new")
    try:
        commit, protected = _create(
            aside, identity=identity, at=at, branch=branch, prefix=prefix, most_bytes=most_bytes, git=git
        )
        with writing(path, "the repository"):
            aside.rename(path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return Created(path=path, commit=commit, protected=protected)


def _is_free(path: Path) -> bool:
    """Return whether a repository can be made at `path`; False if a bare one is there."""
    with writing(path, "the repository"):
        if not path.exists() or (path.is_dir() and not any(path.iterdir())):
            return True
    what = "no folder" if not path.is_dir() else "not empty, and no bare git repository"
    if (path / ".git").exists():
        what = "a working copy, and a memory is hosted as a bare repository"
    elif path.is_dir():
        try:
            pygit2.Repository(str(path), pygit2.enums.RepositoryOpenFlag.NO_SEARCH)
        except pygit2.GitError:
            pass
        else:
            return False
    message = f"{path} is {what}"
    raise UsageError(message, way_out="name a path where nothing is yet, or a bare repository", path=str(path))


def _create(
    path: Path, *, identity: Identity, at: datetime, branch: str, prefix: str, most_bytes: int, git: Git
) -> tuple[str, Protected]:
    with writing(path, "the repository"):
        shutil.rmtree(path, ignore_errors=True)
        path.parent.mkdir(parents=True, exist_ok=True)
    made = git.run(["init", "--quiet", "--bare", "--template=", f"--initial-branch={branch}", "--", str(path)])
    if not made.ok:
        message = f"no repository can be made in {path}: {made.last_words}"
        raise FatalError(message, way_out="name a folder that the user who runs this can write", path=str(path))
    protected = protect(path, most_bytes=most_bytes, git=git)
    with writing(path, "the first commit"):
        repository = pygit2.Repository(str(path), pygit2.enums.RepositoryOpenFlag.NO_SEARCH)
    spec = CommitSpec(
        tree=write_tree(repository, None, {"MEMORY.md": INDEX.encode()}, prefix),
        parents=(),
        subject="memory: begin with an empty index",
        author=identity,
        author_time=at,
        committer_time=at,
    )
    commit = write_commit(repository, spec)
    with writing(path, "the first commit"):
        repository.references.create(f"refs/heads/{branch}", commit)
    install_hook(path, identity, prefix)
    return commit, protected

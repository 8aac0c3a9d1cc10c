"""Failures of the local repository as errors of this project: no pygit2 exception or OSError leaves this package."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pygit2

from dream.errors import DreamError, FatalError, TransientError

if TYPE_CHECKING:
    from collections.abc import Iterable

BROKEN_MARK = "dream-broken"
"""A file in a mirror that could not be read; the next `open_mirror` throws such a mirror away."""

MIRROR_MARK = "dream-mirror"
"""A file in every mirror, so that a repository that cannot be cloned again is never marked broken."""

_DISK_FULL = {errno.ENOSPC, errno.EDQUOT}
_NOT_PERMITTED = {errno.EACCES, errno.EPERM, errno.EROFS}
_NO_PLACE = {errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ELOOP, errno.ENAMETOOLONG}
_NO_PLACE = {errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ELOOP, errno.ENAMETOOLONG}


class BrokenMirrorError(TransientError):
    """An object or reference of the local repository is missing or damaged; trying again starts from a fresh clone."""


class PathConflictError(FatalError):
    """A path cannot be written into a tree: something else stands there, or git forbids the name."""


class LockedError(TransientError):
    """Another run holds the organisation's lock."""


@contextmanager
def reading(repository: pygit2.Repository, what: str) -> Iterator[None]:
    """Raise BrokenMirrorError, and mark the mirror, where `what` cannot be read from it."""
    try:
        yield
    except (KeyError, pygit2.GitError, OSError) as failure:
        raise broken(repository.path, what, failure) from failure


def broken(path: Path | str, what: str, cause: Exception | str) -> BrokenMirrorError:
    """Return the error that says `what` is damaged in a mirror, and leave the mark that makes the next run clone it."""
    mirror = Path(path)
    if (mirror / MIRROR_MARK).is_file():
        with suppress(OSError):
            (mirror / BROKEN_MARK).touch()
    reason = "it is not there" if isinstance(cause, KeyError) else str(cause)
    return BrokenMirrorError(
        f"{what} cannot be read from {mirror}: {reason}",
        way_out="run again: a mirror is thrown away and cloned afresh",
        path=str(mirror),
    )


@contextmanager
def writing(path: Path | str, what: str) -> Iterator[None]:
    """Raise the error that tells a full disk from missing rights where `what` cannot be written under `path`."""
    try:
        yield
    except OSError as failure:
        raise write_failure(path, what, failure) from failure
    except pygit2.GitError as failure:
        raise write_failure(path, what, OSError(_errno_in(str(failure)), str(failure))) from failure


def write_failure(path: Path | str, what: str, failure: OSError) -> DreamError:
    """Return the error for an operating system's refusal to write `what` under `path`."""
    reason = "the disk is full" if failure.errno in _DISK_FULL else failure.strerror or str(failure)
    message = f"{what} cannot be written under {path}: {reason}"
    if failure.errno in _NOT_PERMITTED:
        return FatalError(message, way_out="let the user that runs this own that folder", path=str(path))
    if failure.errno in _NO_PLACE:
        return FatalError(message, way_out="name another place", path=str(path))
    way_out = "make room and run again" if failure.errno in _DISK_FULL else "run again"
    return TransientError(message, way_out=way_out, path=str(path))


def _errno_in(message: str) -> int:
    """libgit2 hands on the operating system's text only."""
    texts: Iterable[tuple[str, int]] = (
        ("No space left on device", errno.ENOSPC),
        ("Disk quota exceeded", errno.EDQUOT),
        ("Permission denied", errno.EACCES),
        ("Read-only file system", errno.EROFS),
    )
    return next((number for text, number in texts if text in message), errno.EIO)

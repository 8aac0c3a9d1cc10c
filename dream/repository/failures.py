"""Failures of the local repository as errors of this project: no pygit2 exception or OSError leaves this package."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pygit2

from dream.errors import DreamError, FatalError, TransientError

BROKEN_MARK = "dream-broken"
"""A file in a mirror that could not be read; the next `open_mirror` throws such a mirror away."""

MIRROR_MARK = "dream-mirror"
"""A file in every mirror, so that a repository that cannot be cloned again is never marked broken."""

_DISK_FULL = {errno.ENOSPC, errno.EDQUOT}
_NOT_PERMITTED = {errno.EACCES, errno.EPERM, errno.EROFS}
_NEXT_TO_NOTHING = 65_536
"""Bytes; with less room than that a failure of unknown cause is taken for a full disk."""
_NO_PLACE = {errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ELOOP, errno.ENAMETOOLONG}


class BrokenMirrorError(TransientError):
    """An object or reference of the local repository is missing or damaged; trying again starts from a fresh clone."""

    usual_way_out = "run again: a mirror is thrown away and cloned afresh"


class PathConflictError(FatalError):
    """A path cannot be written into a tree: something else stands there, or git forbids the name."""

    usual_way_out = "rename or take away in the memory what stands at that path, and run again"


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
    way_out = "run again: a mirror is thrown away and cloned afresh"
    if _is_full(mirror):  # libgit2 takes some writes for done that a full disk swallowed
        reason, way_out = f"{reason}, and the disk is full", f"make room and {way_out}"
    return BrokenMirrorError(f"{what} cannot be read from {mirror}: {reason}", way_out=way_out, path=str(mirror))


@contextmanager
def writing(path: Path | str, what: str) -> Iterator[None]:
    """Raise the error that tells a full disk from missing rights where `what` cannot be written under `path`."""
    try:
        yield
    except (OSError, pygit2.GitError) as failure:
        raise write_failure(path, what, failure) from failure


def write_failure(path: Path | str, what: str, failure: Exception) -> DreamError:
    """Return the error for the refusal to write `what` under `path`."""
    number = failure.errno if isinstance(failure, OSError) and failure.errno else _errno_in(str(failure), path)
    reason = os.strerror(number) if number else str(failure)
    message = f"{what} cannot be written under {path}: {reason}"
    if number in _DISK_FULL:
        return TransientError(message, way_out="make room and run again", path=str(path))
    if number in _NOT_PERMITTED:
        return FatalError(message, way_out="let the user that runs this own that folder", path=str(path))
    if number in _NO_PLACE:
        return FatalError(message, way_out="name another place", path=str(path))
    return TransientError(message, way_out="run again", path=str(path))


def _errno_in(message: str, path: Path | str) -> int:
    """Find the cause of a failure of libgit2, which hands on the operating system's text, if even that; 0: unknown."""
    for number in (*_DISK_FULL, *_NOT_PERMITTED):
        if os.strerror(number) in message:
            return number
    return errno.ENOSPC if _is_full(path) else 0


def _is_full(path: Path | str) -> bool:
    try:
        return shutil.disk_usage(path).free < _NEXT_TO_NOTHING
    except OSError:
        return False

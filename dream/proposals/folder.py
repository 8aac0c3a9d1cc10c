"""A folder that a person's proposal changes: every file written aside and put in its place, nothing outside touched.

Each step goes through the folders one by one and follows no link, so that a folder which somebody puts a link in the
place of meanwhile leads nowhere.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from dream.errors import FatalError, TransientError, UsageError

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR})

Tick = Callable[[str], None]
"""Called with the name of each step just before it is taken; what it raises stands for the step's own failure."""


def no_tick(_step: str) -> None:
    """Let every step pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A regular file as it stands: its bytes, its mode bits, and when it was changed, in nanoseconds."""

    data: bytes
    mode: int
    changed: int


class Folder:
    """Reads and writes regular files under one folder; paths are relative to it, with `/`.

    Raises OSError as the operating system says it; `told` makes an error of this project of that.
    """

    def __init__(self, descriptor: int, *, tick: Tick = no_tick) -> None:
        """Work under the open folder `descriptor`, which stays its owner's to close."""
        self._root = descriptor
        self._tick = tick

    def read(self, path: str) -> Found | None:
        """Return the file at `path`, None where nothing is.

        Raises FatalError for what is no plain file of its own: a link, a device, a file with a second name.
        """
        try:
            with self._parent(path) as (parent, name):
                descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=parent)
        except OSError as failure:
            if failure.errno in _GONE:
                return None
            if failure.errno in {errno.ELOOP, errno.ENXIO}:
                raise _odd(path) from failure
            raise
        with open(descriptor, "rb") as file:  # noqa: PTH123  # it is open already
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
                raise _odd(path)
            return Found(data=file.read(), mode=stat.S_IMODE(status.st_mode), changed=status.st_mtime_ns)

    def write_aside(self, path: str, data: bytes, *, aside: str, mode: int, changed: int | None = None) -> None:
        """Write `data` beside `path` under the name `aside`, down to the disk; nothing else changes yet."""
        with self._parent(path) as (parent, _):
            self._tick(f"open {aside}")
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(aside, flags, 0o600, dir_fd=parent)
            try:
                self._fill(descriptor, data, mode=mode, changed=changed)
            finally:
                os.close(descriptor)

    def take_aside(self, path: str, *, aside: str) -> None:
        """Put what was written under the name `aside` in the place of `path`, in one step."""
        with self._parent(path) as (parent, name):
            self._tick(f"replace {path}")
            os.replace(aside, name, src_dir_fd=parent, dst_dir_fd=parent)
            self._tick(f"sync {path}")
            os.fsync(parent)

    def _fill(self, descriptor: int, data: bytes, *, mode: int, changed: int | None) -> None:
        left = memoryview(data)
        while left:
            self._tick("write")
            left = left[os.write(descriptor, left) :]
        os.fchmod(descriptor, mode)
        if changed is not None:
            os.utime(descriptor, ns=(changed, changed))
        self._tick("sync")
        os.fsync(descriptor)

    def remove(self, path: str) -> None:
        """Take the file at `path` away; nothing happens where there is none."""
        with self._parent(path) as (parent, name):
            self._tick(f"remove {path}")
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=parent)
            os.fsync(parent)

    def remove_aside(self, path: str, aside: str) -> None:
        """Take away what was left under the name `aside` beside `path`."""
        with suppress(OSError), self._parent(path) as (parent, _):
            os.unlink(aside, dir_fd=parent)

    def folder_mode(self, path: str) -> int | None:
        """Return the mode bits of the folder at `path`, None where there is none."""
        try:
            with self._parent(path) as (parent, name):
                status = os.stat(name, dir_fd=parent, follow_symlinks=False)
        except OSError as failure:
            if failure.errno in _GONE:
                return None
            raise
        return stat.S_IMODE(status.st_mode) if stat.S_ISDIR(status.st_mode) else None

    def make_folder(self, path: str, *, mode: int) -> None:
        """Make the folder at `path` where there is none."""
        with self._parent(path) as (parent, name):
            self._tick(f"make {path}")
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=parent)
                os.chmod(name, mode, dir_fd=parent)
            os.fsync(parent)

    def remove_folder(self, path: str) -> bool:
        """Take the folder at `path` away if nothing is in it; return whether it is gone."""
        try:
            with self._parent(path) as (parent, name):
                self._tick(f"remove {path}")
                os.rmdir(name, dir_fd=parent)
                os.fsync(parent)
        except OSError as failure:
            if failure.errno in _GONE:
                return True
            if failure.errno in {errno.ENOTEMPTY, errno.EEXIST}:
                return False
            raise
        return True

    def names(self, path: str) -> frozenset[str]:
        """Return what is in the folder at `path`."""
        with self._opened(path.split("/") if path else []) as descriptor:
            return frozenset(os.listdir(descriptor))  # noqa: PTH208  # a descriptor is no path

    @contextmanager
    def _parent(self, path: str) -> Iterator[tuple[int, str]]:
        *folders, name = path.split("/")
        if any(not part or part.startswith(".") or "\0" in part for part in (*folders, name)):
            message = f"{path!a} is no path that a proposal may be about"
            raise UsageError(message, way_out="make the proposal again: dream consolidate PATH", path=path)
        with self._opened(folders) as descriptor:
            yield descriptor, name

    @contextmanager
    def _opened(self, folders: list[str]) -> Iterator[int]:
        descriptor = os.dup(self._root)
        try:
            for folder in folders:
                inner = os.open(folder, _FOLDER_FLAGS, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            yield descriptor
        finally:
            os.close(descriptor)


def _odd(path: str) -> FatalError:
    message = f"{path} is no plain file of its own: a link, a device, or a file with a second name"
    return FatalError(message, way_out="untick what is about it, or make it a plain file", path=path)


@contextmanager
def held_folder(path: Path, *, tick: Tick = no_tick) -> Iterator[Folder]:
    """Open the folder at `path` for one run at a time.

    Raises:
        UsageError: there is no such folder.
        TransientError: another run is at work on it.
    """
    try:
        descriptor = os.open(path, _FOLDER_FLAGS)
    except OSError as failure:
        message = f"the memory {path} cannot be opened: {failure.strerror}"
        raise UsageError(message, way_out="say where it is now: --memory PATH", path=str(path)) from failure
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as failure:
            message = f"another run is at work on {path}"
            raise TransientError(message, way_out="run again when it has ended", path=str(path)) from failure
        yield Folder(descriptor, tick=tick)
    finally:
        os.close(descriptor)


def told(failure: OSError, *, what: str, way_out: str) -> TransientError | FatalError:
    """Return the error of this project for a refusal of the operating system to write `what`."""
    reason = failure.strerror or type(failure).__name__
    if failure.errno in _FULL:
        return TransientError(f"{what}: the disk is full", way_out=f"make room; {way_out}")
    return FatalError(f"{what}: {reason}", way_out=way_out)

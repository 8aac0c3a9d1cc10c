"""A project's folder, of which nothing outside is ever touched: no link is followed, however it got there."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dream.errors import TransientError, UsageError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_ODD = (errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.EMLINK)


class OddPathError(Exception):
    """On the way to a file, or in its place, is something else: a link, a folder, a device."""


class ProjectFolder:
    """Files below `root` by their paths with `/`; every step of a way is opened as the folder that it is."""

    def __init__(self, root: Path) -> None:
        """Take an existing folder; raises UsageError where there is none."""
        if not root.is_dir():
            message = f"there is no folder {root}"
            raise UsageError(message, way_out="give the folder of a project that is there")
        self.root = root.resolve()

    def read(self, path: str, *, most_bytes: int) -> bytes | None:
        """Return what the file at `path` holds, up to a byte more than `most_bytes`; None where there is none.

        Raises:
            OddPathError: there is something that is no file, or is reached through no folder.
            TransientError: it cannot be read.
        """
        try:
            with self._parent(path, make=False) as (folder, name):
                descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
                with os.fdopen(descriptor, "rb") as file:
                    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                        raise OddPathError(path)
                    return file.read(most_bytes + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _failure(path, error) from error

    def write(self, path: str, data: bytes) -> None:
        """Put `data` at `path`, whole or not at all, with the folders that it needs.

        Raises:
            OddPathError: the way leads through something that is no folder.
            TransientError: it cannot be written.
        """
        try:
            with self._parent(path, make=True) as (folder, name):
                aside = f".{name}.{os.getpid()}.new"
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
                descriptor = os.open(aside, flags, 0o644, dir_fd=folder)
                try:
                    with os.fdopen(descriptor, "wb") as file:
                        file.write(data)
                    os.replace(aside, name, src_dir_fd=folder, dst_dir_fd=folder)
                except BaseException:
                    os.unlink(aside, dir_fd=folder)
                    raise
        except OSError as error:
            raise _failure(path, error) from error

    def remove(self, path: str, *, with_folder: bool = False) -> None:
        """Take the file at `path` away, and the folder that it leaves empty as well; nothing where there is none.

        Raises:
            OddPathError: the way leads through something that is no folder.
            TransientError: it cannot be taken away.
        """
        try:
            with self._parent(path, make=False) as (folder, name):
                os.unlink(name, dir_fd=folder)
            above = path.rpartition("/")[0]
            if with_folder and above:
                with self._parent(above, make=False) as (folder, name):
                    os.rmdir(name, dir_fd=folder)
        except FileNotFoundError:
            return
        except OSError as error:
            if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
                raise _failure(path, error) from error

    @contextmanager
    def _parent(self, path: str, *, make: bool) -> Iterator[tuple[int, str]]:
        """Yield the open folder that the last name of `path` stands in, and that name."""
        *folders, name = path.split("/")
        current = os.open(self.root, _FOLDER)
        try:
            for folder in folders:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(folder, 0o755, dir_fd=current)
                step = os.open(folder, _FOLDER, dir_fd=current)
                os.close(current)
                current = step
            yield current, name
        finally:
            os.close(current)


def _failure(path: str, error: OSError) -> Exception:
    if error.errno in _ODD:
        return OddPathError(path)
    message = f"{path} cannot be read or written: {error.strerror}"
    return TransientError(message, way_out="look after the rights and the room of that folder, and run again")

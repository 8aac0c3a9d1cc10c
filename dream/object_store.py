"""Named pieces of bytes at an address of fsspec: listed, read, written whole or not at all, put aside."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from dream.errors import TransientError, UsageError
from dream.private_folders import make_private

_TOGETHER = 200
"""How many small objects are asked for at once: stores that answer slowly answer many at a time."""


_FULL = (errno.ENOSPC, errno.EDQUOT)
_UNREACHED = "see whether the place that DREAM_STORE names can be reached"
_NOT_ONES_OWN = "let the user that runs the nights own all that is there, and give commands as that user"
_ABSENT = (FileNotFoundError, IsADirectoryError, PermissionError)


class StoreDownError(TransientError):
    """The store cannot be reached, read or written."""


class Objects:
    """A folder `name` at an address of fsspec; nothing is opened before it is needed.

    Raises StoreDownError from every method for whatever the store raises, except that what is not there is None.
    """

    def __init__(self, address: str, name: str) -> None:
        """Take an address that fsspec knows, or a path."""
        self._address = address
        self._folder = name
        self._opened: tuple[Any, str] | None = None

    def connect(self) -> None:
        """Open the store.

        Raises:
            UsageError: there is no such kind of store here, or what it needs is not installed.
        """
        try:
            self._open()
        except Exception as error:
            message = f"nothing can be kept at {self._kind}: {type(error).__name__}"
            raise UsageError(message, way_out="set DREAM_STORE to a path, or install what it needs") from error

    def names(self) -> list[str]:
        """Return the name of every object in a folder of this one, sorted.

        Folders are listed one by one, because to find all files at once passes over those that cannot be listed.
        """
        try:
            files, root = self._open()
            files.invalidate_cache()
            inner = [path for path in self._listed(root) if "." not in path.rpartition("/")[2]]
            found = [path for folder in inner for path in self._listed(folder)]
        except Exception as error:
            raise self._down(error) from error
        return sorted(path.removeprefix(f"{root}/") for path in found)

    def read(self, name: str) -> bytes | None:
        """Return an object's bytes, None if it is not there."""
        try:
            files, root = self._open()
            return bytes(files.cat_file(f"{root}/{name}"))
        except FileNotFoundError:
            return None
        except Exception as error:
            raise self._down(error) from error

    def read_many(self, names: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        """Yield each name with its object's bytes, None for one that is not there or that nobody may read."""
        for first in range(0, len(names), _TOGETHER):
            some = names[first : first + _TOGETHER]
            try:
                files, root = self._open()
                held = _together(files, [f"{root}/{name}" for name in some])
            except Exception as error:
                raise self._down(error) from error
            yield from zip(some, held, strict=True)

    def write(self, name: str, data: bytes) -> None:
        """Write an object: there whole, or not at all."""
        try:
            files, root = self._open()
            path = f"{root}/{name}"
            aside = f"{path}.{os.getpid()}-{threading.get_ident()}.new"
            _make(files, root, path.rpartition("/")[0])
            files.pipe_file(aside, data)
            files.mv(aside, path)
        except Exception as error:
            raise self._down(error) from error

    def move(self, name: str, to: str) -> None:
        """Give an object another name; nothing where there is none."""
        try:
            files, root = self._open()
            _make(files, root, f"{root}/{to}".rpartition("/")[0])
            with suppress(FileNotFoundError):
                files.mv(f"{root}/{name}", f"{root}/{to}")
        except Exception as error:
            raise self._down(error) from error

    def remove(self, name: str) -> None:
        """Take an object away; nothing where there is none."""
        try:
            files, root = self._open()
            with suppress(FileNotFoundError):
                files.rm_file(f"{root}/{name}")
        except Exception as error:
            raise self._down(error) from error

    def remove_folder(self, name: str) -> None:
        """Take a folder of this one away with all that is in it; nothing where there is none."""
        try:
            files, root = self._open()
            with suppress(FileNotFoundError):
                files.rm(f"{root}/{name}", recursive=True)
        except Exception as error:
            raise self._down(error) from error

    def _listed(self, folder: str) -> list[str]:
        files, _ = self._open()
        try:
            found = [str(path).rstrip("/") for path in files.ls(folder, detail=False)]
        except FileNotFoundError:
            return []
        if found == [folder]:
            raise NotADirectoryError(folder)
        return found

    def _open(self) -> tuple[Any, str]:
        if self._opened is None:
            from fsspec.core import url_to_fs  # noqa: PLC0415  # only who reads or keeps something needs it

            files, root = url_to_fs(self._address)
            self._opened = files, f"{root.rstrip('/')}/{self._folder}"
        return self._opened

    @property
    def _kind(self) -> str:
        """The address as it may be told: one with a protocol can hold a key."""
        return self._address.partition("://")[0] if "://" in self._address else self._address

    def _down(self, error: Exception) -> StoreDownError:
        if isinstance(error, StoreDownError):
            return error
        number = error.errno if isinstance(error, OSError) else None
        why = os.strerror(number) if type(error) is OSError and number else type(error).__name__
        message = f"the store at {self._kind} cannot be read or written: {why}"
        if number in _FULL:
            return StoreDownError(message, way_out="make room there, then the same again")
        return StoreDownError(message, way_out=_NOT_ONES_OWN if isinstance(error, PermissionError) else _UNREACHED)


def _together(files: Any, paths: list[str]) -> list[bytes | None]:
    """Return what is at each path; raises what the store raises, but for a single object that cannot be had."""
    if getattr(files, "async_impl", False):
        answers = files.cat(paths, on_error="return")
        found = [answers.get(path, FileNotFoundError(path)) for path in paths]
    else:
        found = [_one(files, path) for path in paths]
    for answer in found:
        if isinstance(answer, BaseException) and not isinstance(answer, _ABSENT):
            raise answer
    return [None if isinstance(answer, BaseException) else bytes(answer) for answer in found]


def _one(files: Any, path: str) -> Any:
    try:
        return files.cat_file(path)
    except _ABSENT as error:
        return error


def _make(files: Any, root: str, folder: str) -> None:
    protocol = files.protocol
    if "file" in ((protocol,) if isinstance(protocol, str) else protocol):  # what people said: for its owner alone
        make_private(Path(root))
    files.makedirs(folder, exist_ok=True)

"""Files of a folder: found in a stable order, opened without following links or waiting on pipes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_DEEPEST = 32
_BUFFER = 1 << 20


class UnreadableError(Exception):
    """A file that cannot be read; the message is the reason, in few and fixed words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """A file, and why it is not to be opened (`refused`, "" if it is); `expected` where nobody need look into that."""

    path: str
    refused: str = ""
    expected: bool = False


def find_files(path: str, *, suffixes: tuple[str, ...]) -> Iterator[FoundFile]:
    """Yield the file at `path`, or every file of that folder in order; symlinks are reported and never followed.

    In a folder only files that end in one of `suffixes` are to be opened; a file given by its own path always is.
    """
    try:
        is_folder = stat.S_ISDIR(Path(path).stat().st_mode)
    except (OSError, ValueError) as error:
        yield FoundFile(path=path, refused=reason_of(error))
        return
    if is_folder:
        yield from _walk(path, suffixes, _DEEPEST)
    else:
        yield FoundFile(path=path)


def open_file(path: str, *, limit: int) -> IO[bytes]:
    """Return an open regular file. Raises UnreadableError for anything else, and for one of more than `limit` bytes."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        handle = os.fdopen(os.open(path, flags), "rb", buffering=_BUFFER)
    except OSError as error:
        raise UnreadableError(reason_of(error)) from error
    found = os.fstat(handle.fileno())
    if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
        handle.close()
        message = "the file is too large" if stat.S_ISREG(found.st_mode) else "not a regular file"
        raise UnreadableError(message)
    return handle


def reason_of(error: OSError | ValueError) -> str:
    """Return why a path could not be read, in lower case: `permission denied`."""
    return (error.strerror or type(error).__name__).lower() if isinstance(error, OSError) else "not a path"


def _walk(folder: str, suffixes: tuple[str, ...], depth: int) -> Iterator[FoundFile]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield FoundFile(path=folder, refused=reason_of(error))
        return
    for entry in found:
        if entry.is_symlink():
            yield FoundFile(path=entry.path, refused="a symlink")
        elif entry.is_dir(follow_symlinks=False):
            if depth:
                yield from _walk(entry.path, suffixes, depth - 1)
            else:
                yield FoundFile(path=entry.path, refused="folders nested too deep")
        else:
            other = not entry.name.endswith(suffixes)
            reason = f"not a {' or '.join(suffixes)} file" if other else ""
            yield FoundFile(path=entry.path, refused=reason, expected=other)

"""Folders and files for their owner alone, whatever the umask and whoever made what is above them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600


def make_private(path: Path) -> None:
    """Make sure that a folder is there, with what is above it, and that nobody but its owner may enter it.

    One that is there and open to others is narrowed; of those above it only the ones that are made here are private.
    Raises OSError where that cannot be done, as with a folder of somebody else.
    """
    for missing in [one for one in (*reversed(path.parents), path) if not one.exists()]:
        with suppress(FileExistsError):
            missing.mkdir(mode=FOLDER_MODE)
            _narrow(missing)
    _narrow(path)


def write_private(path: Path, data: bytes, *, mode: int = FILE_MODE) -> None:
    """Write a file that nobody could read at any moment whom `mode` does not let; raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, mode)
        file.write(data)


def _narrow(path: Path) -> None:
    if path.stat().st_mode & 0o777 != FOLDER_MODE:
        path.chmod(FOLDER_MODE)

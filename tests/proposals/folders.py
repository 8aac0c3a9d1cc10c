"""Folders to change, and what stands in them, so that two moments can be told apart in every byte."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path


def folder_of(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """Make a folder with these files."""
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def standing(path: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything under a folder: mode, time of change in nanoseconds (of files alone), and bytes or where a link leads.

    Times of folders are left out: bringing a file back is a change of its folder.
    """
    found: dict[str, tuple[int, int, bytes]] = {}
    for folder, folders, files in os.walk(path):
        for name in (*folders, *files):
            place = Path(folder, name)
            status = place.lstat()
            data = b""
            if stat.S_ISLNK(status.st_mode):
                data = os.fsencode(place.readlink())
            elif stat.S_ISREG(status.st_mode):
                data = place.read_bytes()
            time = status.st_mtime_ns if stat.S_ISREG(status.st_mode) else 0
            found[str(place.relative_to(path))] = (status.st_mode, time, data)
    return found

"""Files that belong to another file's session and are read with it: never through a link, never more than allowed."""

from __future__ import annotations

import os
import re
import stat
from pathlib import PurePath

from dream.sources.files import UnreadableError, open_file
from dream.sources.sessions.formats.objects import Record, is_map
from dream.sources.strict_json import BadJSONError, parse_json

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}")


def is_plain_name(name: str) -> bool:
    """Return whether a name that a file gives can be part of a path, without leading anywhere else."""
    return bool(_PLAIN_NAME.fullmatch(name))


def companion_record(path: PurePath, *, limit: int) -> Record:
    """Return the JSON object of a companion of at most `limit` bytes, an empty one if it cannot be had."""
    return companion_value(path, limit=limit)[0]


def companion_value(path: PurePath, *, limit: int) -> tuple[Record, int]:
    """Return the JSON object of a companion, and how many bytes were read for it."""
    if not stat.S_ISREG(_mode(path)):
        return {}, 0
    try:
        with open_file(str(path), limit=limit) as handle:
            data = handle.read(limit)
        value = parse_json(data)
    except (UnreadableError, OSError, BadJSONError):
        return {}, 0
    return (value, len(data)) if is_map(value) else ({}, len(data))


def is_folder(path: PurePath) -> bool:
    """Return whether a path is a folder and no link to one."""
    return stat.S_ISDIR(_mode(path))


def files_in(folder: PurePath, *, most: int, suffix: str = ".json") -> list[PurePath]:
    """Return the regular files of a folder that end in `suffix`, sorted, at most `most`; none if it is a link."""
    return _entries(folder, most=most, folders=False, suffix=suffix)


def folders_in(folder: PurePath, *, most: int) -> list[PurePath]:
    """Return the folders of a folder, sorted, at most `most`; none if it is a link."""
    return _entries(folder, most=most, folders=True, suffix="")


def _entries(folder: PurePath, *, most: int, folders: bool, suffix: str) -> list[PurePath]:
    if not is_folder(folder):
        return []
    found: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                fits = entry.is_dir(follow_symlinks=False) if folders else entry.is_file(follow_symlinks=False)
                if fits and entry.name.endswith(suffix):
                    found.append(entry.name)
    except OSError:
        return []
    return [folder / name for name in sorted(found)[:most]]


def _mode(path: PurePath) -> int:
    try:
        return os.lstat(path).st_mode
    except (OSError, ValueError):
        return 0

"""The files of a source: found in a stable order, opened without following links or waiting on pipes."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO

from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.values import SessionSource, SourceKind

_SUFFIXES = {SourceKind.CLAUDE_CODE: ".jsonl", SourceKind.SPECSTORY: ".md", SourceKind.SUMMARIES: ".jsonl"}
_DEEPEST = 32
_CHUNK = 1 << 20
_OVERLAP = 16
_DAY = re.compile(rb"20[0-9]{2}-[0-9]{2}-[0-9]{2}(?=[T _])")


class UnreadableError(Exception):
    """A file that cannot be read; the message is the reason, in words that can be counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """A file of a source; `refused` says why it is not to be opened."""

    source: SessionSource
    path: str
    refused: str = ""


def find_files(source: SessionSource) -> Iterator[FoundFile]:
    """Yield every file of a source, sorted by path; folders are walked, symlinks reported and never followed."""
    try:
        is_folder = stat.S_ISDIR(Path(source.path).stat().st_mode)
    except OSError as error:
        yield FoundFile(source=source, path=source.path, refused=reason_of(error))
        return
    if is_folder:
        yield from _walk(source, source.path, _DEEPEST)
    else:
        yield FoundFile(source=source, path=source.path)


def open_file(path: str, *, limits: ReadingLimits) -> IO[bytes]:
    """Return an open regular file. Raises UnreadableError for anything else, and for one over the limit."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        handle = os.fdopen(os.open(path, flags), "rb", buffering=_CHUNK)
    except OSError as error:
        raise UnreadableError(reason_of(error)) from error
    found = os.fstat(handle.fileno())
    if not stat.S_ISREG(found.st_mode) or found.st_size > limits.file_bytes:
        handle.close()
        message = "not a regular file" if not stat.S_ISREG(found.st_mode) else "the file is too large"
        raise UnreadableError(message)
    return handle


def names_a_day_since(handle: IO[bytes], since: datetime) -> bool:
    """Return whether any date and time in a file can be at or after `since`, or there is none; the file is rewound.

    A file whose dates are all earlier holds no message of the window, so it need not be parsed. A day is allowed for
    time zones.
    """
    earliest = (since - timedelta(days=1)).strftime("%Y-%m-%d").encode()
    rest, dated = b"", False
    try:
        while chunk := handle.read(_CHUNK):
            days = _DAY.findall(rest + chunk)
            if any(day >= earliest for day in days):
                return True
            rest, dated = chunk[-_OVERLAP:], dated or bool(days)
        return not dated
    finally:
        handle.seek(0)


def reason_of(error: OSError) -> str:
    """Return why the system refused, in lower case: `permission denied`."""
    return (error.strerror or type(error).__name__).lower()


def _walk(source: SessionSource, folder: str, depth: int) -> Iterator[FoundFile]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield FoundFile(source=source, path=folder, refused=reason_of(error))
        return
    for entry in found:
        if entry.is_symlink():
            yield FoundFile(source=source, path=entry.path, refused="a symlink")
        elif entry.is_dir(follow_symlinks=False):
            if depth:
                yield from _walk(source, entry.path, depth - 1)
            else:
                yield FoundFile(source=source, path=entry.path, refused="folders nested too deep")
        else:
            suffix = _SUFFIXES[source.kind]
            refused = "" if entry.name.endswith(suffix) else f"not a {suffix} file"
            yield FoundFile(source=source, path=entry.path, refused=refused)

"""The formats that sessions are read from: whatever module of this folder has a `FORMAT`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import PurePath
from typing import IO

from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.parts import FileReading

HEAD_BYTES = 1 << 16
"""How much of a file's beginning is looked at to tell its format, or the session that it is of."""

OWN = 10
"""The rank of what an agent's tool wrote itself."""

RENDERED = 5
"""The rank of what somebody else made of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFile:
    """A file of sessions, open at its start; `zone` is that of stamps which name none."""

    path: str
    handle: IO[bytes]
    limits: ReadingLimits = field(default_factory=ReadingLimits)
    zone: tzinfo = UTC

    @property
    def stem(self) -> str:
        """The file's name without its last suffix."""
        return PurePath(self.path).stem


def nothing_named(head: bytes, path: str) -> str:
    """Return no name: files of this format do not say early which session they are of."""
    del head, path
    return ""


def no_end_told(head: bytes, path: str) -> datetime | None:
    """Return no instant: files of this format do not say early when their session was last gone on with."""
    del head, path
    return None


def no_companion(path: str) -> bool:
    """Return that a file stands for itself."""
    del path
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A way of writing sessions down.

    `kind` is its name in the configuration and `tool` the name of the agent's tool. `reads` never raises for what a
    file holds: it refuses with a reason, or counts what it leaves out. `recognises` tells from a file's first
    HEAD_BYTES and its path whether it is one; `names` tells from the same which session it is of, "" if that is not
    known. Of a folder the files that end in one of `suffixes` are opened, those that are read with another
    (`is_companion`) left out. Where a format is not `dated`, its files name no days in ISO form: `latest` tells from
    the same an instant after which nothing was said; a file of which it tells none is read. Where one session is found
    in two formats the one of higher `rank` counts. `written_like` are kinds whose files cannot always be told from
    these, because one tool is built on the other.
    """

    kind: str
    tool: str
    reads: Callable[[SessionFile], FileReading]
    recognises: Callable[[bytes, str], bool]
    names: Callable[[bytes, str], str] = nothing_named
    suffixes: tuple[str, ...] = (".jsonl",)
    is_companion: Callable[[str], bool] = no_companion
    dated: bool = True
    latest: Callable[[bytes, str], datetime | None] = no_end_told
    rank: int = OWN
    written_like: tuple[str, ...] = ()


@cache
def formats() -> Mapping[str, Format]:
    """Return every format there is by its kind, sorted."""
    package = importlib.import_module(__package__)
    modules = (
        importlib.import_module(f"{package.__name__}.{one.name}") for one in pkgutil.iter_modules(package.__path__)
    )
    found = [one.FORMAT for one in modules if isinstance(getattr(one, "FORMAT", None), Format)]
    return {one.kind: one for one in sorted(found, key=lambda one: one.kind)}


def format_of(head: bytes, path: str) -> Format | None:
    """Return the format of a file by its first HEAD_BYTES and its path, None where no format recognises it."""
    return next((one for one in formats().values() if one.recognises(head, path)), None)

"""Databases that an agent's tool keeps its sessions in: read from a copy, so that nothing is written beside them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

from dream.sources.files import open_file
from dream.sources.sessions.formats.registry import SessionFile

MAGIC = b"SQLite format 3\x00"
"""How a database begins."""

_STEPS = 1_000_000
_MOST_STEPS = 50


@contextmanager
def opened_copy(file: SessionFile) -> Iterator[sqlite3.Connection]:
    """Yield a copy of a database with what its log of writes holds already, bound in what it can do.

    Raises UnreadableError for a log that cannot be read; every use can raise sqlite3.Error, also for what takes long.
    """
    with _copied(file) as path, closing(sqlite3.connect(path, isolation_level=None)) as database:
        _bind(database, file.limits.line_bytes)
        yield database


def tables_of(database: sqlite3.Connection) -> frozenset[str]:
    """Return the names of a database's tables; a view is none."""
    return frozenset(name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))


def bytes_of(value: object) -> bytes:
    """Return a value of a database as bytes, whether it was kept as a text or as bytes."""
    return value.encode("utf-8", "replace") if isinstance(value, str) else value if isinstance(value, bytes) else b""


@contextmanager
def _copied(file: SessionFile) -> Iterator[str]:
    """Yield the path of a copy of a database and of its log: opening the original could write beside it."""
    with tempfile.TemporaryDirectory(prefix="dream-store-") as folder:
        copy = Path(folder) / "store.db"
        with copy.open("wb") as target:
            shutil.copyfileobj(file.handle, target)
        file.handle.seek(0)
        if _is_regular(file.path + "-wal"):
            with (
                open_file(file.path + "-wal", limit=file.limits.file_bytes) as log,
                copy.with_name("store.db-wal").open("wb") as target,
            ):
                _copy_bounded(log, target, file.limits.file_bytes)
        yield str(copy)


def _copy_bounded(source: IO[bytes], target: IO[bytes], most: int) -> None:
    while most > 0 and (chunk := source.read(min(most, 1 << 20))):
        target.write(chunk)
        most -= len(chunk)


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def _bind(store: sqlite3.Connection, longest: int) -> None:
    """Let a database that nobody vouches for run nothing of its own, and neither long nor large."""
    store.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
    store.execute("PRAGMA trusted_schema = OFF")
    store.text_factory = _text
    left = iter(range(_MOST_STEPS))
    store.set_progress_handler(lambda: 0 if next(left, None) is not None else 1, _STEPS)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")

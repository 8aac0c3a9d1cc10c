"""Sessions of Cursor's agent as its `store.db` keeps them: messages named by their hashes, listed by a root."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path, PurePath
from typing import IO

from dream.sources.files import UnreadableError, open_file
from dream.sources.sessions.formats.cursor_turns import instant_in, tell_message
from dream.sources.sessions.formats.objects import Record, is_map, maps_at, moment, text_at
from dream.sources.sessions.formats.registry import OWN, Format, SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID, LONGEST_TITLE, Gathering
from dream.sources.sessions.parts import FileReading
from dream.sources.strict_json import BadJSONError, parse_json

TOOL = "Cursor"
_MAGIC = b"SQLite format 3\x00"
_NO_STORE = "not a store of Cursor"
_NO_MESSAGES = "its messages are not in the store"
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){1,500000}")
_ID_BYTES = 32
_LISTED = 1
_VARINT, _BYTES, _FIXED = 0, 2, {1: 8, 5: 4}
_WIRE_BITS, _WIRE_MASK = 3, 7
_GOES_ON = 0x80
_LONGEST_VARINT = 64
_STEPS = 1_000_000
_MOST_STEPS = 2_000
_MOST_MESSAGES = 100_000
_UNNAMED = "New Agent"


def read_store(file: SessionFile) -> FileReading:
    """Return what a store of Cursor holds, or why that cannot be had; it is read from a copy and never written to.

    What its log of writes holds already is read with it. Messages name no instant but, in newer stores, that at which
    a person spoke: the beginning of the session stands for those before.
    """
    gathering = Gathering(file, tool=TOOL)
    try:
        with _copied(file) as path, closing(sqlite3.connect(path, isolation_level=None)) as store:
            _bind(store, file.limits.line_bytes)
            reason = _tell(store, file, gathering)
    except UnreadableError as error:
        reason = str(error)
    except sqlite3.Error:
        reason = _NO_STORE
    return FileReading(refused=reason, left_out=gathering.reading.left_out) if reason else gathering.finished()


def names_session(head: bytes, path: str) -> str:
    """Return the session that a store's folder is named by."""
    del head
    return PurePath(path).parent.name


def is_store(head: bytes, path: str) -> bool:
    """Return whether a file's beginning is of a store of Cursor."""
    return path.endswith(".db") and head.startswith(_MAGIC) and b"blobs" in head and b"meta" in head


@contextmanager
def _copied(file: SessionFile) -> Iterator[str]:
    """Yield the path of a copy of a database and its log: opening the original could write beside it."""
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


def _tell(store: sqlite3.Connection, file: SessionFile, gathering: Gathering) -> str:
    """Tell the session that a store holds; return why it cannot be told, "" if it was."""
    tables = {name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"meta", "blobs"} <= tables:
        return _NO_STORE
    about = _about(store)
    root = _blob(store, text_at(about, "latestRootBlobId", most=2 * LONGEST_ID))
    if not root:
        return _NO_MESSAGES if about else _NO_STORE
    telling = gathering.of(text_at(about, "agentId", most=LONGEST_ID) or PurePath(file.path).parent.name)
    title = text_at(about, "name")
    telling.part.title = "" if title == _UNNAMED else title[:LONGEST_TITLE]
    telling.last_at = at = moment(about.get("createdAt"), file.zone)
    for name in _listed(root):
        gathering.records += 1
        message = _message(store, name, gathering)
        if message is None:
            continue
        at = _spoken_at(message) or at
        role = text_at(message, "role")
        tell_message(telling, message, role=role, stamp=at, name=name, most=file.limits.captured)
    return "" if gathering.records else _NO_MESSAGES


def _about(store: sqlite3.Connection) -> Record:
    """Return what the store says of its session: JSON, written in hexadecimal digits or as it is."""
    row = store.execute("SELECT value FROM meta WHERE key = '0'").fetchone()
    value = row[0] if row else ""
    text = value if isinstance(value, str) else value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
    try:
        found = parse_json(bytes.fromhex(text) if _HEX.fullmatch(text) else text.encode("utf-8", "replace"))
    except BadJSONError:
        return {}
    return found if is_map(found) else {}


def _blob(store: sqlite3.Connection, name: str) -> bytes:
    row = store.execute("SELECT data FROM blobs WHERE id = ?", (name,)).fetchone() if name else None
    data = row[0] if row else b""
    return data.encode("utf-8", "replace") if isinstance(data, str) else data if isinstance(data, bytes) else b""


def _message(store: sqlite3.Connection, name: str, gathering: Gathering) -> Record | None:
    left_out = gathering.reading.left_out
    try:
        data = _blob(store, name)
    except sqlite3.DataError:
        left_out["a message is too long"] += 1
        return None
    try:
        found = parse_json(data)
    except BadJSONError as error:
        left_out["a message is missing" if not data else str(error)] += 1
        return None
    return found if is_map(found) else None


def _spoken_at(message: Record) -> datetime | None:
    content = message.get("content")
    texts = [content] if isinstance(content, str) else [text_at(block, "text") for block in maps_at(message, "content")]
    return next((at for text in texts if (at := instant_in(text))), None) if message.get("role") == "user" else None


def _listed(root: bytes) -> Iterator[str]:
    """Yield the hashes that a root lists, in order: the fields numbered 1 of a protobuf message, each of 32 bytes."""
    position, found = 0, 0
    while position < len(root) and found < _MOST_MESSAGES:
        key, position = _varint(root, position)
        wire = key & _WIRE_MASK
        if wire in {_VARINT, _BYTES}:
            size, position = _varint(root, position)
            size = size if wire == _BYTES else 0
        else:
            size = _FIXED.get(wire, len(root))
        if wire == _BYTES and key >> _WIRE_BITS == _LISTED and size == _ID_BYTES:
            found += 1
            yield root[position : position + size].hex()
        position += size


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """Return the number at a position, seven bits a byte, and the position after it."""
    value = 0
    for shift in range(0, _LONGEST_VARINT, 7):
        if position >= len(data):
            break
        byte = data[position]
        value |= (byte & ~_GOES_ON) << shift
        position += 1
        if not byte & _GOES_ON:
            return value, position
    return 0, len(data)


FORMAT = Format(
    kind="cursor-store",
    tool=TOOL,
    reads=read_store,
    recognises=is_store,
    names=names_session,
    suffixes=(".db",),
    dated=False,
    rank=OWN + 1,
)

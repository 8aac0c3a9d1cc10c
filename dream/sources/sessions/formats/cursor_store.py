"""Sessions of Cursor's agent as its `store.db` keeps them: messages named by their hashes, listed by a root."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePath

from dream.sources.files import UnreadableError
from dream.sources.sessions.formats.cursor_turns import instant_in, tell_message
from dream.sources.sessions.formats.databases import MAGIC, bytes_of, opened_copy, tables_of
from dream.sources.sessions.formats.objects import Record, is_map, maps_at, moment, text_at
from dream.sources.sessions.formats.registry import OWN, Format, SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID, LONGEST_TITLE, Gathering
from dream.sources.sessions.parts import FileReading
from dream.sources.strict_json import BadJSONError, parse_json

TOOL = "Cursor"
_NO_STORE = "not a store of Cursor"
_NO_MESSAGES = "its messages are not in the store"
_HEX = re.compile(rb"(?:[0-9a-fA-F]{2}){1,500000}")
_ID_BYTES = 32
_LISTED = 1
_VARINT, _BYTES, _FIXED = 0, 2, {1: 8, 5: 4}
_WIRE_BITS, _WIRE_MASK = 3, 7
_GOES_ON = 0x80
_LONGEST_VARINT = 64
_MOST_MESSAGES = 100_000
_UNNAMED = "New Agent"


def read_store(file: SessionFile) -> FileReading:
    """Return what a store of Cursor holds, or why that cannot be had; it is read from a copy and never written to.

    What its log of writes holds already is read with it. Messages name no instant but, in newer stores, that at which
    a person spoke: the beginning of the session stands for those before.
    """
    gathering = Gathering(file, tool=TOOL)
    try:
        with opened_copy(file) as store:
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
    return path.endswith(".db") and head.startswith(MAGIC) and b"blobs" in head and b"meta" in head


def _tell(store: sqlite3.Connection, file: SessionFile, gathering: Gathering) -> str:
    """Tell the session that a store holds; return why it cannot be told, "" if it was."""
    if not {"meta", "blobs"} <= tables_of(store):
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
    data = bytes_of(row[0]) if row else b""
    try:
        found = parse_json(bytes.fromhex(data.decode()) if _HEX.fullmatch(data) else data)
    except BadJSONError:
        return {}
    return found if is_map(found) else {}


def _blob(store: sqlite3.Connection, name: str) -> bytes:
    row = store.execute("SELECT data FROM blobs WHERE id = ?", (name,)).fetchone() if name else None
    return bytes_of(row[0]) if row else b""


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

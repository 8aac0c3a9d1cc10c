"""Sessions of OpenCode as it keeps them in a database, `opencode.db`: the same records, as JSON in three tables."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping

from dream.sources.files import UnreadableError
from dream.sources.sessions.formats.databases import MAGIC, bytes_of, opened_copy, tables_of
from dream.sources.sessions.formats.objects import Record, is_map, map_at, text_at
from dream.sources.sessions.formats.opencode_turns import TOOL, Turns, note_session
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID, Gathering
from dream.sources.sessions.parts import FileReading
from dream.sources.strict_json import BadJSONError, parse_json

_TABLES = frozenset({"session", "message", "part"})
_NOT_ITS = "not a database of OpenCode"
_DEEPEST = 8
_SESSIONS = "SELECT id, parent_id, directory, title FROM session ORDER BY id"
_MESSAGES = "SELECT id, data, time_created FROM message WHERE session_id = ? ORDER BY time_created, id"
_PARTS = "SELECT id, data, message_id FROM part WHERE session_id = ? ORDER BY id"


def read_store(file: SessionFile) -> FileReading:
    """Return the sessions of a database of OpenCode, with everything that had to be left out counted.

    It is read from a copy and never written to.
    """
    gathering = Gathering(file, tool=TOOL)
    try:
        with opened_copy(file) as database:
            if not tables_of(database) >= _TABLES:
                return FileReading(refused=_NOT_ITS)
            sessions = {text_at(one, "id", most=LONGEST_ID): one for one in _sessions(database)}
            for name, session in sessions.items():
                gathering.records += 1
                _tell(database, session, file, gathering, root=_root_of(name, sessions))
    except UnreadableError as error:
        return FileReading(refused=str(error))
    except sqlite3.Error:
        return FileReading(refused=_NOT_ITS)
    return gathering.finished()


def is_store(head: bytes, path: str) -> bool:
    """Return whether a file's beginning is of a database of OpenCode."""
    return path.endswith("opencode.db") and head.startswith(MAGIC)


def is_companion(path: str) -> bool:
    """Return whether a file is another tool's database, beside which nothing is said."""
    return not path.endswith("opencode.db")


def _sessions(database: sqlite3.Connection) -> Iterator[Record]:
    for name, parent, directory, title in database.execute(_SESSIONS).fetchall():
        if isinstance(name, str) and name:
            yield {"id": name, "parentID": parent, "directory": directory, "title": title}


def _root_of(name: str, sessions: Mapping[str, Record]) -> str:
    """Return the session that a person began, of which one is a part."""
    seen = [name]
    for _ in range(_DEEPEST):
        parent = text_at(sessions.get(seen[-1], {}), "parentID", most=LONGEST_ID)
        if not parent or parent in seen:
            break
        seen.append(parent)
    return seen[-1]


def _tell(database: sqlite3.Connection, session: Record, file: SessionFile, gathering: Gathering, *, root: str) -> None:
    name, left_out = text_at(session, "id"), gathering.reading.left_out
    parts: dict[str, list[Record]] = {}
    for row in database.execute(_PARTS, (name,)):
        part = _record(row, "a part cannot be read", left_out)
        if part:
            parts.setdefault(str(row[2]), []).append(part)
    telling = gathering.of(root)
    note_session(telling, session)
    turns = Turns(telling, file, left_out)
    for row in database.execute(_MESSAGES, (name,)):
        message = _record(row, "a message cannot be read", left_out)
        if message:
            time = map_at(message, "time")
            turns.take({**message, "time": {"created": row[2], **time}}, parts.get(str(row[0]), []))


def _record(row: tuple[object, ...], reason: str, left_out: Counter[str]) -> Record:
    """Return the record in a row, under the id that the row has."""
    try:
        record = parse_json(bytes_of(row[1]))
    except BadJSONError:
        record = None
    if not is_map(record) or not isinstance(row[0], str):
        left_out[reason] += 1
        return {}
    return {**record, "id": row[0]}


FORMAT = Format(
    kind="opencode-store",
    tool=TOOL,
    reads=read_store,
    recognises=is_store,
    suffixes=(".db",),
    is_companion=is_companion,
    dated=False,
)

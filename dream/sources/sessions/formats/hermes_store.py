"""Sessions of Hermes Agent as it keeps them in its database, `state.db`: sessions, and their messages with instants."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping

from dream.sources.files import UnreadableError
from dream.sources.sessions.formats.databases import MAGIC, bytes_of, opened_copy, tables_of
from dream.sources.sessions.formats.hermes_turns import TOOL, Turns
from dream.sources.sessions.formats.objects import Record, text_at
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID, LONGEST_PATH, LONGEST_TITLE, Gathering
from dream.sources.sessions.parts import FileReading
from dream.sources.strict_json import BadJSONError, parse_json

_TABLES = {"sessions": {"id", "started_at"}, "messages": {"id", "session_id", "role", "content", "timestamp"}}
_NOT_ITS = "not a database of Hermes"
_BLOCKS = b"\x00json:"
_GONE_ON = frozenset({"compression", "compressed", "branched"})
"""How a session ended whose successor is the same person's conversation; any other child is a subagent's."""


def read_store(file: SessionFile) -> FileReading:
    """Return the sessions of a database of Hermes, with everything that had to be left out counted.

    It is read from a copy and never written to. Messages that a person took back are left out.
    """
    gathering = Gathering(file, tool=TOOL)
    try:
        with opened_copy(file) as database:
            if not tables_of(database) >= set(_TABLES):
                return FileReading(refused=_NOT_ITS)
            if not all(_columns(database, table) >= needed for table, needed in _TABLES.items()):
                return FileReading(refused=_NOT_ITS)
            sessions = {text_at(one, "id", most=LONGEST_ID): one for one in _rows(database, "SELECT * FROM sessions")}
            for name in filter(None, sessions):
                gathering.records += 1
                _tell(database, name, sessions, file, gathering)
    except UnreadableError as error:
        return FileReading(refused=str(error))
    except sqlite3.Error:
        return FileReading(refused=_NOT_ITS)
    return gathering.finished()


def is_store(head: bytes, path: str) -> bool:
    """Return whether a file's beginning is of the database of Hermes."""
    return path.endswith("state.db") and head.startswith(MAGIC)


def is_companion(path: str) -> bool:
    """Return whether a file is another tool's database, in which nothing is said."""
    return not path.endswith("state.db")


def _columns(database: sqlite3.Connection, table: str) -> set[str]:
    return {name for (name,) in database.execute("SELECT name FROM pragma_table_info(?)", (table,))}


def _rows(database: sqlite3.Connection, query: str, *given: object) -> Iterator[Record]:
    cursor = database.execute(query, given)
    names = [column[0] for column in cursor.description]
    for row in cursor:
        yield dict(zip(names, row, strict=True))


def _tell(
    database: sqlite3.Connection,
    name: str,
    sessions: Mapping[str, Record],
    file: SessionFile,
    gathering: Gathering,
) -> None:
    session = sessions[name]
    telling = gathering.of(name)
    telling.is_subagent = _is_subagent(session, sessions)
    telling.part.title = text_at(session, "title", most=LONGEST_TITLE)
    cwd = text_at(session, "cwd", most=LONGEST_PATH)
    telling.part.cwd = "" if cwd in {"~", "~/", "."} else cwd
    turns = Turns(telling, file)
    for message in _rows(database, "SELECT * FROM messages WHERE session_id = ? ORDER BY timestamp, id", name):
        if message.get("active") == 0:
            gathering.reading.left_out["a message was taken back"] += 1
        else:
            turns.take(_as_written(message), session.get("started_at"))


def _is_subagent(session: Record, sessions: Mapping[str, Record]) -> bool:
    parent = text_at(session, "parent_session_id", most=LONGEST_ID)
    ended = text_at(sessions.get(parent, {}), "end_reason")
    return text_at(session, "source") == "subagent" or (bool(parent) and ended not in _GONE_ON)


def _as_written(message: Record) -> Record:
    """Return a row as the message that it was made of: blocks and calls are kept as JSON."""
    content = bytes_of(message.get("content"))
    blocks = _json(content[len(_BLOCKS) :]) if content.startswith(_BLOCKS) else message.get("content")
    return {**message, "content": blocks, "tool_calls": _json(bytes_of(message.get("tool_calls")))}


def _json(data: bytes) -> object:
    try:
        return parse_json(data) if data else None
    except BadJSONError:
        return None


FORMAT = Format(
    kind="hermes-store",
    tool=TOOL,
    reads=read_store,
    recognises=is_store,
    suffixes=(".db",),
    is_companion=is_companion,
    dated=False,
)

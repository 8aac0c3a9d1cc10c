from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dream.sources.sessions.formats.hermes_store import FORMAT, is_store, read_store
from dream.sources.sessions.formats.registry import HEAD_BYTES, SessionFile, format_of
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role
from tests.sources.sessions.transcripts import START, at, messages, said

TABLES = """
CREATE TABLE sessions
  (id TEXT PRIMARY KEY, source TEXT, parent_session_id TEXT, started_at REAL, end_reason TEXT, title TEXT, cwd TEXT);
CREATE TABLE messages
  (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT,
   tool_name TEXT, timestamp REAL, finish_reason TEXT, active INTEGER DEFAULT 1);
"""


class Store:
    """A database of Hermes, filled row by row."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self.database = database

    def session(self, name: str = "s1", *, parent: str | None = None, ended: str = "", source: str = "cli") -> None:
        row = (name, source, parent, START.timestamp(), ended, f"Ports {name}", "/srv/web")
        self.database.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def message(self, minute: int, role: str, content: str, *, session: str = "s1", **fields: object) -> None:
        row = {"session_id": session, "role": role, "content": content, "timestamp": at(minute).timestamp(), **fields}
        query = f"INSERT INTO messages ({', '.join(row)}) VALUES ({', '.join('?' for _ in row)})"  # noqa: S608  # names of our own
        self.database.execute(query, tuple(row.values()))

    def read(self) -> FileReading:
        self.database.commit()
        with self.path.open("rb") as handle:
            return read_store(SessionFile(path=str(self.path), handle=handle))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "state.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(TABLES)
        yield Store(path, database)


def test_messages_of_a_database_are_read_with_their_own_instants(store: Store) -> None:
    calls = [{"id": "c1", "function": {"name": "terminal", "arguments": json.dumps({"command": "ss"})}}]
    store.session()
    store.message(1, "user", "which port?")
    store.message(2, "assistant", "", tool_calls=json.dumps(calls))
    store.message(3, "tool", json.dumps({"output": "80", "exit_code": 0, "error": None}), tool_call_id="c1")
    store.message(4, "assistant", "80.")
    reading = store.read()
    assert said(reading) == [(Role.PERSON, "which port?"), (Role.TOOL, "80"), (Role.AGENT, "80.")]
    (part,) = reading.parts
    assert (part.id, part.title, part.cwd, part.tool) == ("s1", "Ports s1", "/srv/web", "Hermes")
    assert [(message.at, message.command, message.exit_code) for message in part.messages] == [
        (at(1), "", None),
        (at(3), "ss", 0),
        (at(4), "", None),
    ]


def test_blocks_are_kept_behind_a_mark(store: Store) -> None:
    store.session()
    store.message(1, "user", "\x00json:" + json.dumps([{"type": "text", "text": "hello"}, {"type": "image_url"}]))
    assert said(store.read()) == [(Role.PERSON, "hello")]


@pytest.mark.parametrize(
    ("ended", "source", "role"),
    [
        ("compression", "cli", Role.PERSON),
        ("branched", "telegram", Role.PERSON),
        ("", "cli", Role.AGENT),
        ("compression", "subagent", Role.AGENT),
    ],
)
def test_a_session_with_a_parent_is_a_subagents_unless_that_one_went_on_in_it(
    store: Store, ended: str, source: str, role: Role
) -> None:
    store.session(ended=ended)
    store.session("s2", parent="s1", source=source)
    store.message(1, "user", "hello", session="s2")
    assert [message.role for message in messages(store.read())] == [role]


def test_what_was_taken_back_is_left_out_and_counted(store: Store) -> None:
    store.session()
    store.message(1, "user", "hello")
    store.message(2, "user", "no", active=0)
    reading = store.read()
    assert said(reading) == [(Role.PERSON, "hello")]
    assert reading.left_out == {"a message was taken back": 1}


@pytest.mark.parametrize("change", ["DROP TABLE messages", "ALTER TABLE messages RENAME COLUMN role TO who"])
def test_a_database_of_another_shape_is_refused(store: Store, change: str) -> None:
    store.database.execute(change)
    assert store.read().refused == "not a database of Hermes"


def test_values_of_another_shape_never_raise(store: Store) -> None:
    store.session()
    store.message(1, "user", "hello")
    store.message(2, "assistant", "x", tool_calls="{")
    store.message(3, "tool", "y", tool_call_id=7, tool_name=None)
    store.database.execute("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s1', 7, x'ff', 'x')")
    assert said(store.read())[0] == (Role.PERSON, "hello")


def test_a_database_is_known_by_its_name_and_its_beginning(store: Store) -> None:
    head = store.path.read_bytes()[:HEAD_BYTES]
    assert is_store(head, str(store.path))
    assert not is_store(head, "/srv/other.db")
    found = format_of(head, str(store.path))
    assert found is not None
    assert found.kind == FORMAT.kind == "hermes-store"
    assert FORMAT.is_companion("/srv/other.db")

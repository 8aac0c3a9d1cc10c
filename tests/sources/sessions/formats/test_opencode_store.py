from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dream.sources.sessions.formats.opencode_store import FORMAT, is_store, read_store
from dream.sources.sessions.formats.registry import HEAD_BYTES, SessionFile, format_of
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Role, SessionSource
from tests.sources.sessions.transcripts import START, Record, said

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
BEGAN = int(START.timestamp() * 1000)
TABLES = """
CREATE TABLE session
  (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, time_updated integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, data text);
"""


class Store:
    """A database of OpenCode, filled row by row."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self.database = database

    def session(self, name: str = "ses_1", parent: str | None = None) -> None:
        self._put("session", name, "proj", parent, "/srv/web", "Ports", BEGAN)

    def message(self, number: int, role: str, *parts: Record | str, session: str = "ses_1") -> None:
        name, at = f"msg_{number}", BEGAN + number * 60_000
        self._put("message", name, session, at, at, json.dumps({"role": role}))
        for place, part in enumerate(parts):
            data = part if isinstance(part, str) else json.dumps(part)
            self._put("part", f"prt_{number}{place}", name, session, at, data)

    def read(self) -> FileReading:
        self.database.commit()
        with self.path.open("rb") as handle:
            return read_store(SessionFile(path=str(self.path), handle=handle))

    def _put(self, table: str, *values: object) -> None:
        marks = ", ".join("?" for _ in values)
        self.database.execute(f"INSERT INTO {table} VALUES ({marks})", values)  # noqa: S608  # names of our own


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(TABLES)
        yield Store(path, database)


def text(words: str) -> Record:
    return {"type": "text", "text": words}


def test_messages_and_parts_of_a_database_are_read_as_those_of_files(store: Store) -> None:
    state = {"status": "completed", "input": {"command": "ss"}, "output": "80", "metadata": {"exit": 0}}
    store.session()
    store.message(2, "assistant", {"type": "tool", "tool": "bash", "state": state}, text("80."))
    store.message(1, "user", text("which port?"), {**text("obey"), "synthetic": True})
    store.database.commit()
    source = SessionSource(kind="opencode-store", path=str(store.path.parent))
    (session,) = read_sessions([source], since=EVER, now=NOW).sessions
    assert [(message.role, message.text, message.id) for message in session.messages] == [
        (Role.PERSON, "which port?", "prt_10"),
        (Role.HARNESS, "obey", "prt_11"),
        (Role.TOOL, "80", "prt_20"),
        (Role.AGENT, "80.", "prt_21"),
    ]
    assert (session.id, session.title, session.repository) == ("ses_1", "Ports", "web")
    assert (session.messages[2].command, session.messages[2].exit_code) == ("ss", 0)


def test_a_subagents_session_belongs_to_the_one_that_a_person_began(store: Store) -> None:
    store.session()
    store.session("ses_2", "ses_1")
    store.session("ses_3", "ses_2")
    store.message(1, "user", text("hello"))
    store.message(2, "user", text("dig"), session="ses_3")
    (part,) = store.read().parts
    assert [(message.role, message.text) for message in part.messages] == [
        (Role.PERSON, "hello"),
        (Role.AGENT, "dig"),
    ]


def test_sessions_that_name_each_other_as_parents_end(store: Store) -> None:
    store.session("ses_1", "ses_2")
    store.session("ses_2", "ses_1")
    store.message(1, "user", text("hello"))
    assert said(store.read()) == [(Role.AGENT, "hello")]


def test_what_cannot_be_read_is_counted(store: Store) -> None:
    store.session()
    store.message(1, "user", text("hello"), "{", "[]")
    store.database.execute("UPDATE message SET data = data || ' '")
    store.database.execute("INSERT INTO message VALUES ('msg_x', 'ses_1', 1, 1, 'x')")
    reading = store.read()
    assert said(reading) == [(Role.PERSON, "hello")]
    assert reading.left_out == {"a part cannot be read": 2, "a message cannot be read": 1}


@pytest.mark.parametrize("change", ["DROP TABLE part", "ALTER TABLE session RENAME COLUMN title TO name"])
def test_a_database_of_another_shape_is_refused(store: Store, change: str) -> None:
    store.database.execute(change)
    assert store.read().refused == "not a database of OpenCode"


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    path.write_bytes(b"SQLite format 3\x00" + b"x" * 4_000)
    with path.open("rb") as handle:
        assert read_store(SessionFile(path=str(path), handle=handle)).refused == "not a database of OpenCode"


def test_an_empty_database_gives_nothing(store: Store) -> None:
    assert store.read().refused == "empty"


def test_a_database_is_known_by_its_name_and_its_beginning(store: Store) -> None:
    head = store.path.read_bytes()[:HEAD_BYTES]
    assert is_store(head, str(store.path))
    assert not is_store(head, "/srv/other.db")
    found = format_of(head, str(store.path))
    assert found is not None
    assert found.kind == FORMAT.kind == "opencode-store"
    assert FORMAT.is_companion("/srv/other.db")

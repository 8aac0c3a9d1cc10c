from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from dream.sources.sessions.formats.cursor_store import FORMAT, read_store
from dream.sources.sessions.formats.registry import HEAD_BYTES, SessionFile
from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role
from tests.sources.sessions.formats.told import only_part
from tests.sources.sessions.transcripts import SESSION, Record, at, messages, said

TABLES = "CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);"
ABOUT: Record = {"agentId": SESSION, "name": "Queues", "mode": "default", "createdAt": int(at(0).timestamp() * 1000)}
TURNS: Sequence[Record] = (
    {"role": "system", "content": "You are a careful agent."},
    {"role": "user", "content": [{"type": "text", "text": "<user_info>\nWorkspace Path: /home/ana/web\n</user_info>"}]},
    {"role": "user", "content": [{"type": "text", "text": "<user_query>\ndoes it pass?\n</user_query>"}]},
    {
        "role": "assistant",
        "content": [
            {"type": "reasoning", "text": "hm"},
            {"type": "text", "text": "I look."},
            {"type": "tool-call", "toolCallId": "t1", "toolName": "Shell", "args": {"command": "make test"}},
        ],
    },
    {
        "role": "tool",
        "content": [{"type": "tool-result", "toolCallId": "t1", "toolName": "Shell", "result": "3 passed"}],
    },
)


def field(number: int, data: bytes) -> bytes:
    return bytes([number << 3 | 2, len(data)]) + data


def fill(
    store: sqlite3.Connection, turns: Sequence[Record], *, about: Record = ABOUT, listed: int | None = None
) -> None:
    blobs = [json.dumps(turn).encode() for turn in turns]
    names = [hashlib.sha256(blob).digest() for blob in blobs]
    # Numbers, fixed widths and other fields stand between those that list the messages.
    root = (
        b"\x10\xac\x02" + b"\x19" + bytes(8) + b"".join(field(1, name) for name in names) + field(9, b"/home/ana/web")
    )
    told = {**about, "latestRootBlobId": hashlib.sha256(root).hexdigest()}
    rows = [(name.hex(), blob) for name, blob in zip(names, blobs, strict=True)][:listed]
    store.executemany("INSERT OR IGNORE INTO blobs VALUES (?, ?)", [*rows, (told["latestRootBlobId"], root)])
    store.execute("INSERT OR REPLACE INTO meta VALUES ('0', ?)", (json.dumps(told).encode().hex(),))
    store.commit()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / SESSION
    folder.mkdir()
    return folder / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as opened:
        opened.executescript(TABLES)
        yield opened


def read(path: Path, *, limits: ReadingLimits | None = None) -> FileReading:
    with path.open("rb") as handle:
        return read_store(SessionFile(path=str(path), handle=handle, limits=limits or ReadingLimits()))


def test_a_session_is_its_messages_in_the_order_that_the_root_lists(store: sqlite3.Connection, path: Path) -> None:
    fill(store, TURNS)
    reading = read(path)
    assert said(reading) == [
        (Role.HARNESS, "You are a careful agent."),
        (Role.HARNESS, "<user_info>\nWorkspace Path: /home/ana/web\n</user_info>"),
        (Role.PERSON, "does it pass?"),
        (Role.AGENT, "I look."),
        (Role.TOOL, "3 passed"),
    ]
    part = only_part(reading)
    assert (part.id, part.title, part.cwd, part.tool) == (SESSION, "Queues", "/home/ana/web", "Cursor")
    assert {message.at for message in part.messages} == {at(0)}
    assert part.messages[-1].command == "make test"


def test_ids_are_the_messages_own_however_the_session_grows(store: sqlite3.Connection, path: Path) -> None:
    fill(store, TURNS[:3])
    early = [message.id for message in messages(read(path))]
    fill(store, TURNS)
    assert [message.id for message in messages(read(path))][: len(early)] == early


def test_the_instant_at_which_a_person_spoke_holds_for_what_follows(store: sqlite3.Connection, path: Path) -> None:
    stamp = "<timestamp>Wednesday, Oct 21, 2026, 9:05 AM (UTC)</timestamp>\n"
    asked = {"role": "user", "content": f"{stamp}<user_query>\nwell?\n</user_query>"}
    fill(store, [*TURNS, asked, {"role": "assistant", "content": "It passes."}])
    assert [message.at for message in messages(read(path))][-2:] == [at(5), at(5)]


def test_what_stands_in_the_log_only_is_read_and_nothing_is_written_beside_the_store(
    store: sqlite3.Connection, path: Path
) -> None:
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("PRAGMA wal_autocheckpoint = 0")
    fill(store, TURNS)
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    assert "does it pass?" in [text for _, text in said(read(path))]
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_a_log_that_is_a_link_is_not_followed(store: sqlite3.Connection, path: Path, tmp_path: Path) -> None:
    fill(store, TURNS)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"\x37\x7f\x06\x82" + bytes(1000))
    Path(f"{path}-wal").symlink_to(elsewhere)
    assert len(messages(read(path))) == len(TURNS)


def test_a_message_that_is_missing_or_no_json_is_left_out(store: sqlite3.Connection, path: Path) -> None:
    fill(store, TURNS, listed=4)
    store.execute("UPDATE blobs SET data = x'0a0568656c6c6f' WHERE rowid = 1")
    store.commit()
    reading = read(path)
    assert "3 passed" not in [text for _, text in said(reading)]
    assert reading.left_out == {"a message is missing": 1, "not JSON": 1}


def test_a_message_that_is_too_long_is_left_out(store: sqlite3.Connection, path: Path) -> None:
    fill(store, [*TURNS, {"role": "assistant", "content": "x" * 5000}])
    reading = read(path, limits=ReadingLimits(line_bytes=2000))
    assert (len(messages(reading)), reading.left_out) == (len(TURNS), {"a message is too long": 1})


@pytest.mark.parametrize("turns", [[], None])
def test_a_store_without_messages_is_refused(
    store: sqlite3.Connection, path: Path, turns: Sequence[Record] | None
) -> None:
    told = json.dumps({**ABOUT, "latestRootBlobId": "deadbeef"})
    if turns is None:
        store.execute("INSERT INTO meta VALUES ('0', ?)", (told,))
        store.commit()
    else:
        fill(store, turns)
    assert read(path).refused == "its messages are not in the store"


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE other (x);",
        TABLES,
        "CREATE TABLE meta (key, value); CREATE VIEW blobs AS SELECT 1 AS id, 2 AS data;",
        "CREATE TABLE blobs (id, data); CREATE TABLE meta (key, value); INSERT INTO meta VALUES ('0', 'not json');",
        "CREATE TABLE meta (x); CREATE TABLE blobs (y);",
    ],
)
def test_another_database_is_refused(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as opened:
        opened.executescript(script)
    assert read(path).refused == "not a store of Cursor"


@pytest.mark.parametrize("data", [b"", b"hello", b"SQLite format 3\x00" + bytes(500)])
def test_what_is_no_database_is_refused(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    assert read(path).refused == "not a store of Cursor"


def test_a_store_that_is_cut_off_is_refused_or_read_and_never_raises(store: sqlite3.Connection, path: Path) -> None:
    fill(store, [*TURNS, *({"role": "assistant", "content": f"{number}" * 300} for number in range(50))])
    whole = path.read_bytes()
    for size in range(0, len(whole), 997):
        path.write_bytes(whole[:size])
        reading = read(path)
        assert bool(reading.parts) != bool(reading.refused)


def test_a_store_is_recognised_by_its_beginning_and_named_by_its_folder(store: sqlite3.Connection, path: Path) -> None:
    fill(store, TURNS)
    head = path.read_bytes()[:HEAD_BYTES]
    assert FORMAT.recognises(head, str(path))
    assert not FORMAT.recognises(head, "/srv/one.jsonl")
    assert FORMAT.names(head, str(path)) == SESSION

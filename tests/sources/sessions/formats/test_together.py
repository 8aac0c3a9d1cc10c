"""Sessions that lie in several files, of one kind or of several, put together by a reading."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Reading, Role, SessionSource
from tests.sources.sessions.transcripts import SESSION, START, Record, at, jsonl, stamp, write

OTHER = "0e11e0d1-0000-4000-8000-000000000002"
MIDNIGHT = START.replace(hour=0) + timedelta(days=1)
NOON = MIDNIGHT + timedelta(hours=12)


def read(*sources: tuple[str, Path], since: datetime = START, until: datetime | None = None) -> Reading:
    given = [SessionSource(kind=kind, path=str(path)) for kind, path in sources]
    return read_sessions(given, since=since, now=NOON, until=until)


def meta(minute: int, session: str, /, **fields: object) -> Record:
    return {"timestamp": stamp(minute), "type": "session_meta", "payload": {"id": session, "cwd": "/w/web", **fields}}


def spoken(minute: int, role: str, text: str) -> Record:
    content = [{"type": "input_text", "text": text}]
    return {
        "timestamp": stamp(minute),
        "type": "response_item",
        "payload": {"type": "message", "role": role, "content": content},
    }


def rollout(folder: Path, minute: int, session: str, *records: Record) -> Path:
    name = f"2026/10/21/rollout-2026-10-21T09-{minute:02d}-00-{session}.jsonl"
    return write(folder, name, jsonl(list(records)))


def test_a_subagents_rollout_is_a_part_of_its_parents_session(tmp_path: Path) -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": SESSION, "depth": 1}}}
    rollout(tmp_path, 0, SESSION, meta(0, SESSION), spoken(1, "user", "look"), spoken(5, "assistant", "I looked."))
    rollout(tmp_path, 2, OTHER, meta(2, OTHER, source=spawned), spoken(3, "user", "Look for leaks."))
    reading = read(("codex", tmp_path))
    (session,) = reading.sessions
    assert [(message.role, message.text) for message in session.messages] == [
        (Role.PERSON, "look"),
        (Role.AGENT, "Look for leaks."),
        (Role.AGENT, "I looked."),
    ]
    assert len(session.origin_files) == 2


def test_snapshots_of_a_rollout_are_one_session_whatever_they_are_called(tmp_path: Path) -> None:
    records = [meta(0, SESSION), *(spoken(minute, "user", "yes") for minute in range(1, 6))]
    for number in range(2, 6):
        write(tmp_path, f"copy-{number}.jsonl", jsonl(records[: number + 1]))
    (session,) = read(("codex", tmp_path)).sessions
    assert [message.at for message in session.messages] == [at(minute) for minute in range(1, 6)]


def test_a_session_over_midnight_is_whole_on_the_second_day_and_cut_on_the_first(tmp_path: Path) -> None:
    late = [spoken(14 * 60 + 59, "user", "before"), spoken(15 * 60 + 1, "user", "after")]
    rollout(tmp_path, 0, SESSION, meta(0, SESSION), *late)
    (first,) = read(("codex", tmp_path), until=MIDNIGHT).sessions
    (second,) = read(("codex", tmp_path), since=MIDNIGHT).sessions
    assert [message.text for message in first.messages] == ["before"]
    assert [message.text for message in second.messages] == ["before", "after"]
    assert second.messages[0].id == first.messages[0].id


def test_where_a_chat_of_cursor_lies_in_two_forms_the_richer_counts(tmp_path: Path) -> None:
    typed = f"<timestamp>Wednesday, Oct 21, 2026, 9:01 AM (UTC)</timestamp>\n<user_query>\n{SESSION}\n</user_query>"
    line = {"role": "user", "message": {"content": [{"type": "text", "text": typed}]}}
    transcript = write(tmp_path, f"transcripts/{SESSION}/{SESSION}.jsonl", jsonl([line]))
    database = tmp_path / "state.vscdb"
    composer = {"composerId": SESSION, "fullConversationHeadersOnly": [{"bubbleId": "b1"}, {"bubbleId": "b2"}]}
    rows = {
        f"composerData:{SESSION}": composer,
        f"bubbleId:{SESSION}:b1": {"type": 1, "text": SESSION, "createdAt": stamp(1)},
        f"bubbleId:{SESSION}:b2": {"type": 2, "text": "Done.", "createdAt": stamp(2)},
    }
    with closing(sqlite3.connect(database)) as opened:
        opened.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
        opened.executemany(
            "INSERT INTO cursorDiskKV VALUES (?, ?)", [(key, json.dumps(row)) for key, row in rows.items()]
        )
        opened.commit()
    (session,) = read(("cursor", transcript.parent), ("cursor-editor", tmp_path)).sessions
    assert [(message.role, message.text) for message in session.messages] == [
        (Role.PERSON, SESSION),
        (Role.AGENT, "Done."),
    ]


def test_a_subagents_transcript_of_cursor_is_a_part_of_its_parents_session(tmp_path: Path) -> None:
    def line(role: str, text: str) -> Record:
        return {"role": role, "message": {"content": [{"type": "text", "text": text}]}}

    above = "<timestamp>Wednesday, Oct 21, 2026, 9:0{} AM (UTC)</timestamp>\n<user_query>\n{}\n</user_query>"
    write(tmp_path, f"{SESSION}/{SESSION}.jsonl", jsonl([line("user", above.format(1, "look"))]))
    child = jsonl([line("user", above.format(2, "Look for leaks.")), line("assistant", "None.")])
    write(tmp_path, f"{SESSION}/subagents/{OTHER}.jsonl", child)
    (session,) = read(("cursor", tmp_path)).sessions
    assert [(one.role, one.text) for one in session.messages if one.role is not Role.HARNESS] == [
        (Role.PERSON, "look"),
        (Role.AGENT, "Look for leaks."),
        (Role.AGENT, "None."),
    ]


def test_a_stream_whose_instants_are_numbers_is_read_whatever_days_it_speaks_of(tmp_path: Path) -> None:
    said = {"type": "message", "session_id": SESSION, "role": "user", "text": "since 2020-01-01 08:00 it stalls"}
    write(tmp_path, "one.jsonl", jsonl([{**said, "timestamp": int(at(1).timestamp() * 1000)}]))
    assert [session.id for session in read(("droid", tmp_path)).sessions] == [SESSION]


def test_a_document_of_gemini_and_the_lines_that_it_went_on_in_are_one_session(tmp_path: Path) -> None:
    head = {"sessionId": SESSION, "projectHash": "0b" * 32, "startTime": stamp(0)}
    turns = [
        {"id": f"m{minute}", "timestamp": stamp(minute), "type": "user", "content": f"{minute}"} for minute in (1, 2)
    ]
    write(tmp_path, "chats/session-1.json", json.dumps({**head, "messages": turns[:1]}).encode())
    write(tmp_path, "chats/session-1.jsonl", jsonl([head, *turns]))
    write(tmp_path, "logs.json", b"[]")
    reading = read(("gemini", tmp_path))
    (session,) = reading.sessions
    assert [message.text for message in session.messages] == ["1", "2"]
    assert [skipped.expected for skipped in reading.skipped] == [True]

from __future__ import annotations

import json
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from dream.sources.sessions.formats.hermes import FORMAT, is_hermes, read_hermes
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Role, SessionSource
from tests.sources.sessions.transcripts import START, Record, jsonl, messages, said, stamp

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def document(*told: Record, **fields: object) -> bytes:
    whole = {"session_id": "20261021_090000", "platform": "cli", "session_start": stamp(0), "cwd": "/srv/web", **fields}
    return json.dumps({**whole, "messages": list(told)}, indent=2).encode()


def user(words: object, **fields: object) -> Record:
    return {"role": "user", "content": words, **fields}


def agent(words: str, *calls: Record) -> Record:
    return {"role": "assistant", "content": words, "reasoning": "hm", "tool_calls": list(calls)}


def call(key: str, tool: str, given: Record) -> Record:
    return {"id": key, "type": "function", "function": {"name": tool, "arguments": json.dumps(given)}}


def result(key: str, words: str, **fields: object) -> Record:
    return {"role": "tool", "content": words, "tool_call_id": key, **fields}


def read(data: bytes, *, path: str = "/srv/sessions/session_7.json", zone: str = "UTC") -> FileReading:
    return read_hermes(SessionFile(path=path, handle=BytesIO(data), zone=ZoneInfo(zone)))


def test_a_document_is_a_session_and_everything_is_said_when_it_began() -> None:
    reading = read(document(user("hello"), agent("Hi."), {"role": "session_meta"}))
    assert said(reading) == [(Role.PERSON, "hello"), (Role.AGENT, "Hi.")]
    (part,) = reading.parts
    assert (part.id, part.tool, part.cwd) == ("20261021_090000", "Hermes", "/srv/web")
    assert {message.at for message in part.messages} == {START}


def test_a_message_with_an_instant_has_its_own_and_one_without_a_zone_is_local() -> None:
    data = document(user("a", timestamp=stamp(7)), user("b"), session_start="2026-10-21T09:00:00")
    assert [message.at for message in messages(read(data, zone="Europe/Vienna"))] == [
        datetime(2026, 10, 21, 9, 7, tzinfo=UTC),
        datetime(2026, 10, 21, 7, 0, tzinfo=UTC),
    ]


def test_a_command_says_with_which_code_it_ended() -> None:
    told = json.dumps({"output": "no such file", "exit_code": 2, "error": None})
    reading = read(document(agent("", call("c1", "terminal", {"command": "ls x"})), result("c1", told)))
    (message,) = messages(reading)
    assert (message.command, message.exit_code, message.failed, message.text) == ("ls x", 2, True, "no such file")


def test_what_is_found_on_the_way_of_a_call_is_recalled() -> None:
    told = json.dumps({"output": "ok", "exit_code": 0, "error": None})
    found = "[Subdirectory context discovered: web/AGENTS.md]\nUse tabs."
    reading = read(document(agent("", call("c1", "terminal", {"command": "ls"})), result("c1", f"{told}\n\n{found}")))
    assert said(reading) == [(Role.TOOL, "ok"), (Role.RECALLED, found)]


def test_a_tool_that_says_it_failed_has_failed() -> None:
    reading = read(document(agent("", call("c1", "web", {"url": "x"})), result("c1", "none", finish_reason="error")))
    assert [(message.failed, message.tool) for message in messages(reading)] == [(True, "web: x")]


def test_what_a_memory_tool_gives_back_is_recalled() -> None:
    reading = read(document(agent("", call("c1", "memory", {"query": "x"})), result("c1", "Use tabs.")))
    assert said(reading) == [(Role.RECALLED, "Use tabs.")]


@pytest.mark.parametrize(
    "words",
    [
        '[System: The user has invoked the "audit" skill]\n\n---\nname: audit',
        '[IMPORTANT: The user has invoked the "audit" skill, indicating they want you to follow it.]',
        "[IMPORTANT: You are running as a scheduled cron job.]",
        "[CONTEXT COMPACTION] Earlier turns were compacted",
        "[Your active task list was preserved across context compression]\n- a",
    ],
)
def test_what_hermes_puts_in_a_users_place_is_no_persons(words: str) -> None:
    assert said(read(document(user(words)))) == [(Role.HARNESS, words)]


def test_a_subagents_document_has_no_person() -> None:
    assert said(read(document(user("search"), platform="subagent"))) == [(Role.AGENT, "search")]


def test_messages_of_one_session_a_line_are_named_by_the_file() -> None:
    lines = jsonl([user("no"), {"role": "session_meta", "timestamp": stamp(0)}, user("hello", timestamp=stamp(1)), "x"])
    reading = read(lines, path="/srv/sessions/20261021_0900.jsonl")
    assert [(part.id, part.messages[0].text) for part in reading.parts] == [("20261021_0900", "hello")]
    assert reading.left_out == {"a line is not an object": 1}


def test_a_document_that_was_written_again_keeps_its_ids() -> None:
    first, second = read(document(user("a"), agent("b"))), read(document(user("a"), agent("b"), user("c"), agent("b")))
    assert [one.id for one in messages(second)][:2] == [one.id for one in messages(first)]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"{", "not JSON"),
        (b'{\n"a": 1, "a": 2\n}', "a key stands twice"),
        (document(), "no message of Hermes in it"),
        (document(user("a"), session_start=None), "a message has no instant"),
    ],
)
def test_a_file_that_is_no_session_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    assert read(data).refused == reason


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [None], {"function": 7}])
@pytest.mark.parametrize("key", ["role", "content", "tool_calls", "tool_call_id", "timestamp"])
def test_a_value_of_another_shape_never_raises(key: str, value: object) -> None:
    record = {**agent("a", call("c1", "terminal", {"command": "x"})), key: value}
    assert (Role.PERSON, "hello") in said(read(document(user("hello"), record, {**result("c1", "y"), key: value})))


def test_a_session_is_known_by_its_keys() -> None:
    assert is_hermes(document(user("a")), "/srv/one.json")
    assert not is_hermes(b'{"session_id": "x"}', "/srv/one.json")
    assert is_hermes(b'{"role": "session_meta"}\n', "/srv/one.jsonl")
    assert not is_hermes(b'{"type": "session_start", "role": "user"}\n', "/srv/one.jsonl")
    assert FORMAT.names(document(), "/srv/session_7.json") == "20261021_090000"
    assert FORMAT.names(b"", "/srv/session_7.json") == "7"


def test_real_sessions_are_read(shared_data: Path) -> None:
    folder = shared_data / "transcripts/jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/hermes"
    reading = read_sessions([SessionSource(kind="hermes", path=str(folder))], since=EVER, now=NOW)
    assert [(session.id, [m.role.value for m in session.messages]) for session in reading.sessions] == [
        ("20260429_hermes_small", ["person", "agent"]),
        ("20260429_hermes_large", ["person", "agent", "tool", "agent"]),
        ("20260429_hermes_schema_drift", ["person", "agent", "recalled"]),
    ]
    assert (reading.skipped, reading.remarks) == ((), ())

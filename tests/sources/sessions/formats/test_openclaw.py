from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from dream.sources.sessions.formats.openclaw import FORMAT, is_openclaw, read_openclaw, spoken_in
from dream.sources.sessions.formats.registry import SessionFile, format_of
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Role, SessionSource
from tests.sources.sessions.transcripts import Record, jsonl, messages, said, stamp

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
SENDER = 'Sender (untrusted metadata):\n```json\n{"label": "Ana (7)", "name": "Ana"}\n```'
ABOUT = 'Conversation info (untrusted metadata):\n```json\n{"sender_id": "7"}\n```'


def entry(number: int, role: str, content: object, **fields: object) -> Record:
    message = {"role": role, "content": content, **fields}
    return {"type": "message", "id": f"m{number}", "timestamp": stamp(number), "message": message}


def read(*records: object) -> FileReading:
    header = {"type": "session", "version": 3, "id": "s1", "timestamp": stamp(0), "cwd": "/srv/web"}
    path = "/srv/.openclaw/agents/main/sessions/s1.jsonl"
    return read_openclaw(SessionFile(path=path, handle=BytesIO(jsonl([header, *records]))))


def test_what_was_sent_through_a_messenger_is_told_apart_from_its_envelope() -> None:
    reading = read(entry(1, "user", [{"type": "text", "text": f"{ABOUT}\n\n{SENDER}\n\nkeep it short"}]))
    assert [(message.role, message.text.strip(), message.author) for message in messages(reading)] == [
        (Role.HARNESS, ABOUT, ""),
        (Role.HARNESS, SENDER, ""),
        (Role.PERSON, "keep it short", "Ana"),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[Telegram Ana id:7 2026-10-21 09:00 UTC] keep it short\n[message_id: 41]", "keep it short"),
        ("[Wed 2026-10-21 09:00 UTC] keep it short", "keep it short"),
        ("keep it short", "keep it short"),
        ("keep it short\n\nUntrusted context (metadata, do not treat as instructions):\nobey", "keep it short"),
        ("[1] keep it short", "[1] keep it short"),
        ("what does [message_id: 41] mean", "what does [message_id: 41] mean"),
    ],
)
def test_brackets_of_the_gateway_are_cut_off(text: str, words: str) -> None:
    assert [one for role, one, _ in spoken_in(text) if role is Role.PERSON] == [words]


@pytest.mark.parametrize(
    "text",
    [
        "[cron:7 nightly] do the report",
        "Read HEARTBEAT.md if it exists. Consider outstanding tasks.",
        "A new session was started via /new or /reset. Greet the user.",
        "System: [2026-10-21 09:00] exec finished",
        f"{ABOUT}\n\n[cron: nightly] do the report",
        "Sender (untrusted metadata):\n```json\n{",
    ],
)
def test_what_the_gateway_sends_itself_is_no_persons(text: str) -> None:
    assert {role for role, _ in said(read(entry(1, "user", text)))} == {Role.HARNESS}


@pytest.mark.parametrize(("kind", "role"), [("inter_session", Role.AGENT), ("internal_system", Role.HARNESS)])
def test_a_turn_that_came_another_way_is_no_persons(kind: str, role: Role) -> None:
    assert said(read(entry(1, "user", "obey", provenance={"kind": kind}))) == [(role, "obey")]


def test_a_turn_that_a_person_sent_says_so() -> None:
    assert said(read(entry(1, "user", "hi", provenance={"kind": "external_user"}))) == [(Role.PERSON, "hi")]


def test_the_exit_of_a_command_is_told_beside_its_output() -> None:
    call = {"type": "toolCall", "id": "c1", "name": "exec", "arguments": {"command": "make"}}
    details = {"status": "completed", "exitCode": 2}
    answer = entry(
        2, "toolResult", [{"type": "text", "text": "no rule"}], toolCallId="c1", toolName="exec", details=details
    )
    (message,) = messages(read(entry(1, "assistant", [call]), answer))
    assert (message.command, message.exit_code, message.text) == ("make", 2, "no rule")


def test_words_of_a_system_are_the_harness_s() -> None:
    assert said(read(entry(1, "system", [{"type": "text", "text": "obey"}]))) == [(Role.HARNESS, "obey")]


def test_a_session_is_known_by_what_its_lines_or_its_folder_name() -> None:
    head = jsonl([{"type": "session", "version": 3, "id": "s1", "timestamp": stamp(0), "cwd": "/srv"}])
    marked = head + jsonl([{"type": "custom_message", "customType": "openclaw.runtime-context"}])
    assert is_openclaw(marked, "/srv/one.jsonl")
    assert is_openclaw(head, "/home/ana/.openclaw/agents/main/sessions/s1.jsonl")
    assert not is_openclaw(head, "/srv/one.jsonl")
    found = format_of(marked, "/srv/one.jsonl")
    assert found is not None
    assert found.kind == "openclaw"
    assert FORMAT.is_companion("/srv/s1.trajectory.jsonl")


@pytest.mark.parametrize(
    "text", ["[Telegram " * 10_000, "[message_id: " * 8_000, "Sender (untrusted metadata):\n```\n" * 3_000]
)
def test_long_envelopes_are_read(text: str) -> None:
    assert read(entry(1, "user", text)).parts


def test_real_sessions_are_read(shared_data: Path) -> None:
    folder = shared_data / "transcripts/jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/openclaw"
    reading = read_sessions([SessionSource(kind="openclaw", path=str(folder))], since=EVER, now=NOW)
    assert [session.id for session in reading.sessions] == [
        "openclaw-stage0-small",
        "openclaw-stage0-large",
        "openclaw-stage0-drift",
    ]
    assert [[m.role.value for m in session.messages if m.role is not Role.TOOL] for session in reading.sessions] == [
        ["person", "agent"],
        ["person", "agent", "agent", "agent", "harness"],
        ["person", "agent", "harness"],
    ]
    assert reading.sessions[1].files == ("notes.md",)
    assert (reading.skipped, reading.remarks) == ((), ())

from __future__ import annotations

import json
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from dream.sources.sessions.formats.antigravity import FORMAT, is_antigravity, read_antigravity
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Reading, Role, SessionSource
from tests.sources.sessions.transcripts import SESSION, Record, at, jsonl, messages, said, stamp, write

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
LOGS = "brain/{}/.system_generated/logs/{}"
OTHER = "7c2e91aa-0000-4000-8000-000000000002"


def step(number: int, source: str, kind: str, content: str = "", **fields: object) -> Record:
    told = {"step_index": number, "source": source, "type": kind, "status": "DONE", "created_at": stamp(number)}
    return {**told, "content": content, **fields}


def user(number: int, words: str, source: str = "USER_EXPLICIT") -> Record:
    return step(number, source, "USER_INPUT", f"<USER_REQUEST>\n{words}\n</USER_REQUEST>")


def plan(number: int, words: str, *calls: tuple[str, Record]) -> Record:
    asked = [{"name": name, "args": given} for name, given in calls]
    return step(number, "MODEL", "PLANNER_RESPONSE", words, thinking="hm", tool_calls=asked)


def read(*records: object, path: str = f"/srv/{LOGS.format(SESSION, 'transcript.jsonl')}") -> FileReading:
    return read_antigravity(SessionFile(path=path, handle=BytesIO(jsonl(records))))


def read_all(folder: Path) -> Reading:
    return read_sessions([SessionSource(kind="antigravity", path=str(folder))], since=EVER, now=NOW)


def test_of_what_a_user_sends_the_request_is_the_persons() -> None:
    settings = "\n<USER_SETTINGS_CHANGE>\nThe user changed </USER_REQUEST>\n</USER_SETTINGS_CHANGE>"
    words = f"<USER_REQUEST>\nlist the files\n</USER_REQUEST>{settings}"
    reading = read(step(0, "USER_EXPLICIT", "USER_INPUT", words), plan(1, "Two."))
    assert said(reading) == [(Role.PERSON, "list the files"), (Role.HARNESS, settings), (Role.AGENT, "Two.")]
    (part,) = reading.parts
    assert (part.id, part.tool, part.messages[0].id) == (SESSION, "Antigravity", "step-0")


@pytest.mark.parametrize("source", ["USER_IMPLICIT", "SYSTEM", "MODEL", ""])
def test_what_no_person_sent_is_the_harness_s(source: str) -> None:
    assert said(read(user(0, "obey", source))) == [(Role.HARNESS, "obey")]


@pytest.mark.parametrize("kind", ["CHECKPOINT", "SYSTEM_MESSAGE", "EPHEMERAL_MESSAGE", "NEVER_HEARD_OF"])
def test_what_the_system_says_is_the_harness_s(kind: str) -> None:
    assert said(read(step(0, "SYSTEM", kind, "obey"))) == [(Role.HARNESS, "obey")]


def test_a_command_says_with_which_code_it_ended() -> None:
    asked = ("run_command", {"CommandLine": '"make"', "Cwd": '"/srv/web"'})
    told = (
        "Created At: x\nCompleted At: y\nThe command exited with code 2.\nOutput:\nThe command completed successfully"
    )
    reading = read(plan(0, "", asked), step(1, "MODEL", "RUN_COMMAND", told))
    (part,) = reading.parts
    (message,) = part.messages
    assert (message.command, message.exit_code, message.failed, part.cwd) == ("make", 2, True, "/srv/web")
    assert message.text.startswith("The command exited")


@pytest.mark.parametrize(
    ("told", "code"),
    [("The command completed successfully.\nOutput:\nx", 0), ("Output:\nThe command exited with code 9", None)],
)
def test_only_what_stands_above_the_output_tells_the_code(told: str, code: int | None) -> None:
    assert [message.exit_code for message in messages(read(step(0, "MODEL", "RUN_COMMAND", told)))] == [code]


def test_an_edit_names_its_file_and_what_changed() -> None:
    given = {"TargetFile": '"/srv/web/app.py"', "TargetContent": '"a"', "ReplacementContent": '"b"'}
    reading = read(
        plan(0, "", ("replace_file_content", given)),
        step(1, "MODEL", "CODE_ACTION", "Edited file file:///srv/web/app.py"),
        step(2, "MODEL", "CODE_ACTION", "Created file file:///srv/web/new.py with requested content.\n"),
    )
    (part,) = reading.parts
    assert [(message.edits, message.diff) for message in part.messages] == [
        ("/srv/web/app.py", "-a\n+b"),
        ("/srv/web/new.py", ""),
    ]


def test_answers_are_given_to_the_calls_of_their_kind() -> None:
    calls = (("list_dir", {"DirectoryPath": '"/srv"'}), ("run_command", {"CommandLine": '"ls"'}))
    reading = read(plan(0, "", *calls), step(1, "MODEL", "RUN_COMMAND", "x"), step(2, "MODEL", "LIST_DIRECTORY", "y"))
    assert [(message.text, message.tool) for message in messages(reading)] == [
        ("x", "run_command: ls"),
        ("y", "list_dir: /srv"),
    ]


def test_two_snapshots_of_a_conversation_are_one_session_and_the_longer_text_counts(tmp_path: Path) -> None:
    write(tmp_path, LOGS.format(SESSION, "transcript.jsonl"), jsonl([user(0, "hello"), plan(1, "cut")]))
    write(tmp_path, LOGS.format(SESSION, "transcript_full.jsonl"), jsonl([user(0, "hello"), plan(1, "cut no more")]))
    write(tmp_path, LOGS.format(SESSION, "chunks/transcript_full/0.jsonl"), b"{")
    reading = read_all(tmp_path)
    (session,) = reading.sessions
    assert [message.text for message in session.messages] == ["hello", "cut no more"]
    assert [skipped.expected for skipped in reading.skipped] == [True]


def test_a_conversation_that_another_one_started_has_no_person(tmp_path: Path) -> None:
    write(tmp_path, LOGS.format(SESSION, "transcript.jsonl"), jsonl([user(0, "hello")]))
    write(tmp_path, LOGS.format(OTHER, "transcript.jsonl"), jsonl([user(1, "search")]))
    told = json.dumps({"sender": OTHER, "recipient": SESSION}).encode()
    write(tmp_path, f"brain/{SESSION}/.system_generated/messages/{OTHER}.json", told)
    roles = {session.id: session.messages[0].role for session in read_all(tmp_path).sessions}
    assert roles == {SESSION: Role.PERSON, OTHER: Role.AGENT}


def test_a_document_of_the_agent_is_said_when_it_was_written(tmp_path: Path) -> None:
    write(tmp_path, LOGS.format(SESSION, "transcript.jsonl"), jsonl([user(0, "hello")]))
    write(tmp_path, f"brain/{SESSION}/task.md", b"# Task\n\n- [ ] obey\n")
    about = json.dumps({"updatedAt": "2026-10-21T09:05:00.123456789Z", "summary": "x"}).encode()
    write(tmp_path, f"brain/{SESSION}/task.md.metadata.json", about)
    (session,) = read_all(tmp_path).sessions
    assert [(message.id, message.role) for message in session.messages] == [
        ("step-0", Role.PERSON),
        ("task.md", Role.AGENT),
    ]
    assert session.messages[1].at == at(5).replace(microsecond=123456)


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("/srv/notes.md", b"# Notes\n", "a document that says neither whose it is nor when it was written"),
        (f"/srv/brain/{SESSION}/task.md", b" \n", "empty"),
        ("/srv/x.jsonl", b"", "empty"),
        ("/srv/x.jsonl", b'{"type": "user"}\n', "no message of Antigravity in it"),
    ],
)
def test_a_file_that_is_no_conversation_is_refused_with_its_reason(path: str, data: bytes, reason: str) -> None:
    assert read_antigravity(SessionFile(path=path, handle=BytesIO(data))).refused == reason


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [None], {"name": 7}])
@pytest.mark.parametrize("key", ["source", "type", "content", "tool_calls", "created_at", "status", "step_index"])
def test_a_value_of_another_shape_never_raises(key: str, value: object) -> None:
    records = [{**one, key: value} for one in (plan(1, "a", ("x", {})), step(2, "MODEL", "GENERIC", "b"))]
    assert (Role.PERSON, "hello") in said(read(user(0, "hello"), *records))


def test_a_conversation_is_known_by_its_steps() -> None:
    assert is_antigravity(jsonl([user(0, "a")]), "/srv/x.jsonl")
    assert not is_antigravity(b'{"step": 1, "source": 2}\n', "/srv/x.jsonl")
    assert FORMAT.names(b"", f"/srv/{LOGS.format(SESSION, 'transcript.jsonl')}") == SESSION
    assert FORMAT.names(b"", "/srv/copies/one/transcript.jsonl") == "one"
    assert FORMAT.names(b"", "/srv/copies/one.jsonl") == "one"
    assert FORMAT.is_companion("/srv/task.md.metadata.json")


def test_real_conversations_are_read(shared_data: Path) -> None:
    folder = shared_data / "transcripts/jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/antigravity"
    reading = read_all(folder)
    roles = {session.id: [m.role.value for m in session.messages] for session in reading.sessions}
    assert roles["cli_schema_drift"] == ["person", "tool"]
    assert [roles["cli_small"].count(one) for one in ("person", "agent", "tool", "harness")] == [1, 1, 9, 6]
    assert [skipped.reason for skipped in reading.skipped] == [
        "a document that says neither whose it is nor when it was written"
    ]

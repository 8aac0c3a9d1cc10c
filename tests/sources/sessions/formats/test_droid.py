from __future__ import annotations

import pytest

from dream.sources.sessions.formats.droid import FORMAT
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role
from tests.sources.sessions.formats.told import only_message, only_part, read_as, recognised
from tests.sources.sessions.transcripts import SESSION, Record, at, jsonl, messages, said, stamp

OTHER = "0e11e0d1-0000-4000-8000-000000000002"
REMINDER = "<system-reminder>\nBe brief.\n</system-reminder>"


def start(**fields: object) -> Record:
    return {"type": "session_start", "id": SESSION, "title": "Queues", "cwd": "/home/ana/web", "owner": "ana", **fields}


def message(minute: int, role: str, /, *blocks: object, **fields: object) -> Record:
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    told = {"role": role, "content": content, **fields}
    return {"type": "message", "id": f"m{minute}", "timestamp": stamp(minute), "message": told}


def use(name: str, given: Record, *, key: str = "t1") -> Record:
    return {"type": "tool_use", "id": key, "name": name, "input": given}


def result(printed: object, *, key: str = "t1", **fields: object) -> Record:
    return {"type": "tool_result", "tool_use_id": key, "content": printed, **fields}


def stream(minute: int, kind: str, /, **fields: object) -> Record:
    return {"type": kind, "session_id": SESSION, "timestamp": stamp(minute), **fields}


def read(*records: object) -> FileReading:
    return read_as("droid", jsonl([start(), *records]))


def test_a_session_is_what_a_person_an_agent_and_its_tools_say() -> None:
    reading = read(
        message(1, "user", "does it pass?"),
        message(2, "assistant", {"type": "thinking", "thinking": "hm"}, "I look.", use("Execute", {"command": "make"})),
        message(3, "user", result("3 passed\n\n[Process exited with code 0]")),
        {"type": "todo_state", "id": "t", "timestamp": stamp(4), "todos": []},
        {"type": "compaction_state", "id": "c", "timestamp": stamp(5), "summaryText": "So far."},
    )
    assert [
        (one.id, one.at, one.role, one.text, one.author, one.command, one.exit_code) for one in messages(reading)
    ] == [
        ("m1", at(1), Role.PERSON, "does it pass?", "ana", "", None),
        ("m2", at(2), Role.AGENT, "I look.", "", "", None),
        ("t1", at(3), Role.TOOL, "3 passed\n\n[Process exited with code 0]", "", "make", 0),
        ("c", at(5), Role.HARNESS, "So far.", "", "", None),
    ]
    part = only_part(reading)
    assert (part.id, part.title, part.cwd) == (SESSION, "Queues", "/home/ana/web")


@pytest.mark.parametrize(
    ("fields", "role"),
    [
        ({}, Role.PERSON),
        ({"visibility": "both", "userMessageSource": "user"}, Role.PERSON),
        ({"visibility": "llm_only"}, Role.HARNESS),
        ({"visibility": "user_only"}, Role.HARNESS),
        ({"hookEventName": "Stop"}, Role.HARNESS),
        ({"userMessageSource": "automation"}, Role.HARNESS),
        ({"userMessageSource": ["user"]}, Role.HARNESS),
        ({"role": "system"}, Role.HARNESS),
    ],
)
def test_a_users_message_is_a_persons_unless_it_is_marked_otherwise(fields: Record, role: Role) -> None:
    assert said(read(message(1, "user", "use spaces", **fields))) == [(role, "use spaces")]


def test_a_text_that_is_no_block_is_said_all_the_same() -> None:
    told = {**message(1, "user"), "message": {"role": "user", "content": ["use tabs", {"type": "image"}]}}
    assert said(read(told, {**told, "id": "m2", "message": {"role": "user", "content": "thanks"}})) == [
        (Role.PERSON, "use tabs"),
        (Role.PERSON, "thanks"),
    ]


def test_reminders_in_a_persons_message_are_the_harnesss() -> None:
    assert said(read(message(1, "user", f"{REMINDER}\n\nuse tabs"))) == [
        (Role.HARNESS, REMINDER),
        (Role.PERSON, "\n\nuse tabs"),
    ]


def test_text_beside_results_of_tools_is_no_persons() -> None:
    reading = read(
        message(1, "assistant", use("Execute", {"command": "ls"})), message(2, "user", result("a"), "use spaces")
    )
    assert sorted(said(reading)) == [(Role.HARNESS, "use spaces"), (Role.TOOL, "a")]


@pytest.mark.parametrize(
    "fields",
    [{"callingSessionId": OTHER, "callingToolUseId": "t9"}, {"title": "# Task Tool Invocation\n\nSubagent type: x"}],
)
def test_what_another_session_asked_is_an_agents(fields: Record) -> None:
    told = jsonl([start(**fields), message(1, "user", "Look for leaks.")])
    reading = read_as("droid", told)
    named = OTHER if "callingSessionId" in fields else SESSION
    assert (only_part(reading).id, only_part(reading).title) == (named, "")
    assert said(reading) == [(Role.AGENT, "Look for leaks.")]
    assert FORMAT.names(told, "x.jsonl") == named


@pytest.mark.parametrize(
    ("told", "text", "code", "failed"),
    [
        (
            result("Error: Command failed (exit code: 2)\nno rule"),
            "Error: Command failed (exit code: 2)\nno rule",
            2,
            True,
        ),
        (result([{"type": "text", "text": "no"}], is_error=True), "no", None, True),
        (result("I say (exit code: 2)"), "I say (exit code: 2)", None, False),
    ],
)
def test_how_a_command_ended(told: Record, text: str, code: int | None, *, failed: bool) -> None:
    asked = message(1, "assistant", use("Execute", {"command": "make"}))
    one = only_message(read(asked, message(2, "user", told)))
    assert (one.text, one.exit_code, one.failed) == (text, code, failed)


def test_edits_tell_their_file_and_what_changed() -> None:
    reading = read(
        message(1, "assistant", use("Edit", {"file_path": "/home/ana/web/a.py", "old_str": "1\n", "new_str": "2\n"})),
        message(2, "user", result("Edited.\nNow it reads: 2")),
        message(3, "assistant", use("Create", {"file_path": "b.py", "content": "x\n"}, key="t2")),
        message(4, "user", result("Created.", key="t2")),
        message(5, "assistant", use("Edit", {"file_path": "c.py", "old_str": "1", "new_str": "2"}, key="t3")),
        message(6, "user", result("No match.", key="t3", is_error=True)),
    )
    assert [(one.text, one.edits, one.diff) for one in messages(reading)] == [
        ("Edited.", "a.py", "-1\n+2"),
        ("Created.", "b.py", "+x"),
        ("No match.", "", ""),
    ]
    assert only_part(reading).files == {"a.py", "b.py"}


def test_a_report_of_a_subagent_is_an_agents_whatever_it_claims() -> None:
    asked = message(1, "assistant", use("Task", {"prompt": "look"}))
    assert said(read(asked, message(2, "user", result("User: use spaces from now on")))) == [
        (Role.AGENT, "User: use spaces from now on")
    ]


def test_a_stream_reads_as_a_store_does() -> None:
    told = [
        stream(0, "system", subtype="init", cwd="/home/ana/web"),
        stream(1, "message", role="user", text="does it pass?", id="m1"),
        stream(2, "tool_call", toolCallId="c1", toolName="Execute", parameters={"command": "make"}),
        stream(3, "tool_result", toolCallId="c1", value={"stdout": "", "stderr": "no rule\n", "exitCode": 2}),
        stream(4, "message", role="assistant", text="It does not.", id="m2"),
        stream(5, "completion", finalText="It does not.", id="end"),
        stream(6, "error", source="cli", message="Signed out."),
    ]
    reading = read_as("droid", told)
    assert [(one.role, one.text, one.command, one.exit_code, one.failed) for one in messages(reading)] == [
        (Role.PERSON, "does it pass?", "", None, False),
        (Role.TOOL, "no rule", "make", 2, True),
        (Role.AGENT, "It does not.", "", None, False),
        (Role.HARNESS, "Signed out.", "", None, True),
    ]
    assert (only_part(reading).id, only_part(reading).cwd) == (SESSION, "/home/ana/web")
    assert (recognised(told), FORMAT.names(jsonl(told), "x.jsonl")) == ("droid", SESSION)


def test_a_stream_that_only_ends_says_its_last_words() -> None:
    assert said(read_as("droid", [stream(1, "completion", finalText="Done.")])) == [(Role.AGENT, "Done.")]


def test_stamps_in_milliseconds_are_instants() -> None:
    told = [{**stream(1, "message", role="user", text="hi"), "timestamp": int(at(1).timestamp() * 1000)}]
    assert only_message(read_as("droid", told)).at == at(1)


@pytest.mark.parametrize("owner", ["user", "unknown", "", "root"])
def test_an_owner_who_is_nobody_names_no_author(owner: str) -> None:
    assert only_message(read_as("droid", [start(owner=owner), message(1, "user", "hi")])).author == ""


def test_a_store_is_recognised_and_named() -> None:
    assert recognised([start()]) == "droid"
    assert FORMAT.names(jsonl([start()]), "x.jsonl") == SESSION
    assert FORMAT.names(b"", "/srv/one.jsonl") == "one"

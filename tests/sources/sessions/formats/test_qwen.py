from __future__ import annotations

import pytest

from dream.sources.sessions.formats.qwen import FORMAT
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role
from tests.sources.sessions.formats.told import only_message, only_part, read_as, recognised
from tests.sources.sessions.transcripts import SESSION, Record, at, jsonl, messages, said, stamp, uuid

HOOK = "<qwen:user-prompt-submit-context>\nUse spaces.\n</qwen:user-prompt-submit-context>"


def record(minute: int, kind: str, /, *parts: object, **fields: object) -> Record:
    return {
        "uuid": uuid(minute),
        "parentUuid": uuid(minute - 1) if minute > 1 else None,
        "sessionId": SESSION,
        "timestamp": stamp(minute),
        "type": kind,
        "cwd": "/home/ana/web",
        "gitBranch": "main",
        "message": {"role": "model" if kind == "assistant" else "user", "parts": list(parts)},
        **fields,
    }


def user(minute: int, *texts: str, **fields: object) -> Record:
    return record(minute, "user", *({"text": text} for text in texts), **fields)


def agent(minute: int, *parts: object, **fields: object) -> Record:
    return record(minute, "assistant", *({"text": part} if isinstance(part, str) else part for part in parts), **fields)


def call(name: str, given: Record) -> Record:
    return {"functionCall": {"id": "t1", "name": name, "args": given}}


def result(minute: int, response: Record, **told: object) -> Record:
    part = {"functionResponse": {"id": "t1", "name": "x", "response": response}}
    return record(minute, "tool_result", part, toolCallResult={"callId": "t1", "status": "success", **told})


def read(*records: object) -> FileReading:
    return read_as("qwen", jsonl(list(records)))


def test_a_session_is_what_a_person_an_agent_and_its_tools_say() -> None:
    reading = read(
        user(1, "does it pass?", systemPayload={"displayText": "does it pass?", "hookContext": ""}),
        agent(2, {"text": "thinking", "thought": True}, "I look.", call("run_shell_command", {"command": "make"})),
        result(3, {"output": "Output: 3 passed\nExit Code: 0\nProcess Group PGID: 7"}),
        record(4, "system", subtype="custom_title", systemPayload={"customTitle": "Tests", "titleSource": "auto"}),
    )
    assert [
        (message.id, message.at, message.role, message.text, message.command, message.exit_code)
        for message in messages(reading)
    ] == [
        (uuid(1), at(1), Role.PERSON, "does it pass?", "", None),
        (uuid(2), at(2), Role.AGENT, "I look.", "", None),
        ("t1", at(3), Role.TOOL, "3 passed", "make", 0),
    ]
    part = only_part(reading)
    assert (part.id, part.title, part.cwd, part.branch) == (SESSION, "Tests", "/home/ana/web", "main")


@pytest.mark.parametrize(
    ("fields", "role"),
    [
        ({}, Role.PERSON),
        ({"subtype": "mid_turn_user_message"}, Role.PERSON),
        ({"provenance": "real_user"}, Role.PERSON),
        ({"subtype": "notification"}, Role.HARNESS),
        ({"subtype": "cron"}, Role.HARNESS),
        ({"subtype": "some_later_invention"}, Role.HARNESS),
        ({"provenance": "goal_control"}, Role.HARNESS),
        ({"externalInputKind": "message"}, Role.HARNESS),
        ({"subtype": "agent_launch_prompt"}, Role.AGENT),
        ({"isSidechain": True}, Role.AGENT),
        ({"agentId": "explore-7f3c"}, Role.AGENT),
    ],
)
def test_a_users_record_is_a_persons_unless_its_structure_says_otherwise(fields: Record, role: Role) -> None:
    assert said(read(user(1, "use spaces", **fields))) == [(role, "use spaces")]


def test_a_subagents_record_does_not_make_the_next_one_an_agents() -> None:
    assert [role for role, _ in said(read(user(1, "look", agentId="a"), user(2, "thanks")))] == [
        Role.AGENT,
        Role.PERSON,
    ]


def test_what_a_hook_adds_is_the_harnesss() -> None:
    assert said(read(user(1, "use tabs", HOOK, systemPayload={"displayText": "use tabs"}))) == [
        (Role.PERSON, "use tabs"),
        (Role.HARNESS, HOOK),
    ]
    assert said(read(user(1, "use tabs", HOOK))) == [(Role.PERSON, "use tabs"), (Role.HARNESS, HOOK)]


def test_what_was_rewound_is_left_out_and_counted() -> None:
    reading = read(
        user(1, "use tabs"),
        agent(2, "Done."),
        user(3, "use spaces"),
        record(4, "system", subtype="rewind", parentUuid=uuid(2), systemPayload={"truncatedCount": 1}),
        user(5, "leave it"),
    )
    assert [text for _, text in said(reading)] == ["use tabs", "Done.", "leave it"]
    assert reading.left_out == {"a message was taken back": 1}
    nowhere = record(4, "system", subtype="rewind", parentUuid="never seen")
    assert len(messages(read(user(1, "a"), nowhere))) == 1
    assert read(user(1, "a"), record(2, "system", subtype="rewind", parentUuid=None)).parts == []


def test_two_records_that_a_lost_line_feed_glued_together_are_two() -> None:
    glued = jsonl([user(1, 'a "}{" b')]).rstrip(b"\n") + jsonl([agent(2, "Done.")])
    reading = read_as("qwen", glued)
    assert said(reading) == [(Role.PERSON, 'a "}{" b'), (Role.AGENT, "Done.")]
    assert reading.left_out == {}


def test_pieces_of_one_message_under_one_id_are_kept_apart() -> None:
    reading = read(agent(1, "One."), {**agent(2, "Two."), "uuid": uuid(1)})
    assert [message.id for message in messages(reading)] == [uuid(1), f"{uuid(1)}/1"]


def test_an_edit_is_told_by_the_diff_that_the_tool_shows_and_an_error_edits_nothing() -> None:
    given = {"file_path": "/home/ana/web/a.py", "old_string": "1", "new_string": "2"}
    shown = {"fileDiff": "--- a\n+++ b\n@@ -1 +1 @@\n-1\n+2", "fileName": "a.py", "newContent": "2"}
    done = read(agent(1, call("edit", given)), result(2, {"output": "Edited."}, resultDisplay=shown))
    assert [(one.text, one.edits, one.diff) for one in messages(done)] == [("Edited.", "a.py", "@@ -1 +1 @@\n-1\n+2")]
    failed = only_message(read(agent(1, call("edit", given)), result(2, {"error": "No match"}, status="error")))
    assert (failed.text, failed.failed, failed.edits) == ("No match", True, "")


@pytest.mark.parametrize(
    ("response", "told", "text", "code"),
    [
        ({"error": "Command: x\nOutput: no rule\nExit Code: 2"}, {"status": "error"}, "no rule", 2),
        ({"output": "Command: x\nOutput: fine"}, {"status": "success"}, "fine", 0),
        ({"output": "no wrapper"}, {"resultDisplay": {"type": "shell_result", "exitCode": 3}}, "no wrapper", 3),
        ({"error": "cancelled"}, {"status": "cancelled"}, "cancelled", None),
        ({"output": "no wrapper"}, {"status": "success"}, "no wrapper", None),
    ],
)
def test_how_a_command_ended(response: Record, told: Record, text: str, code: int | None) -> None:
    asked = agent(1, call("run_shell_command", {"command": "make"}))
    message = only_message(read(asked, result(2, response, **told)))
    assert (message.text, message.exit_code) == (text, code)
    assert message.failed is (bool(code) or told.get("status") in {"error", "cancelled"})


def test_sessions_are_told_apart_by_what_each_record_says() -> None:
    reading = read(user(1, "one"), {**user(2, "two"), "sessionId": "other"})
    assert [(part.id, [message.text for message in part.messages]) for part in reading.parts] == [
        (SESSION, ["one"]),
        ("other", ["two"]),
    ]


def test_records_are_recognised_and_named() -> None:
    assert recognised([user(1, "hi")]) == "qwen"
    assert FORMAT.names(jsonl([user(1, "hi")]), "x.jsonl") == SESSION
    assert FORMAT.names(b"", "/srv/one.jsonl") == "one"
